"""Numerical conventions shared by every statistic: ties, ranks, constant columns, correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from threadpoolctl import ThreadpoolController

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    FloatArray = NDArray[np.float64]

Correlation = Literal["pearson", "spearman"]

#: Values equal to this many decimals are tied. Floating-point noise in sums of products would
#: otherwise break exact ties: with PROMETHEE II, up to a third of the models get a wrong rank.
TIE_DECIMALS = 10

_threads: list[ThreadpoolController] = []


def single_threaded() -> Any:
    """Return a context in which BLAS uses one thread.

    On matrices of leaderboard size the threads of BLAS cost more than they save.
    """
    if not _threads:  # looking the libraries up takes milliseconds: once a process
        _threads.append(ThreadpoolController())
    return _threads[0].limit(limits=1, user_api="blas")


def average_ranks(values: ArrayLike, *, higher_is_better: bool = True) -> FloatArray:
    """Rank along the first axis: 1 is best, ties share their average rank, NaN stays NaN.

    Parameters
    ----------
    values : array_like, shape (m,) or (m, k)
        Each column is ranked on its own.
    higher_is_better : bool
        Whether rank 1 goes to the largest value.

    Returns
    -------
    ndarray of float, same shape
    """
    given: FloatArray = np.asarray(values, dtype=np.float64).round(TIE_DECIMALS)
    table = given.reshape(given.shape[0], -1)
    m = table.shape[0]
    keys = -table if higher_is_better else table
    order = np.argsort(keys, axis=0, kind="stable")  # NaN sorts last
    ordered = np.take_along_axis(keys, order, axis=0)
    # `first`: the position at which each run of equal values starts; `last`: where it ends.
    starts = np.ones_like(ordered, dtype=bool)
    starts[1:] = ordered[1:] != ordered[:-1]
    positions = np.arange(m)[:, None]
    first = np.maximum.accumulate(np.where(starts, positions, 0), axis=0)
    ends = np.ones_like(starts)
    ends[:-1] = starts[1:]
    last = np.minimum.accumulate(np.where(ends, positions, m)[::-1], axis=0)[::-1]
    ranks = np.empty_like(ordered)
    np.put_along_axis(ranks, order, (first + last) / 2.0 + 1.0, axis=0)
    ranks[np.isnan(table)] = np.nan
    return ranks.reshape(given.shape)


def varies(values: FloatArray) -> NDArray[np.bool_]:
    """Tell which columns hold at least two values that differ (to `TIE_DECIMALS`)."""
    rounded = np.round(values, TIE_DECIMALS)
    observed = ~np.isnan(rounded)
    low = np.where(observed, rounded, np.inf).min(axis=0, initial=np.inf)
    high = np.where(observed, rounded, -np.inf).max(axis=0, initial=-np.inf)
    return np.asarray(high > low)


def correlation_matrix(
    values: FloatArray, method: Correlation = "pearson", *, min_rows: int = 2
) -> FloatArray:
    """Correlate columns over the rows in which both are present.

    Parameters
    ----------
    values : ndarray, shape (m, n)
        Missing cells are NaN.
    method : {"pearson", "spearman"}
        Spearman ranks each pair of columns over the rows they share.
    min_rows : int
        Rows that two columns with holes must share.

    Returns
    -------
    ndarray, shape (n, n)
        Symmetric, diagonal 1; NaN where a column is constant or too few rows are shared.
    """
    missing = np.isnan(values)
    if missing.any():
        return _pairwise_correlation(values, missing, method, min_rows)
    table = average_ranks(values) if method == "spearman" else values
    centred = table - table.mean(axis=0)
    norms = np.sqrt((centred**2).sum(axis=0))
    flat = ~varies(table)
    norms[flat] = np.nan
    scaled = centred / norms
    with single_threaded():
        return _tidy(scaled.T @ scaled)


def _pairwise_correlation(
    values: FloatArray, missing: NDArray[np.bool_], method: Correlation, min_rows: int
) -> FloatArray:
    n = values.shape[1]
    result = np.full((n, n), np.nan)
    for first in range(n):
        for second in range(first, n):
            both = ~(missing[:, first] | missing[:, second])
            if both.sum() < min_rows:
                continue
            pair = values[both][:, [first, second]]
            if varies(pair).all():
                r = correlation_matrix(pair, method)[0, 1]
                result[first, second] = result[second, first] = r
    return _tidy(result)


def _tidy(correlation: FloatArray) -> FloatArray:
    """Clip rounding noise, and make the matrix exactly symmetric with a unit diagonal."""
    tidy = np.clip((correlation + correlation.T) / 2.0, -1.0, 1.0)
    diagonal = np.einsum("ii->i", tidy)
    diagonal[~np.isnan(diagonal)] = 1.0
    return tidy


def content_order(values: FloatArray, labels: Sequence[str]) -> NDArray[np.intp]:
    """Order columns by what they hold, whatever the order of rows and columns; ties by label.

    Working in this order makes sums, and draws from a seed, independent of how a table happened
    to be arranged and named.
    """
    by_label = np.argsort(np.asarray(labels, dtype=str), kind="stable")
    held = np.sort(np.nan_to_num(values.round(TIE_DECIMALS), nan=np.inf), axis=0)
    return by_label[np.lexsort(held[::-1, by_label])] if held.size else by_label
