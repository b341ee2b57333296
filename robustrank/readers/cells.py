"""Cells as people and boards write them: numbers with `%`, commas or dashes; linked names."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np
import pandas as pd

_LINK = re.compile(r"\[(.+)\]\(\S*\)")
_ANCHOR = re.compile(r"<a\b[^>]*>(.+?)</a>", re.IGNORECASE | re.DOTALL)
_MISSING = frozenset(
    ["", "-", "--", "–", "—", "?", "na", "n/a", "#n/a", "<na>", "nan", "none", "null", "missing"]
)
_THOUSANDS_COMMA = re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d+")
_THOUSANDS_DOT = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE)


class Numbers(NamedTuple):
    """A column as numbers: NaN where missing, and where it was a percentage or not a number."""

    values: np.ndarray
    percent: np.ndarray
    bad: np.ndarray


def clean_name(name: object) -> str:
    """Return the text of a name: of ``[name](url)`` the text, which is the identity, not the URL.

    A name is never taken to be missing: a model may be called ``NA`` or ``None``.
    """
    text = str(name).strip()
    link = _LINK.fullmatch(text) or _ANCHOR.fullmatch(text)
    return link.group(1).strip() if link else text


def parse_number(text: str) -> tuple[float, bool] | None:
    """Return the number in a cell and whether it was a percentage; `None` if it is not a number."""
    cell = re.sub("[⚠\ufe0f]", "", text).strip()
    if cell.casefold() in _MISSING:
        return math.nan, False
    percent = cell.endswith("%")
    cell = cell.removesuffix("%").rstrip().replace("−", "-")
    if _THOUSANDS_COMMA.fullmatch(cell):
        cell = cell.replace(",", "")
    elif _THOUSANDS_DOT.fullmatch(cell):
        cell = cell.replace(".", "").replace(",", ".")
    elif cell.count(",") == 1 and "." not in cell:
        cell = cell.replace(",", ".")
    return (float(cell), percent) if _NUMBER.fullmatch(cell) else None


def parse_numbers(column: pd.Series) -> Numbers:
    """Read a column of numbers or text; cells of any other kind count as not a number."""
    none = np.zeros(len(column), dtype=bool)
    if pd.api.types.is_numeric_dtype(column.dtype) and not (
        pd.api.types.is_bool_dtype(column.dtype) or pd.api.types.is_complex_dtype(column.dtype)
    ):
        return Numbers(column.to_numpy(dtype="float64", na_value=np.nan), none, none)
    cells = column.astype("object")
    codes, uniques = pd.factorize(cells.where(cells.notna(), ""))
    # True == 1 in a hash table, so a column with booleans cannot go through its distinct cells.
    booleans = np.fromiter((isinstance(cell, bool | np.bool_) for cell in cells), bool, len(cells))
    parsed = [_parse_cell(cell) for cell in uniques]
    values = np.array([math.nan if p is None else p[0] for p in parsed], dtype="float64")
    percent = np.array([p is not None and p[1] for p in parsed], dtype=bool)
    bad = np.array([p is None for p in parsed], dtype=bool)
    if not len(uniques):
        return Numbers(np.empty(0), none, none)
    return Numbers(
        np.where(booleans, math.nan, values[codes]), percent[codes], bad[codes] | booleans
    )


def _parse_cell(cell: object) -> tuple[float, bool] | None:
    if isinstance(cell, str):
        return parse_number(cell)
    if isinstance(cell, int | float | np.number):
        return float(cell), False
    return None


def holds_text(column: pd.Series) -> bool:
    """Whether a column holds text that is neither a number nor a mark for a missing one."""
    if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        return False
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = pd.Series(column.cat.categories)
    texts = (cell for cell in column if isinstance(cell, str))
    return any(parse_number(cell) is None for cell in texts)
