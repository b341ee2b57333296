"""What suites of every size come to: on models they were not chosen by, and by chance."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from robustrank._percentiles import percentile_interval
from robustrank.short_suites._agreement import Reference, enough, tau_of
from robustrank.short_suites._orders import Method, first_suites, order_datasets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.aggregation import Aggregate, Kernel
    from robustrank.matrix import ScoreMatrix

#: Sizes looked at beyond the first that keeps τ, to show whether larger ones do.
_BEYOND = 5


def held_out_tau(
    matrix: ScoreMatrix,
    aggregate: Aggregate,
    method: Method,
    costs: FloatArray,
    size: int,
    tau: float,
    *,
    folds: int,
    repeats: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return τ-b between suites of 1 to `size` datasets and all, over models of held-out folds.

    Datasets are chosen by the scores of the other folds alone. The pairs of models within a fold
    are pooled over all folds and repeats: τ of one fold of few models says little, and may be
    undefined. All folds grow together, and stop soon after `tau` is reached: NaN from there.
    """
    m, n = matrix.shape
    models, datasets = list(matrix.scores.index), list(matrix.scores.columns)
    kernel = aggregate.prepare(matrix)
    full = kernel(np.ones((1, n)))[:, 0]
    trials = []
    for _ in range(repeats):
        for fold in np.array_split(rng.permutation(m), folds):
            others = [models[row] for row in np.setdiff1d(np.arange(m), fold)]
            chooser = matrix.arrange(models=others, datasets=datasets)
            order = order_datasets(chooser, aggregate, method, costs)
            trials.append(_Trial(order, fold, Reference.of(full[fold]), np.zeros((1, n))))
    full_untied = sum(trial.full.untied for trial in trials)
    found = np.full(size, np.nan)
    stop = size
    for place in range(size):
        net, untied = np.sum([trial.grow(kernel) for trial in trials], axis=0)
        found[place] = tau_of(net, untied * full_untied)[0]
        if stop == size and enough(found[place], tau):
            stop = place + 1 + _BEYOND
        if place + 1 >= stop:
            break
    return found


@dataclass(frozen=True, eq=False)
class _Trial:
    """One fold: the datasets that the other models choose, one by one, and how they rank it."""

    order: Iterator[int]
    fold: NDArray[np.intp]
    full: Reference
    suite: FloatArray

    def grow(self, kernel: Kernel) -> tuple[FloatArray, FloatArray]:
        """Add the next dataset; return net agreement and untied pairs within the fold."""
        self.suite[0, next(self.order)] = 1.0
        return self.full.compare(kernel(self.suite)[self.fold])


@dataclass(frozen=True, eq=False)
class RandomSuites:
    """Random orders of all n datasets, whose first ones are random suites of every size.

    Attributes
    ----------
    tau : ndarray, shape (B, n)
        τ-b of the first 1, 2, … datasets of each order with the full ranking.
    costs : ndarray, shape (B, n)
        What these suites cost.
    """

    tau: FloatArray
    costs: FloatArray

    @classmethod
    def draw(
        cls,
        kernel: Kernel,
        full: FloatArray,
        costs: FloatArray,
        n_random: int,
        rng: np.random.Generator,
    ) -> RandomSuites:
        """Draw the orders and rank all models by every suite; `full` ranks them by all."""
        n = len(costs)
        reference = Reference.of(full)
        tau, sums = np.empty((n_random, n)), np.empty((n_random, n))
        for draw in range(n_random):
            order = rng.permutation(n)
            tau[draw] = reference.tau(kernel(first_suites(order, n)))
            sums[draw] = np.cumsum(costs[order])
        return cls(tau, sums)

    def within(self, budgets: FloatArray) -> FloatArray:
        """Return τ of the largest suite of each order that costs no more, shape (k, B).

        NaN where an order starts with a dataset that costs more.
        """
        limits = budgets * (1.0 + 1e-9)  # sums in another order are no other cost
        places = [np.searchsorted(line, limits, side="right") for line in self.costs]
        found = [
            np.where(place > 0, line[place - 1], np.nan)
            for line, place in zip(self.tau, places, strict=True)
        ]
        return np.column_stack(found)

    def cheapest(self, tau: float) -> tuple[int, float, float] | None:
        """Return size, cost and τ of the cheapest suite that reaches τ; None without any."""
        price = np.where(enough(self.tau, tau), self.costs, np.inf)
        if not np.isfinite(price).any():
            return None
        draw, place = np.unravel_index(np.argmin(price), price.shape)
        return int(place) + 1, float(price[draw, place]), float(self.tau[draw, place])


def middle(tau: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean of each row, and its percentiles 5 and 95, undefined values left out."""
    held = ~np.isnan(tau)
    number = held.sum(axis=1)
    mean = np.full(len(tau), np.nan)
    np.divide(np.where(held, tau, 0.0).sum(axis=1), number, out=mean, where=number > 0)
    low, high = percentile_interval(tau, 0.9)
    return mean, low, high


def take(order: Iterator[int], size: int) -> NDArray[np.intp]:
    """Return the first `size` columns of an order."""
    return np.array(list(islice(order, size)), dtype=np.intp)
