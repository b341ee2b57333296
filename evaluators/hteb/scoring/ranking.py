"""Average precision, nDCG and the best of many, with the tie rules of their reference programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

#: Similarities that are held at once.
_BLOCK = 2**23


def average_precision(scores: ArrayLike, relevant: ArrayLike) -> float:
    """Return the average precision of one ranking; ties count as one step, as in scikit-learn.

    Parameters
    ----------
    scores : array_like, shape (n,)
    relevant : array_like of bool, shape (n,)

    Returns
    -------
    float
        Σ (recall step × precision) over the distinct scores; NaN without a relevant item.
    """
    values, hits = np.asarray(scores), np.asarray(relevant, dtype=bool)
    n_relevant = int(hits.sum())
    if n_relevant == 0:
        return np.nan
    order = np.argsort(-values, kind="stable")
    values, found = values[order], np.cumsum(hits[order])
    last = np.append(np.flatnonzero(np.diff(values)), len(values) - 1)  # of each run of ties
    step = np.diff(found[last], prepend=0)
    return float(np.sum(step * found[last] / (last + 1.0)) / n_relevant)


def pessimistic_average_precision(scores: ArrayLike, relevant: ArrayLike, cut: int) -> float:
    """Return the average precision of the first `cut`; of ties, the irrelevant come first.

    trec_eval puts the larger id first. MTEB calls the candidates of a reranking task
    ``apositive_…`` and ``negative_…``, which comes to this.
    """
    values, hits = np.asarray(scores), np.asarray(relevant, dtype=bool)
    n_relevant = int(hits.sum())
    if n_relevant == 0:
        return np.nan
    order = np.lexsort((hits, -values))[:cut]
    found = hits[order]
    precision = np.cumsum(found) / np.arange(1, len(found) + 1)
    return float(precision[found].sum() / n_relevant)


def ndcg(gains: Sequence[float], ideal: Sequence[float], cut: int) -> float:
    """Return the normalised discounted cumulative gain of a ranking, as trec_eval computes it.

    Parameters
    ----------
    gains : sequence of float, length k
        Relevance of the documents found, best first; 0 or less is none.
    ideal : sequence of float
        Relevance of all judged documents, in any order.
    cut : int

    Returns
    -------
    float
        0 where no document is relevant.
    """
    best = np.sort(np.maximum(np.asarray(ideal, dtype=np.float64), 0.0))[::-1][:cut]
    at_best = float(best @ _discounts(len(best)))
    if at_best == 0.0:
        return 0.0
    got = np.maximum(np.asarray(gains, dtype=np.float64)[:cut], 0.0)
    return float(got @ _discounts(len(got))) / at_best


def top_columns(similarities: NDArray[np.float32], k: int) -> NDArray[np.intp]:
    """Return the `k` best columns of each row, best first; of ties, the smaller column first.

    Parameters
    ----------
    similarities : ndarray, shape (n, m)
    k : int

    Returns
    -------
    ndarray, shape (n, min(k, m))
    """
    m = similarities.shape[1]
    k = min(k, m)
    if k == m:
        return np.argsort(-similarities, axis=1, kind="stable")
    found = np.argpartition(similarities, m - k, axis=1)[:, m - k :]
    values = np.take_along_axis(similarities, found, axis=1)
    bar = values.min(axis=1)
    # argpartition picks any of those that tie at the bar.
    tied = np.flatnonzero((similarities >= bar[:, None]).sum(axis=1) > k)
    for row in tied:
        above = np.flatnonzero(similarities[row] > bar[row])
        level = np.flatnonzero(similarities[row] == bar[row])
        found[row] = np.concatenate([above, level[: k - len(above)]])
    found.sort(axis=1)
    values = np.take_along_axis(similarities, found, axis=1)
    return np.take_along_axis(found, np.argsort(-values, axis=1, kind="stable"), axis=1)


def rows_per_block(columns: int) -> int:
    """Return how many rows of similarities fit into a block."""
    return max(1, _BLOCK // max(columns, 1))


def _discounts(n: int) -> NDArray[np.float64]:
    return 1.0 / np.log2(np.arange(2, n + 2))
