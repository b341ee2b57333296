"""Power by resampling: draws of more, or fewer, datasets like those there are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS, single_threaded
from robustrank.planning.power import fewest, p_values, t_test_power

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.planning.plans import Asked, Plan

_POINTS = 16
#: Draws from fewer datasets show these datasets more than the power.
_FEWEST = 10
#: Counts drawn at a time, to bound the memory.
_BLOCK_CELLS = 4_000_000


def power_curves(
    differences: FloatArray,
    plans: list[Plan],
    asked: Asked,
    n_resamples: int,
    rng: np.random.Generator,
) -> list[pd.DataFrame]:
    """Return the power of each pair by the number of datasets.

    Parameters
    ----------
    differences : ndarray, shape (k, n)
    plans : list of Plan
        Of the k pairs.
    asked : Asked
    n_resamples : int
    rng : numpy.random.Generator

    Returns
    -------
    list of DataFrame
        ``n_datasets``, ``power`` by the noncentral t distribution, and ``resampled``, which is NaN
        with fewer than ten datasets to draw from.
    """
    n = differences.shape[1]
    sizes = _sizes(n, [found.needed for found in plans if found.needed], asked.alpha)
    drawn = np.full((len(sizes), len(plans)), np.nan)
    if n >= _FEWEST:
        drawn = resampled_power(
            differences, sizes, alpha=asked.alpha, n_resamples=n_resamples, rng=rng
        )
    return [
        pd.DataFrame(
            {
                "n_datasets": sizes,
                "power": t_test_power(found.effect_size, sizes, found.level),
                "resampled": drawn[:, pair],
            }
        )
        for pair, found in enumerate(plans)
    ]


def _sizes(n: int, needed: list[int], alpha: float) -> list[int]:
    """Return numbers of datasets that show where the power rises, with those that matter."""
    top = max([4 * n, *(2 * number for number in needed)])
    grid = np.geomspace(fewest(alpha), max(top, 2 * fewest(alpha)), _POINTS).round().astype(int)
    return sorted({*grid.tolist(), *needed, max(n, 2)})


def crossing(sizes: FloatArray, shares: FloatArray, power: float) -> int | None:
    """Return the number of datasets at which the resampled power reaches the one asked for.

    Between two points of the curve it is interpolated, linearly in the root of the number; None if
    no point is high enough.
    """
    reached = np.flatnonzero(shares >= power)
    if not len(reached):
        return None
    at = int(reached[0])
    if at == 0:
        return int(sizes[0])
    ends, roots = shares[at - 1 : at + 1], np.sqrt(sizes[at - 1 : at + 1])
    return math.ceil(float(np.interp(power, ends, roots)) ** 2)


def resampled_power(
    differences: FloatArray,
    sizes: Sequence[int],
    *,
    alpha: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return the share of draws of datasets in which a t-test with Holm's correction rejects.

    Parameters
    ----------
    differences : ndarray, shape (k, n)
        Of k pairs of models on n datasets, at least 2. Datasets are drawn with replacement, the
        same for all pairs. The deviations from the mean are first stretched by √(n / (n - 1)), so
        that the datasets drawn from have the variance that those at hand estimate.
    sizes : sequence of int
        How many datasets to draw.
    alpha : float
        Level of the family of k tests.
    n_resamples : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (len(sizes), k)
    """
    k, n = differences.shape
    mean = differences.mean(axis=1)
    deviations = (differences - mean[:, None]) * np.sqrt(n / (n - 1.0))
    block = max(1, _BLOCK_CELLS // max(n, k))
    power = np.zeros((len(sizes), k))
    for row, size in enumerate(sizes):
        for start in range(0, n_resamples, block):
            drawn = min(block, n_resamples - start)
            counts = rng.multinomial(size, np.full(n, 1.0 / n), size=drawn).astype(np.float64)
            with single_threaded():
                shift, squares = counts @ deviations.T / size, counts @ (deviations**2).T
            variance = (squares - size * shift**2) / (size - 1.0)
            power[row] += _rejected(mean + shift, variance, size, alpha).sum(axis=0)
    return power / n_resamples


def _rejected(mean: FloatArray, variance: FloatArray, size: int, alpha: float) -> NDArray[np.bool_]:
    """Apply Holm's procedure to the t-tests of each draw, shape (B, k)."""
    mean = mean.round(TIE_DECIMALS)
    error = np.sqrt(variance.clip(min=0.0).round(2 * TIE_DECIMALS) / size)
    # A draw without spread is certain, unless it is of ties.
    without = np.where(mean == 0.0, 0.0, np.inf)
    t = np.divide(np.abs(mean), error, out=without, where=error > 0.0)
    p = p_values(t, size)
    k = p.shape[1]
    order = np.argsort(p, axis=1, kind="stable")
    steps = np.take_along_axis(p, order, axis=1) * np.arange(k, 0, -1)
    rejected = np.empty(p.shape, dtype=bool)
    np.put_along_axis(rejected, order, np.maximum.accumulate(steps, axis=1) <= alpha, axis=1)
    return rejected
