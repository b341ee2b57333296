"""Which models are surely better than which: p-values for a whole family of differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.confidence_sets.draws import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.confidence_sets.draws import Draws

    Indices = NDArray[np.intp]

#: Pairs worked on at a time: their draws stay in the cache.
_BLOCK = 64


def statistics(draws: Draws, a: Indices, b: Indices) -> FloatArray:
    """Return the observed statistics of first over second models, shape (k,)."""
    found = np.empty(len(a))
    for block in _blocks(len(a)):
        first, second = a[block], b[block]
        differences = draws.rows[first] - draws.rows[second]
        found[block] = draws.observed(differences, draws.levels[first] - draws.levels[second])
    return found


def largest(draws: Draws, a: Indices, b: Indices, *, two_sided: bool = False) -> FloatArray:
    """Return the largest statistic of first over second models in each draw, at least 0."""
    found = np.zeros(draws.noise.shape[1])
    for _, drawn in _drawn(draws, a, b):
        np.maximum(found, drawn.max(axis=0), out=found)
        if two_sided:
            np.maximum(found, -drawn.min(axis=0), out=found)
    return found


def family_p_values(draws: Draws, a: Indices, b: Indices, *, stepwise: bool) -> FloatArray:
    """Adjust the p-values of differences for all differences of the family.

    The family holds, for each pair, that the first model is no better than the second, and that
    the second is no better than the first; the p-value is of the one that the observed difference
    speaks against. In steps, as of Romano and Wolf, what has been rejected with more evidence no
    longer counts; the opposite of what has been rejected still does, since it is true.

    Parameters
    ----------
    draws : Draws
    a, b : ndarray of int, shape (k,)
        The pairs.
    stepwise : bool

    Returns
    -------
    ndarray, shape (k,)
    """
    signed = statistics(draws, a, b)
    observed = np.abs(signed) - TOLERANCE
    if not stepwise:
        reached = np.sort(largest(draws, a, b, two_sided=True))
        return draws.p_values(len(reached) - reached.searchsorted(observed))
    # From the least to the greatest evidence, and the better model first.
    order = np.argsort(observed, kind="stable")
    ahead = signed >= 0.0
    better, worse = np.where(ahead, a, b)[order], np.where(ahead, b, a)[order]
    running = largest(draws, worse, better)
    hits = np.empty(len(order))
    for start, drawn in _drawn(draws, better, worse):
        for k, one in enumerate(drawn, start):
            np.maximum(running, one, out=running)
            hits[k] = np.count_nonzero(running >= observed[order[k]])
    # No p-value is below that of a difference with more evidence.
    p = np.empty(len(order))
    p[order] = np.maximum.accumulate(draws.p_values(hits)[::-1])[::-1]
    return p


def _drawn(draws: Draws, a: Indices, b: Indices) -> Iterator[tuple[int, FloatArray]]:
    """Yield blocks of pairs, by their first one, with their statistics in all draws."""
    for block in _blocks(len(a)):
        first, second = a[block], b[block]
        differences = draws.rows[first] - draws.rows[second]
        yield block.start, draws.drawn(differences, draws.moved[first] - draws.moved[second])


def _blocks(k: int) -> Iterator[slice]:
    for start in range(0, k, _BLOCK):
        yield slice(start, start + _BLOCK)
