"""Resamples of the instances of a dataset, and draws where only a summary of them is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import single_threaded
from robustrank.errors import ParameterError, check_count
from robustrank.instances.designs import fisher_deviation, resolve_kind
from robustrank.instances.tables import check_instances

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray
    from robustrank.instances.tables import InstanceScores

#: Numbers in a block of counts: a megabyte stays in the cache, which doubles the speed.
_BLOCK = 2**17


def resampled_means(
    instances: InstanceScores,
    datasets: Sequence[str],
    models: Sequence[str],
    n_draws: int,
    rng: np.random.Generator,
) -> dict[str, FloatArray]:
    """Draw the instances of each dataset with replacement, the same ones for all models.

    Every dataset has a generator of its own, spawned from `rng` in the order of `datasets`, so that
    a dataset added at the end leaves the draws of the others as they were. The order of instances
    and their names change nothing; datasets and models are taken in the order given.

    Parameters
    ----------
    instances : InstanceScores
    datasets, models : sequence of str
        What to draw for; all must be in `instances`.
    n_draws : int
        Number of resamples. The result takes 8 bytes × draws × models × datasets.
    rng : numpy.random.Generator
        Not advanced, but its count of spawned children is.

    Returns
    -------
    dict of str to ndarray, shape (n_draws, m)
        Dataset → mean score of each model per draw; NaN where a draw holds none of the instances
        that the model was scored on.

    Notes
    -----
    In a two-level bootstrap, a dataset that a resample holds c times needs c independent draws of
    its instances, for example from different rows: with one draw for all c copies, the variance
    within datasets counts about twice (the mean of c² is 2 - 1/n, that of c is 1).
    """
    check_instances(instances)
    check_count("n_draws", n_draws, 1)
    tables = [instances.values(dataset, models) for dataset in datasets]
    return {
        dataset: np.ascontiguousarray(draw_means(_arranged(table), n_draws, child).T)
        for dataset, table, child in zip(datasets, tables, rng.spawn(len(tables)), strict=True)
    }


def parametric_means(
    scores_column: ArrayLike, n: int, kind: str, n_draws: int, rng: np.random.Generator
) -> FloatArray:
    """Draw scores on one dataset from what its number of instances says about their error.

    A proportion is drawn as Binomial(n, p) / n, a correlation on Fisher's z scale. Models are drawn
    independently. In truth they err on the same instances, so that the error of a difference is
    smaller: ignoring the pairing is conservative for differences between models whose errors
    correlate positively.

    Parameters
    ----------
    scores_column : array_like, shape (m,)
        Score of each model; NaN stays NaN.
    n : int
        Number of instances; at least 4 for a correlation.
    kind : {"proportion", "pearson", "spearman"} or str
        Or the name of a metric that is one of these; see `metric_kind`.
    n_draws : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (n_draws, m)
    """
    known = resolve_kind(kind)
    check_count("n", n, 1 if known == "proportion" else 4)
    check_count("n_draws", n_draws, 1)
    scores = np.asarray(scores_column, dtype=np.float64)
    lowest = 0.0 if known == "proportion" else -1.0
    for position in np.flatnonzero((scores < lowest) | (scores > 1.0))[:1]:
        raise ParameterError(
            f"The score of model {position + 1} is {scores[position]:g}, which is no {known}: that "
            f"lies in {lowest:g}..1. Give the metric that the dataset is scored by.",
            [position],
        )
    missing = np.isnan(scores)
    filled = np.where(missing, 0.0, scores)
    shape = (n_draws, len(scores))
    drawn: FloatArray
    if known == "proportion":
        drawn = rng.binomial(n, filled, size=shape) / n
    else:
        with np.errstate(divide="ignore"):  # a correlation of 1 stays one
            z = np.arctanh(filled)
        drawn = np.tanh(z + fisher_deviation(filled, n, known) * rng.standard_normal(shape))
    drawn[:, missing] = np.nan
    return drawn


def draw_means(values: FloatArray, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Return the mean of each row over resampled columns.

    Parameters
    ----------
    values : ndarray, shape (m, n)
        NaN where a row has no value.
    n_draws : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (m, n_draws)
    """
    there = ~np.isnan(values)
    # Counted from its lowest value, a row of equal values has that very value as every mean.
    lowest = np.where(there, values, np.inf).min(axis=1, initial=np.inf, keepdims=True)
    above = np.where(there, values - lowest, 0.0)
    held = None if there.all() else there.astype(np.float64)
    means = np.empty((len(values), n_draws))
    with single_threaded():
        for block, counts in _counts(values.shape[1], n_draws, rng):
            means[:, block] = above @ counts
            if held is None:
                means[:, block] /= values.shape[1]
            else:
                seen = held @ counts
                seen[seen == 0.0] = np.nan
                means[:, block] /= seen
    means += lowest
    return means


def _counts(n: int, n_draws: int, rng: np.random.Generator) -> Iterator[tuple[slice, FloatArray]]:
    """Yield blocks of how often each of n instances is drawn, shape (n, draws in the block)."""
    step = max(1, _BLOCK // n)
    for start in range(0, n_draws, step):
        rows = min(step, n_draws - start)
        drawn = rng.integers(n, size=(rows, n))
        drawn += np.arange(0, rows * n, n)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)
        yield slice(start, start + rows), counts.astype(np.float64).T


def _arranged(values: FloatArray) -> FloatArray:
    """Return the columns ordered by what they hold, so that their order changes no draw."""
    order: NDArray[np.intp] = np.lexsort(values[::-1])
    return values[:, order]
