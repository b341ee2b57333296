"""Counting over the draws: ranks, pairs, and the weights under which each model is first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import single_threaded
from robustrank.resampling.pairs import count_outcomes
from robustrank.resampling.places import Places, take_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.acceptability.evaluation import Evaluation

#: Numbers of a block of draws: a few arrays of this size are held at a time.
_BLOCK = 2_000_000


@dataclass(frozen=True, eq=False)
class Tally:
    """What draws of weights, and of scores if they have errors, say of m models.

    Attributes
    ----------
    acceptability : ndarray, shape (m, m)
        Share of the draws in which the model of the row has the rank of the column; tied models
        share their ranks.
    pairwise : ndarray, shape (m, m)
        Share in which the model of the row is ahead of that of the column, ties counted half.
    central : ndarray, shape (m, q)
        Mean of the weights under which a model is first; NaN for one that never is.
    """

    acceptability: FloatArray
    pairwise: FloatArray
    central: FloatArray


def tally(evaluation: Evaluation, weights: FloatArray, rng: np.random.Generator) -> Tally:
    """Rank the models under each weight vector, shape (k, q), and count."""
    k, m = len(weights), len(evaluation.scores)
    everyone = np.ones(m, dtype=bool)
    ranks, pairs = np.zeros((m, m)), np.zeros((m, m))
    central = np.zeros((m, weights.shape[1]))
    size = max(1, _BLOCK // max(evaluation.scores.shape))
    for start in range(0, k, size):
        block = weights[start : start + size]
        places = take_places(evaluation.drawn(block, rng))
        ranks += rank_counts(places)
        outcomes = count_outcomes(places, everyone)
        pairs += outcomes.wins + 0.5 * outcomes.ties
        with single_threaded():
            central += _firsts(places) @ block
    shares = ranks / k
    first = ranks[:, :1]
    undefined = np.full(central.shape, np.nan)
    return Tally(
        acceptability=shares,
        pairwise=pairs / k,
        central=np.divide(central, first, out=undefined, where=first > 0.0),
    )


def rank_counts(places: Places) -> FloatArray:
    """Count how often each model has each rank, shape (m, m); tied models share their ranks."""
    m = len(places.first)
    sizes = places.last - places.first + 1
    counts = np.zeros((m, m))
    rows = np.arange(m)[:, None] * (m + 1)
    for size in np.unique(sizes):
        # A run of tied models covers its ranks: count where runs start and end, and add up.
        here = sizes == size
        starts = (rows + places.first - 1)[here]
        ends = (rows + places.last)[here]
        steps = _count(starts, m) - _count(ends, m)
        counts += steps.cumsum(axis=1)[:, :m] / float(size)
    return counts


def _count(cells: NDArray[np.intp], m: int) -> NDArray[np.intp]:
    return np.bincount(cells, minlength=m * (m + 1)).reshape(m, m + 1)


def _firsts(places: Places) -> FloatArray:
    """Return each model's share of the first place in each draw, shape (m, k)."""
    return np.asarray(np.where(places.first == 1, 1.0 / places.last, 0.0))
