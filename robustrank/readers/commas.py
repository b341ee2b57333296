"""Commas in scores: before decimals, or between thousands?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from numpy.typing import NDArray

    from robustrank.readers.cells import Numbers

_EITHER = re.compile(r"\s*([+−-]?[1-9]\d{0,2}),(\d{3})\s*%?\s*")
_TOP = 100.0  # no score exceeds it


def doubt_commas(
    columns: Mapping[str, pd.Series], numbers: Mapping[str, Numbers]
) -> dict[str, Numbers]:
    """Count cells like ``1,234`` as not numbers where nothing says what their comma means.

    Read as decimals, they stand as they are in a column that has other decimal commas; elsewhere
    they are in doubt beside a decimal point in any column, or a number above 100 in their own.
    """
    marks = {name: _marks(columns[name], numbers[name]) for name in columns}
    point = any(mark.point for mark in marks.values())
    return {
        name: numbers[name]._replace(bad=numbers[name].bad | mark.either)
        if (point or mark.beyond) and not mark.decimal
        else numbers[name]
        for name, mark in marks.items()
    }


def objection(cell: object) -> str:
    """Say what is wrong with a cell that does not count as a number, and the remedy."""
    parts = _EITHER.fullmatch(cell) if isinstance(cell, str) else None
    if parts is None:
        return "is not a number. Correct it"
    whole, rest = parts.groups()
    return (
        f"may mean {whole}{rest} or {whole}.{rest}, as nothing else says whether its comma "
        "separates thousands or decimals. Write the one that is meant"
    )


class _Marks(NamedTuple):
    """What the cells of a column say about commas."""

    either: NDArray[np.bool_]
    decimal: bool
    point: bool
    beyond: bool


def _marks(column: pd.Series, numbers: Numbers) -> _Marks:
    values = numbers.numbers
    known = np.isfinite(values)
    either = np.zeros(len(column), dtype=bool)
    if column.dtype.kind in "iuf":
        return _Marks(either, decimal=False, point=bool((values[known] % 1 != 0).any()), beyond=False)
    decimal = point = False
    for row in np.flatnonzero(known):
        cell = column.iloc[row]
        if not isinstance(cell, str):
            point |= values[row] % 1 != 0
        elif _EITHER.fullmatch(cell):
            either[row] = True
        elif "," in cell or "." in cell:
            decimal |= cell.rfind(",") > cell.rfind(".")
            point |= cell.rfind(",") < cell.rfind(".")
    beyond = bool((np.abs(values[known & ~either]) > _TOP).any())
    return _Marks(either, decimal=bool(decimal), point=bool(point), beyond=beyond)
