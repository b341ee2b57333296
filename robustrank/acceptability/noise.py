"""Errors of the scores: one standard error per model and dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pandas as pd

from robustrank.errors import MissingScoresError, ParameterError, as_floats
from robustrank.notes import count, name_some

if TYPE_CHECKING:
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
        table = noise.reindex(index=models, columns=datasets)
    elif isinstance(noise, pd.Series | Mapping):
        row = pd.Series(noise, dtype=object).reindex(datasets)
        table = pd.DataFrame([row] * len(models), index=models)
    else:
        table = pd.DataFrame(noise, index=models, columns=datasets)
    values: FloatArray = as_floats("Standard errors", table)
    _check_known(np.isnan(values), datasets)
    if ((values < 0.0) | (values > 1.0)).any():
        raise ParameterError(
            "noise holds standard errors of scores on 0..1; found "
            f"{values.min():g} to {values.max():g}. Divide those of percentages by 100."
        )
    return values


def _check_known(unknown: NDArray[np.bool_], datasets: pd.Index) -> None:
    lacking = list(datasets[np.flatnonzero(unknown.any(axis=0))])
    if lacking:
        raise MissingScoresError(
            f"noise has no standard error for {count(int(unknown.sum()), 'score')}, of "
            f"{name_some(lacking)}. Fill them in (0 where there is no error), or select datasets.",
            lacking,
        )
