"""What a comma in a score means: that decimals follow, or that it separates thousands."""

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

    They are in doubt beside a decimal point or a number above 100 in any column, unless decimal
    commas in their own column, or in another and no point in any, show that theirs is one.
    """
    own = {name: numbers[name] for name in columns}
    either = {name: _either(column) for name, column in columns.items()}
    if not any(mask.any() for mask in either.values()):
        return own
    signs = {name: _signs(columns[name], own[name], either[name]) for name in columns}
    point, decimal, beyond = (any(sign) for sign in zip(*signs.values(), strict=True))
    doubtful = point or (beyond and not decimal)
    return {
        name: column._replace(bad=column.bad | either[name])
        if doubtful and not signs[name].decimal
        else column
        for name, column in own.items()
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


class _Signs(NamedTuple):
    """Whether a column has decimal points, decimal commas, and numbers that no score reaches."""

    point: bool
    decimal: bool
    beyond: bool


def _either(column: pd.Series) -> NDArray[np.bool_]:
    if column.dtype.kind in "iuf":
        return np.zeros(len(column), dtype=bool)
    return np.array(
        [
            isinstance(cell, str) and "," in cell and _EITHER.fullmatch(cell) is not None
            for cell in column
        ],
        dtype=bool,
    )


def _signs(column: pd.Series, numbers: Numbers, either: NDArray[np.bool_]) -> _Signs:
    plain = np.isfinite(numbers.numbers) & ~either
    values = numbers.numbers[plain]
    point = decimal = False
    for cell, value in zip(column[plain], values, strict=True):
        if isinstance(cell, str):
            point |= cell.rfind(".") > cell.rfind(",")
            decimal |= cell.rfind(",") > cell.rfind(".")
        else:
            point |= bool(value % 1)
    return _Signs(point, decimal, beyond=bool((np.abs(values) > _TOP).any()))
