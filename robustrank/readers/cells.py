"""Cells as people and boards write them: numbers with `%`, commas or dashes; linked names."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from robustrank.errors import FormatError, InputError
from robustrank.notes import Note, count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._scale import Scale

_LINK = re.compile(r"\[(.+)\]\(\S*\)")
_ANCHOR = re.compile(r"<a\b[^>]*>(.+?)</a>", re.IGNORECASE | re.DOTALL)
_MISSING = frozenset(
    ["", "-", "--", "–", "—", "?", "na", "n/a", "#n/a", "<na>", "nan", "none", "null", "missing"]
)
_THOUSANDS_COMMA = re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d+")
_THOUSANDS_ONLY = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
_THOUSANDS_DOT = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+")
_PLAIN = re.compile(r"-?\d+(\.\d+)?")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE)


class Numbers(NamedTuple):
    """A column as numbers: NaN where missing, and where it was a percentage or not a number."""

    numbers: NDArray[np.float64]
    percent: NDArray[np.bool_]
    bad: NDArray[np.bool_]

    @property
    def is_text(self) -> bool:
        """Whether no cell is a number and some are not missing either."""
        return bool(self.bad.any() and np.isnan(self.numbers).all())


def clean_name(name: object) -> str:
    """Return the text of a name: of ``[name](url)`` the text, which is the identity, not the URL.

    A name is never taken to be missing: a model may be called ``NA`` or ``None``.
    """
    text = str(name).strip()
    link = _LINK.fullmatch(text) or _ANCHOR.fullmatch(text)
    return link.group(1).strip() if link else text


def clean_labels(column: pd.Series, kind: str, source: str) -> list[str]:
    """Return clean names; raise where one is missing, or is a list or an object."""
    missing = column.isna().to_numpy()
    labels = []
    for row, cell in enumerate(column):
        labels.append(clean_name(cell))
        place = f"in row {row + 1} of {source} (column {str(column.name)!r})"
        if isinstance(cell, dict | list | set | tuple | np.ndarray):
            raise FormatError(
                f"The {kind} {place} is {cell!r}, which is not a name. Write a text.",
                [f"row {row + 1}"],
            )
        if missing[row] or not labels[-1]:
            raise InputError(
                f"The {kind} {place} has no name. Name it, or drop the row.", [f"row {row + 1}"]
            )
    return labels


def parse_number(text: str, *, counts: bool = False) -> tuple[float, bool] | None:
    """Return the number in a cell and whether it was a percentage; `None` if it is not a number.

    ``32,768`` is a count with `counts`, and otherwise a score with a decimal comma.
    """
    cell = re.sub("[⚠\ufe0f]", "", text).strip()
    if cell.casefold() in _MISSING:
        return math.nan, False
    percent = cell.endswith("%")
    cell = cell.removesuffix("%").rstrip().replace("−", "-")
    if _THOUSANDS_COMMA.fullmatch(cell) or (counts and _THOUSANDS_ONLY.fullmatch(cell)):
        cell = cell.replace(",", "")
    elif _THOUSANDS_DOT.fullmatch(cell):
        cell = cell.replace(".", "").replace(",", ".")
    elif cell.count(",") == 1 and "." not in cell:
        cell = cell.replace(",", ".")
    return (float(cell), percent) if _NUMBER.fullmatch(cell) else None


def parse_numbers(column: pd.Series, *, counts: bool = False) -> Numbers:
    """Read a column of numbers or text; cells of any other kind count as not a number.

    With `counts`, whole numbers may have commas between thousands.
    """
    if pd.api.types.is_integer_dtype(column.dtype) or pd.api.types.is_float_dtype(column.dtype):
        none = np.zeros(len(column), dtype=bool)
        return Numbers(column.to_numpy(dtype="float64", na_value=np.nan), none, none)
    cells = np.asarray(column, dtype="object")
    # Most cells are plain; the others are looked at one by one. Not with pandas.to_numeric: it can
    # crash on a commit hash that looks like a number with a huge exponent.
    numbers = np.array(
        [
            float(cell) if isinstance(cell, str) and _PLAIN.fullmatch(cell) else math.nan
            for cell in cells
        ],
        dtype="float64",
    )
    percent, bad = np.zeros(len(cells), dtype=bool), np.zeros(len(cells), dtype=bool)
    for position in np.flatnonzero(np.isnan(numbers)):
        parsed = _parse_cell(cells[position], counts=counts)
        bad[position] = parsed is None
        if parsed is not None:
            numbers[position], percent[position] = parsed
    return Numbers(numbers, percent, bad)


def is_numeric(column: pd.Series) -> bool:
    """Whether a column holds numbers as such, not as text."""
    if column.dtype != "object":
        number = pd.api.types.is_numeric_dtype(column.dtype)
        return number and not pd.api.types.is_bool_dtype(column.dtype)
    return all(not isinstance(cell, str) and _parse_cell(cell) is not None for cell in column)


def settle_percent(
    numbers: NDArray[np.float64], percent: NDArray[np.bool_], scale: Scale
) -> tuple[NDArray[np.float64], list[Note]]:
    """Bring cells written with ``%`` to the scale of the others, saying so.

    Where there are no others, 0.9% is 0.009, which a maximum of at most 1 must not hide.
    """
    others = numbers[~percent & np.isfinite(numbers)]
    judged = others if others.size else numbers
    unit = scale == "unit" or bool(np.nanmax(np.abs(judged), initial=0.0) <= 1.0)
    if not percent.any() or not unit or scale == "percent":
        return numbers, []
    reason = "as the others are on 0..1" if others.size else "to be on 0..1"
    message = f"{count(int(percent.sum()), 'score')} written with % were divided by 100, {reason}."
    return np.where(percent, numbers / 100.0, numbers), [Note("percent-cells", message)]


def _parse_cell(cell: object, *, counts: bool = False) -> tuple[float, bool] | None:
    if isinstance(cell, str):
        return parse_number(cell, counts=counts)
    if isinstance(cell, Real | Decimal) and not isinstance(cell, bool):
        try:
            return float(cell), False
        except OverflowError:  # as the same number in text
            return math.inf, False
        except ValueError:  # a signalling NaN
            return None
    return (math.nan, False) if cell is None or cell is pd.NA or cell is pd.NaT else None
