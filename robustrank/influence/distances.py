"""How far rankings lie from one of them: Kendall's distance and τ-b."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray


def distances_from(ranks: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Compare rankings with one of them, over the models that both rank.

    Parameters
    ----------
    ranks : ndarray, shape (m,)
        Ties share a rank; NaN for a model that is not ranked.
    others : ndarray, shape (m, q)

    Returns
    -------
    distance : ndarray, shape (q,)
        Share of the pairs of models in reverse order; a pair that one ranking ties and the other
        does not counts half. NaN where no two models are ranked by both.
    tau : ndarray, shape (q,)
        Kendall's τ-b; NaN also where a ranking ties all.

    References
    ----------
    Fagin, Kumar, Mahdian, Sivakumar & Vee (2006), *Comparing Partial Rankings*, SIAM Journal on
    Discrete Mathematics 20(3): the distance with penalty 1/2; Kendall (1945), *The Treatment of
    Ties in Ranking Problems*, Biometrika 33(3).
    """
    q = others.shape[1]
    distance, tau = np.full(q, np.nan), np.full(q, np.nan)
    base = _signs(ranks)
    for column in range(q):
        own, signs = base, _signs(others[:, column])
        held = ~(np.isnan(ranks) | np.isnan(others[:, column]))
        pairs = int(held.sum()) * (int(held.sum()) - 1)  # each pair twice, as in the signs
        if pairs == 0:
            continue
        if not held.all():
            own, signs = own[np.ix_(held, held)], signs[np.ix_(held, held)]
        distance[column] = np.abs(own - signs).sum(dtype=np.int64) / (2 * pairs)
        untied = np.count_nonzero(own) * float(np.count_nonzero(signs))
        if untied:
            tau[column] = (own * signs).sum(dtype=np.int64) / np.sqrt(untied)
    return distance, tau


def _signs(ranks: FloatArray) -> NDArray[np.int8]:
    """Return who is before (1) or behind (-1) whom; 0 for ties and where a rank is missing."""
    before = ranks[:, None] < ranks
    return before.view(np.int8) - before.T.view(np.int8)
