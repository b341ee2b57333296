"""What forms are called: a title for raters, and the name of a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import pandas as pd

#: A task, and the languages that a rater must know: the second is None where there is one.
Key = tuple[str, str | None, str | None]


def form_keys(items: pd.DataFrame) -> list[Key]:
    """Return for each item what decides which form it is in."""
    return [
        (name, source, target if _leaves_language(name) else None)
        for name, source, target in items[["transformation", "source", "target"]].itertuples(
            index=False, name=None
        )
    ]


def title(task: str, source: str | None, target: str | None) -> str:
    """Return the title of a form, such as ``Translation, English to German``."""
    languages = " to ".join(name for name in (source, target) if name)
    text = ", ".join(filter(None, (task.replace("_", " "), languages)))
    return text[:1].upper() + text[1:]


def file_names(keys: Sequence[Hashable], titles: Sequence[str]) -> list[str]:
    """Name a form for each key, of letters that every file system and mail program takes.

    Where two have one title, the later one has a number.
    """
    names: dict[Hashable, str] = {}
    for key, text in zip(keys, titles, strict=True):
        if key not in names:
            plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "form"
            taken = names.values()
            number = next(i for i in range(1, len(keys) + 2) if _numbered(plain, i) not in taken)
            names[key] = _numbered(plain, number)
    return [names[key] for key in keys]


def _leaves_language(transformation: str) -> bool:
    known = TRANSFORMATIONS.get(transformation)
    return known is not None and not known.keeps_language


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
