"""What each dataset costs to run, as users give it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd
from pandas.api.types import is_scalar

from robustrank.errors import InputError, NonNumericError, ParameterError, unknown_label
from robustrank.notes import name_some

if TYPE_CHECKING:
    from robustrank.matrix import ScoreMatrix

Cost: TypeAlias = "str | Mapping[str, float] | pd.Series | None"


def dataset_costs(matrix: ScoreMatrix, cost: Cost) -> pd.Series:
    """Return the cost of each dataset of a matrix, 1 each where none is given.

    Raises
    ------
    UnknownLabelError
        If the datasets' metadata have no such column.
    InputError
        If a dataset has no cost.
    NonNumericError
        If a cost is no number above 0.
    """
    names = [str(name) for name in matrix.scores.columns]
    if cost is None:
        return pd.Series(1.0, index=names)
    given: Mapping[str, Any] | pd.Series
    if isinstance(cost, str):
        if cost not in matrix.datasets.columns:
            raise unknown_label("column of the datasets' metadata", cost, matrix.datasets.columns)
        given = matrix.datasets[cost]
    elif isinstance(cost, Mapping | pd.Series):
        given = cost
    else:
        raise ParameterError(
            "cost must be a mapping or Series of dataset to number, or the name of a column of the "
            f"datasets' metadata; got {type(cost).__name__}."
        )
    by_name = {str(name): value for name, value in given.items()}
    empty = {name for name, value in by_name.items() if is_scalar(value) and pd.isna(value)}
    without = [name for name in names if name not in by_name or name in empty]
    if without:
        raise InputError(
            f"cost is not given for {len(without)} of {len(names)} datasets: {name_some(without)}. "
            "Give every dataset one, or leave cost out.",
            without,
        )
    return pd.Series({name: _positive(name, by_name[name]) for name in names})


def _positive(name: str, value: object) -> float:
    try:
        number = np.nan if isinstance(value, bool | np.bool_) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = np.nan
    if not 0.0 < number < np.inf:
        raise NonNumericError(
            f"The cost of {name!r} is {value!r}; it must be a number above 0.", [name]
        )
    return number
