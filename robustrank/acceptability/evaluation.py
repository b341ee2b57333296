"""What a ranking method says under given weights, with scores as they are or with their errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS
from robustrank.mcdm.decision import Decision

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._groups import Groups
    from robustrank._numeric import FloatArray
    from robustrank.mcdm.methods import Normalization

#: Numbers held at a time.
_BLOCK = 2_000_000


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A matrix under one method.

    Attributes
    ----------
    scores : ndarray, shape (m, n)
    datasets : tuple of str
    groups : Groups
        The weight of a group is shared equally by its datasets.
    method : str
    normalization : str, optional
    noise : ndarray, shape (m, n)
        Standard errors of the scores.
    """

    scores: FloatArray
    datasets: tuple[str, ...]
    groups: Groups
    method: str
    normalization: Normalization | None
    noise: FloatArray

    @cached_property
    def decision(self) -> Decision:
        """The scores as they are, prepared for the method."""
        return Decision(self.scores, self.datasets, self.normalization)

    @property
    def q(self) -> int:
        """Number of groups."""
        return len(self.groups.names)

    @property
    def linear(self) -> bool:
        """Whether preferences are sums over datasets of weight times a fixed number."""
        return self.method == "wsm" or self.method.startswith("promethee2")

    @property
    def noisy(self) -> bool:
        """Whether some score has an error."""
        return bool(self.noise.any())

    def by_dataset(self, weights: FloatArray) -> FloatArray:
        """Share weights of groups, shape (k, q), among their datasets, shape (n, k)."""
        sizes = np.bincount(self.groups.codes, minlength=self.q)
        return np.ascontiguousarray((weights / sizes).T[self.groups.codes])

    def preferences(self, weights: FloatArray) -> FloatArray:
        """Return preferences under weights of groups, shape (m, k), by the scores as they are."""
        return self.decision.preferences(self.method, self.by_dataset(weights))

    def drawn(self, weights: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return preferences, shape (m, k), with the scores drawn anew for each weight vector."""
        if not self.noisy:
            return self.preferences(weights)
        if self.method == "wsm":
            spread = self._spread(weights)
            return self.preferences(weights) + spread * rng.standard_normal(spread.shape)
        by_dataset = self.by_dataset(weights)
        columns = [
            self._redrawn(rng).preferences(self.method, by_dataset[:, [k]])
            for k in range(len(weights))
        ]
        return np.concatenate(columns, axis=1)

    def first_shares(
        self,
        models: NDArray[np.intp],
        weights: FloatArray,
        n_draws: int,
        rng: np.random.Generator,
    ) -> FloatArray:
        """Return how often each of some models is first under its own weights, shape (c,).

        Parameters
        ----------
        models : ndarray of int, shape (c,)
        weights : ndarray, shape (c, q)
        n_draws : int
            Of the scores, the same for all models; where they have no errors they stay.
        rng : Generator
        """
        own = np.arange(len(models))
        if not self.noisy:
            return first_places(self.preferences(weights))[models, own]
        hits = np.zeros(len(models))
        if self.method != "wsm":
            by_dataset = self.by_dataset(weights)
            for _ in range(n_draws):
                found = self._redrawn(rng).preferences(self.method, by_dataset)
                hits += first_places(found)[models, own]
            return hits / n_draws
        middle, spread = self.preferences(weights), self._spread(weights)
        size = max(1, _BLOCK // len(middle))
        for start in range(0, n_draws, size):
            draws = rng.standard_normal((len(middle), min(size, n_draws - start)))
            for place, model in enumerate(models):
                totals = middle[:, [place]] + spread[:, [place]] * draws
                hits[place] += first_places(totals)[model].sum()
        return hits / n_draws

    @cached_property
    def _slopes(self) -> FloatArray:
        """By how much the value of a score under WSM changes with it, shape (n,).

        The value function is that of the scores observed. It ignores a dataset on which models tie.
        """
        values, x = self.decision.wsm, self.decision.x
        slopes = np.full(len(self.datasets), float(self.normalization == "none"))
        slopes[self.decision.varying] = np.ptp(values, axis=0) / np.ptp(x, axis=0)
        return slopes

    def _spread(self, weights: FloatArray) -> FloatArray:
        """Return the standard error of each weighted sum, shape (m, k)."""
        return np.asarray(np.sqrt((self.noise * self._slopes) ** 2 @ self.by_dataset(weights) ** 2))

    def _redrawn(self, rng: np.random.Generator) -> Decision:
        scores = self.scores + self.noise * rng.standard_normal(self.scores.shape)
        return Decision(scores, self.datasets, self.normalization)


def first_places(preferences: FloatArray) -> FloatArray:
    """Return each model's share of the first place under each weighting, shape (m, k)."""
    rounded = preferences.round(TIE_DECIMALS)
    first = rounded == rounded.max(axis=0)
    return np.asarray(first / first.sum(axis=0))
