"""Pairs of models over the resamples: who wins how often, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS, single_threaded
from robustrank.resampling.sign_flip import PairedModels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.resampling.places import Places

#: Means closer than this are tied: see `TIE_DECIMALS`.
_TIED = 0.5 * 10.0**-TIE_DECIMALS


@dataclass(frozen=True, eq=False)
class Outcomes:
    """How often the model in the row beats the one in the column.

    Attributes
    ----------
    wins, ties, decided : ndarray of int, shape (m, m)
        Resamples won, tied, and in which both can be compared at all.
    """

    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    decided: NDArray[np.int64]

    @property
    def probability(self) -> FloatArray:
        """P(row > column), ties counted half; NaN for a pair never compared."""
        won = self.wins + 0.5 * self.ties
        undefined = np.full(won.shape, np.nan)
        return np.asarray(np.divide(won, self.decided, out=undefined, where=self.decided > 0))

    @property
    def p_values(self) -> FloatArray:
        """Two-sided p-values of equality, (k + 1) / (B + 1) on the smaller side, doubled."""
        smaller = np.minimum(self.wins, self.wins.T) + self.ties
        p = np.minimum(1.0, 2.0 * (smaller + 1.0) / (self.decided + 1.0))
        return np.where(self.decided > 0, p, np.nan)


def count_outcomes(places: Places, comparable: NDArray[np.bool_]) -> Outcomes:
    """Count wins and ties from the places that models take.

    Parameters
    ----------
    places : Places, of m models in B resamples
    comparable : ndarray of bool, shape (m,)
        Models whose places say something about each other; the others have no outcomes.
    """
    m = len(places.first)
    rows = np.flatnonzero(comparable)
    untied = places.last is places.first
    ranks = (places.first if untied else places.doubled)[rows]
    absent = ranks == 0
    some_absent = bool(absent.any())
    wins, ties, decided = (np.zeros((m, m), dtype=np.int64) for _ in range(3))
    for i, row in enumerate(rows):
        others = rows[i + 1 :]
        better = ranks[i] < ranks[i + 1 :]
        equal = ranks[i] == ranks[i + 1 :] if not untied else np.zeros_like(better)
        both = np.full(len(others), ranks.shape[1])
        if some_absent:
            # Rank 0 would beat everyone: look at the resamples in which both are placed.
            here = ~absent[i] & ~absent[i + 1 :]
            both, better, equal = _count(here), better & here, equal & here
        wins[row, others] = _count(better)
        ties[row, others] = 0 if untied else _count(equal)
        wins[others, row] = both - wins[row, others] - ties[row, others]
        decided[row, others] = both
    ties, decided = ties + ties.T, decided + decided.T
    ties[rows, rows] = decided[rows, rows] = (~absent).sum(axis=1)
    return Outcomes(wins, ties, decided)


def _count(hits: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count per row; row by row, which is several times as fast as along an axis."""
    return np.array([np.count_nonzero(row) for row in hits], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ByDataset:
    """An aggregate that is a weighted mean over datasets, dataset by dataset.

    Attributes
    ----------
    contributions : ndarray, shape (m, n)
        NaN where missing.
    importance : ndarray, shape (n,)
        Weights of the datasets, sum 1.
    weights : ndarray, shape (B, n)
        The same in each resample.
    units : ndarray of int, shape (n,)
        Datasets of equal number were drawn together, as a cluster.
    """

    contributions: FloatArray
    importance: FloatArray
    weights: FloatArray
    units: NDArray[np.intp]

    @cached_property
    def shared_units(self) -> NDArray[np.int64]:
        """From how many of the units that were drawn two models share a dataset, shape (m, m)."""
        held = in_units(~np.isnan(self.contributions), self.units)
        return shared_datasets(np.where(held, 0.0, np.nan))

    def differences(self, a: NDArray[np.intp], b: NDArray[np.intp]) -> FloatArray:
        """Return what each unit adds to the difference of pairs of models, shape (k, units)."""
        scaled = self.contributions * self.importance
        return np.asarray(np.nan_to_num(scaled[a] - scaled[b]) @ _members(self.units))

    def paired(self, a: NDArray[np.intp], b: NDArray[np.intp]) -> PairedModels | None:
        """Return what `differences` are differences of, unless a score is missing."""
        if np.isnan(self.contributions).any():
            return None
        return PairedModels(self.contributions * self.importance @ _members(self.units), a, b)

    def add_outcomes(self, outcomes: Outcomes, comparable: NDArray[np.bool_]) -> None:
        """Compare over the datasets that both ran, where a model is not `comparable` otherwise.

        The counts are entered into `outcomes`. A resample that holds none of the datasets shared
        decides nothing; nor does any where they share a single one, which never varies.
        """
        n_resamples = len(self.weights)
        for a in range(len(self.contributions)):
            others = np.arange(a + 1, len(self.contributions))
            comparison = (self.shared_units[a, others] > 1) & ~(comparable[a] & comparable[others])
            others = others[comparison]
            if not len(others):
                continue
            gaps = self.contributions[a] - self.contributions[others]
            shared = ~np.isnan(gaps)
            with single_threaded():
                total = np.where(shared, gaps, 0.0) @ self.weights.T
            better, worse = ((sign * total > _TIED).sum(axis=1) for sign in (1, -1))
            equal = n_resamples - better - worse
            level = np.flatnonzero(equal)  # tied, or without a dataset that both ran
            with single_threaded():
                held = shared[level].astype(np.float64) @ self.weights.T > _TIED
            equal[level] = held.sum(axis=1) - better[level] - worse[level]
            both = better + worse + equal
            outcomes.wins[a, others], outcomes.wins[others, a] = better, worse
            for table, found in ((outcomes.ties, equal), (outcomes.decided, both)):
                table[a, others] = table[others, a] = found
        alone = np.flatnonzero(~comparable & (self.shared_units.diagonal() > 0))
        outcomes.ties[alone, alone] = outcomes.decided[alone, alone] = n_resamples


def _members(units: NDArray[np.intp]) -> FloatArray:
    """Return which dataset is in which unit, shape (n, units)."""
    return np.eye(int(units.max()) + 1)[units]


def in_units(held: NDArray[np.bool_], units: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell in which units a model has a dataset at all, shape (m, units)."""
    return np.asarray(held.astype(np.float64) @ _members(units) > 0)


def shared_datasets(values: FloatArray) -> NDArray[np.int64]:
    """Return how many datasets two models share, shape (m, m)."""
    held = (~np.isnan(values)).astype(np.float64)
    return np.asarray(np.rint(held @ held.T).astype(np.int64))
