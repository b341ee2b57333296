"""Pages: templates, the style sheet and scripts in them, and what keeps them self-contained."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from robustrank._text import printable


@dataclass(frozen=True)
class Key:
    """A key number at the head of a page: ``"93"``, ``"models"``."""

    value: str
    label: str


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("robustrank.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["printable"] = printable
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return environment


def render(template: str, *, own_script: bool = False, **content: Any) -> str:
    """Return a page; everything in `content` that is not markup already is escaped.

    Parameters
    ----------
    template : str
        Name of a file of ``templates/`` without its endings.
    own_script : bool
        Whether there is a script of that name, besides those of all pages.
    **content
        What the template needs.

    Returns
    -------
    str
        Its scripts run by their digest alone, and it may request nothing: a name that found a way
        out of its place in the page would still do nothing.
    """
    scripts = ["theme", "tables", "downloads", *([template] if own_script else [])]
    script = "".join(_asset(f"{name}.js") for name in scripts)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    styles = "".join(_asset(f"{name}.css") for name in ("page", "tables", "map", "print"))
    page = _environment().get_template(f"{template}.html.j2")
    return page.render(policy=policy, style=styles, script=script, **content)


def _asset(name: str) -> str:
    return files("robustrank.report.html").joinpath("templates", name).read_text("utf-8")
