"""Errors of the scores: one standard error per model and dataset."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pandas as pd

from robustrank.errors import MissingScoresError, ParameterError, as_floats
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix

#: A standard error for all scores, per dataset, or per model and dataset.
Noise: TypeAlias = "float | Mapping[str, float] | pd.Series | pd.DataFrame"


def read_noise(matrix: ScoreMatrix, noise: Noise) -> FloatArray:
    """Return the standard error of each score, shape (m, n).

    Raises
    ------
    MissingScoresError
        If the error of a score is missing.
    ParameterError
        If an error is no number on 0..1, or `noise` is of another kind.
    """
    models, datasets = matrix.scores.index, matrix.scores.columns
    if isinstance(noise, pd.DataFrame):
        table = _named(noise, models, datasets)
    elif isinstance(noise, pd.Series | Mapping):
        row = pd.Series(noise, dtype=object).to_frame("all").T
        table = _named(row, ["all"], datasets)
    elif isinstance(noise, Real) and not isinstance(noise, bool):
        table = pd.DataFrame(float(noise), index=["all"], columns=datasets)
    else:
        raise ParameterError(
            "noise must be a standard error, or a mapping, Series or DataFrame of them by dataset; "
            f"got {noise!r}."
        )
    numbers = as_floats("Standard errors", table)
    values: FloatArray = np.ascontiguousarray(np.broadcast_to(numbers, matrix.shape))
    _check_known(np.isnan(values), datasets)
    if ((values < 0.0) | (values > 1.0)).any():
        raise ParameterError(
            "noise holds standard errors of scores on 0..1; found "
            f"{values.min():g} to {values.max():g}. Divide those of percentages by 100."
        )
    return values


def _named(table: pd.DataFrame, models: Iterable[str], datasets: pd.Index) -> pd.DataFrame:
    """Return the rows and columns asked for; NaN where there are none."""
    found = table.set_axis(table.index.map(str)).set_axis(table.columns.map(str), axis=1)
    twice = [*found.index[found.index.duplicated()], *found.columns[found.columns.duplicated()]]
    if twice:
        raise ParameterError(f"noise names {name_some(twice)} more than once.", twice)
    return found.reindex(index=list(models), columns=datasets)


def _check_known(unknown: NDArray[np.bool_], datasets: pd.Index) -> None:
    lacking = list(datasets[np.flatnonzero(unknown.any(axis=0))])
    if lacking:
        raise MissingScoresError(
            f"noise has no standard error for {count(int(unknown.sum()), 'score')}, of "
            f"{name_some(lacking)}. Fill them in (0 where there is no error), or select datasets.",
            lacking,
        )
