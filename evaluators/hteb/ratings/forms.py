"""A survey's forms: a CSV file for a spreadsheet, and a web page that needs nothing but itself."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from robustrank._text import printable
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.long_tables import storable, to_csv

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from robustrank.evaluators.hteb.ratings.questions import Question

_PACKAGE = "robustrank.evaluators.hteb.ratings"
#: What a spreadsheet would compute instead of showing.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, eq=False)
class Form:
    """The questions for one rater: what goes into one file.

    Attributes
    ----------
    name : str
        Of the file.
    title : str
    task : str
        What the rater must know to answer.
    questions : tuple of Question
    captions : tuple of str
        What the two texts of an item are called.
    columns : tuple of str
        The columns of `items` that hold the two texts.
    items : DataFrame
        A row per item, with ``item`` and those columns.
    """

    name: str
    title: str
    task: str
    questions: tuple[Question, ...]
    captions: tuple[str, str]
    columns: tuple[str, str]
    items: pd.DataFrame


def _table(form: Form) -> dict[str, bytes]:
    """Make a form for a spreadsheet: a row per item, a column per criterion; and what to do."""
    table = form.items[["item", *form.columns]].copy()
    for name in form.columns:
        table[name] = table[name].map(_shown).astype(object)
    table["rater"] = ""
    for question in form.questions:
        table[question.criterion] = ""
    lines = [form.title, "", form.task, ""]
    for question in form.questions:
        scale = ", ".join(f"{rating} = {meaning}" for rating, meaning in question.answers.items())
        lines += [f"Column {question.criterion}: {question.text}", f"  {scale}.", ""]
    how = (
        f"Fill in these columns of {form.name}.csv with whole numbers; leave a cell empty where "
        "you cannot say. Write your name or code into the column rater, in one row at least. Judge "
        "every row by itself. Keep the file a CSV file, and hand it in."
    )
    # With the mark by which spreadsheets and editors know that it is UTF-8.
    return {
        ".csv": to_csv(table, "\r\n").encode("utf-8-sig"),
        ".txt": storable("\r\n".join(map(printable, [*lines, how, ""]))).encode("utf-8-sig"),
    }


def _page(form: Form) -> dict[str, bytes]:
    """Make a form for a browser.

    It requests nothing and sends nothing: answers are kept in the browser and saved as a file.
    """
    script = _asset("form.js")
    own = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{own}'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
    names = list(form.items["item"])
    items = [
        {"item": item, "texts": list(zip(form.captions, texts, strict=True))}
        for item, *texts in form.items[["item", *form.columns]].itertuples(index=False)
    ]
    page = _environment().get_template("form.html.j2")
    content = page.render(
        form=form,
        items=items,
        policy=policy,
        script=script,
        style=_asset("form.css"),
        # Answers to another draw of items must not be taken for answers to this one.
        key=digest([form.name, names, [question.criterion for question in form.questions]])[:16],
    )
    return {".html": storable(content).encode()}


def _shown(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["printable"] = printable
    return environment


def _asset(name: str) -> str:
    return files(_PACKAGE).joinpath("templates", name).read_text("utf-8")


#: What makes the files of each kind of form, by their suffix.
CONTENTS: dict[str, Callable[[Form], dict[str, bytes]]] = {"csv": _table, "html": _page}
