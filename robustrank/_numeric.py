"""Numerical conventions shared by every statistic: ties, ranks, constant columns, correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from threadpoolctl import ThreadpoolController

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

    FloatArray = NDArray[np.float64]

Correlation = Literal["pearson", "spearman"]

#: Values equal to this many decimals are tied. Floating-point noise in sums of products would
#: otherwise break exact ties: with PROMETHEE II, up to a third of the models get a wrong rank.
TIE_DECIMALS = 10
#: A variance below this is rounding noise on a constant column of scores.
_FLAT = 1e-16

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
    table = given[:, None] if given.ndim == 1 else given
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


def row_means(values: FloatArray) -> FloatArray:
    """Average each row, NaN where it has a hole; the order of columns changes no bit."""
    means: FloatArray = np.sort(values, axis=1).mean(axis=1)  # NaN sorts last and stays in the sum
    return means


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
    present = ~np.isnan(values)
    if len(values) == 0:
        return np.full((values.shape[1], values.shape[1]), np.nan)
    if not present.all():
        by_pair = _shared_spearman if method == "spearman" else _shared_pearson
        return _tidy(by_pair(values, present, min_rows))
    table = average_ranks(values) if method == "spearman" else values
    centred = table - table.mean(axis=0)
    norms = np.sqrt((centred**2).sum(axis=0))
    norms[~varies(table)] = np.nan
    scaled = centred / norms
    with single_threaded():
        return _tidy(scaled.T @ scaled)


def _shared_pearson(values: FloatArray, present: NDArray[np.bool_], min_rows: int) -> FloatArray:
    """Correlate all pairs of columns over the rows they share, by matrix products."""
    held = present.astype(np.float64)
    # Centring first keeps the differences of sums below from cancelling.
    filled = np.where(present, values, 0.0)
    x = np.where(present, filled - filled.sum(axis=0) / held.sum(axis=0).clip(min=1.0), 0.0)
    with single_threaded():
        rows = held.T @ held
        sums = x.T @ held  # [a, b]: of column a, over the rows that b has too
        squares = (x**2).T @ held
        products = x.T @ x
    rows[rows < max(min_rows, 2)] = np.nan
    variance = squares / rows - (sums / rows) ** 2
    variance[variance < _FLAT] = np.nan
    result: FloatArray = (products / rows - sums * sums.T / rows**2) / np.sqrt(
        variance * variance.T
    )
    return result


def _shared_spearman(values: FloatArray, present: NDArray[np.bool_], min_rows: int) -> FloatArray:
    """Correlate ranks; they differ with the rows shared, so each pair is ranked on its own."""
    n = values.shape[1]
    result = np.full((n, n), np.nan)
    for a in range(n):
        for b in range(a, n):
            both = present[:, a] & present[:, b]
            if both.sum() >= max(min_rows, 2):
                pair = correlation_matrix(values[both][:, [a, b]], "spearman")
                result[a, b] = result[b, a] = pair[0, 1]
    return result


def _tidy(correlation: FloatArray) -> FloatArray:
    """Clip rounding noise, and make the matrix exactly symmetric with a unit diagonal."""
    tidy = np.clip((correlation + correlation.T) / 2.0, -1.0, 1.0)
    diagonal = np.einsum("ii->i", tidy)
    diagonal[~np.isnan(diagonal)] = 1.0
    return tidy


def kendall_tau(values: FloatArray) -> FloatArray:
    """Return Kendall's τ-b between columns, over the rows in which both are present.

    Parameters
    ----------
    values : ndarray, shape (m, k)
        Missing cells are NaN; values equal to `TIE_DECIMALS` are tied.

    Returns
    -------
    ndarray, shape (k, k)
        NaN where a column ties every pair of rows, the diagonal included.
    """
    k = values.shape[1]
    tau = np.full((k, k), np.nan)
    rounded = values.round(TIE_DECIMALS)
    # signs[a]: +1, 0 or -1 for each pair of rows; pairs with a missing value are no pairs.
    signs = [np.sign(column[:, None] - column[None, :]) for column in rounded.T]
    held = [~np.isnan(sign) for sign in signs]
    signs = [np.nan_to_num(sign) for sign in signs]
    for a in range(k):
        for b in range(a, k):
            agreeing = float((signs[a] * signs[b]).sum())
            untied = float(np.abs(signs[a] * held[b]).sum()) * np.abs(signs[b] * held[a]).sum()
            if untied > 0:
                tau[a, b] = tau[b, a] = agreeing / np.sqrt(untied)
    return tau


def content_order(table: pd.DataFrame) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Order rows and columns by what they hold, whatever their arrangement; ties by label.

    Working in this order makes sums, and draws from a seed, independent of how a table happened
    to be arranged and named. Lines are told apart by their values, then by the values together
    with the class of the line that crosses there, until nothing more is told apart (colour
    refinement). What still ties is alike, as copies are.
    """
    values = table.to_numpy().round(TIE_DECIMALS)
    codes = np.unique(values, return_inverse=True)[1].reshape(values.shape)
    m, n = codes.shape
    rows, columns = np.zeros(m, dtype=np.int64), np.zeros(n, dtype=np.int64)
    told_apart = 0
    while told_apart < (told_apart := int(rows.max(initial=0) + columns.max(initial=0) + 1)):
        rows = _classes(codes * n + columns)
        columns = _classes(codes.T * m + rows)
    return _by_class(rows, table.index), _by_class(columns, table.columns)


def _classes(lines: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give rows with equal content, whatever its order, equal numbers."""
    return np.unique(np.sort(lines, axis=1), axis=0, return_inverse=True)[1].reshape(-1)


def _by_class(classes: NDArray[np.int64], labels: pd.Index) -> NDArray[np.intp]:
    return np.lexsort((np.asarray(labels, dtype=str), classes))
