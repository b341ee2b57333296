"""Matching names, patterns and languages."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from robustrank._metadata import parse_languages
from robustrank.errors import unknown_label

if TYPE_CHECKING:
    import pandas as pd


def listed(wanted: str | Iterable[str]) -> list[str]:
    """Return one name, or several, as a list of text."""
    if isinstance(wanted, str) or not isinstance(wanted, Iterable):
        return [str(wanted)]
    return [str(name) for name in wanted]


def matching(
    known: Iterable[str], wanted: str | Iterable[str] | None, kind: str, *, fold: bool = False
) -> list[str]:
    """Return the known names that match, in their own order; raise for one that matches nothing.

    An exact name wins over reading it as a pattern. With `fold`, case does not matter.
    """
    names = [str(name) for name in known]
    if wanted is None:
        return names
    keep: set[str] = set()
    for pattern in listed(wanted):
        if pattern in names:
            hits = {pattern}
        else:
            low = pattern.lower() if fold else pattern
            hits = {name for name in names if fnmatchcase(name.lower() if fold else name, low)}
        if not hits:
            raise unknown_label(kind, pattern, names)
        keep |= hits
    return [name for name in names if name in keep]


def with_language(languages: pd.Series, wanted: str | Iterable[str]) -> set[str]:
    """Return the datasets that include any of the wanted languages."""
    known = {code for codes in languages for code in codes}
    codes = {code for item in listed(wanted) for code in parse_languages(item.lower())}
    for code in sorted(codes - known):
        raise unknown_label("language", code, known)
    return {str(name) for name, spoken in languages.items() if codes.intersection(spoken)}
