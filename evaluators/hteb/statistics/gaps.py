"""By how much more scores drop in one setting than in another, with Welch's interval and test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from robustrank._numeric import TIE_DECIMALS
from robustrank.evaluators.hteb.statistics.scores import TOTAL, Scores, with_axes

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray

    Pair = tuple[Scores, Scores]

#: The columns of a row that are differences of scores, and those that count what they are over.
DIFFERENCES: Final = ("delta_a", "delta_b", "gap", "low", "high")
COUNTS: Final = ("n_models_a", "n_models_b", "n_datasets_a", "n_datasets_b")


class _Drop(NamedTuple):
    """The change of the total on each dataset, in the mean over models, and how many they are."""

    by_dataset: FloatArray
    n_models: int

    @property
    def mean(self) -> float:
        return float(self.by_dataset.mean()) if len(self.by_dataset) else math.nan


def gap(pair: Pair | None, level: float) -> dict[str, float]:
    """Compare the totals of two settings.

    Parameters
    ----------
    pair : (Scores, Scores) or None
    level : float
        Of the interval.

    Returns
    -------
    dict
        `DIFFERENCES`, ``p_value`` and `COUNTS`; NaN where there is nothing to compare. Centre,
        interval and test are of the same means, those of datasets over the models that have them.
    """
    if pair is None:
        nan = dict.fromkeys((*DIFFERENCES, "p_value"), math.nan)
        return nan | dict.fromkeys(COUNTS, 0)
    a, b = (_drop(scores) for scores in pair)
    difference = b.mean - a.mean
    half, p_value = _welch(difference, a.by_dataset, b.by_dataset, level)
    return {
        "delta_a": a.mean,
        "delta_b": b.mean,
        "gap": difference,
        "low": difference - half,
        "high": difference + half,
        "p_value": p_value,
        "n_models_a": a.n_models,
        "n_models_b": b.n_models,
        "n_datasets_a": len(a.by_dataset),
        "n_datasets_b": len(b.by_dataset),
    }


def _drop(scores: Scores) -> _Drop:
    total = with_axes(scores.deltas(), scores.axes)[TOTAL].dropna()
    by_dataset = total.groupby(level="dataset", sort=False).mean()
    n_models = total.index.get_level_values("model").nunique()
    return _Drop(by_dataset.to_numpy(dtype=np.float64), n_models)


def _welch(gap: float, a: FloatArray, b: FloatArray, level: float) -> tuple[float, float]:
    """Return half the width of the interval of a gap, and its p-value."""
    if min(len(a), len(b)) < 2:
        return math.nan, math.nan
    parts = [float(values.var(ddof=1)) / len(values) for values in (a, b)]
    error = math.sqrt(sum(parts))
    if error < 10.0**-TIE_DECIMALS:  # no dataset differs from another
        return math.nan, math.nan
    df = sum(parts) ** 2 / sum(
        part**2 / (len(values) - 1) for part, values in zip(parts, (a, b), strict=True)
    )
    half = float(stdtrit(df, (1.0 + level) / 2.0)) * error
    return half, float(2.0 * stdtr(df, -abs(gap) / error))
