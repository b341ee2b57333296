"""What suites of every size come to: on models they were not chosen by, and by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank._percentiles import percentile_interval
from robustrank.short_suites._agreement import Reference, enough, pair_signs, tau_of
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
    in_sample: FloatArray,
    tau: float,
    *,
    folds: int,
    repeats: int,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Compare suites of 1, 2, … datasets with all, over models of held-out folds.

    Datasets are chosen by the scores of the other folds alone. The pairs of models within a fold
    are pooled over all folds and repeats: τ of one fold of few models says little, and may be
    undefined. All folds grow together, and stop soon after `tau` is reached here and `in_sample`,
    the τ-b of the suites of each size that all models choose: NaN from there.

    Returns
    -------
    found, error : ndarray, shape (size,)
        τ-b and its standard error.
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
            trials.append(_Trial(order, fold, pair_signs(full[fold]), np.zeros((1, n))))
    told = np.zeros(m)
    for trial in trials:
        told[trial.fold] += np.abs(trial.full).sum(axis=1)
    size = stop = len(in_sample)
    found, error = np.full((2, size), np.nan)
    for place in range(size):
        net, untied = np.zeros((2, m))
        for trial in trials:
            signs = trial.grow(kernel)
            net[trial.fold] += (signs * trial.full).sum(axis=1)
            untied[trial.fold] += np.abs(signs).sum(axis=1)
        found[place], error[place] = _pooled(net, untied, told)
        if stop == size and enough(spare(in_sample, found, error)[place], tau):
            stop = place + 1 + _BEYOND
        if place + 1 >= stop:
            break
    return found, error


def spare(in_sample: FloatArray, held_out: FloatArray, error: FloatArray) -> FloatArray:
    """Return what suites keep for sure enough: in sample, and elsewhere with an error to spare."""
    return np.minimum(in_sample, held_out - error)


@dataclass(frozen=True, eq=False)
class _Trial:
    """One fold: the datasets that the other models choose, one by one, and how they rank it."""

    order: Iterator[int]
    fold: NDArray[np.intp]
    full: FloatArray
    suite: FloatArray

    def grow(self, kernel: Kernel) -> FloatArray:
        """Add the next dataset; return which models of the fold the suite puts above which."""
        self.suite[0, next(self.order)] = 1.0
        return pair_signs(kernel(self.suite)[self.fold, 0])


def _pooled(net: FloatArray, untied: FloatArray, told: FloatArray) -> tuple[float, float]:
    """Return τ-b and its jackknife standard error, each model in turn being left out.

    Each model brings the pairs that it is in, so that the sums count every pair twice: net
    agreement, and the pairs that the suite and that all datasets tell apart.
    """
    m = len(net)
    pairs = np.stack([net, untied, told])
    total = pairs.sum(axis=1, keepdims=True) / 2.0
    rest = np.hstack([total, total - pairs])
    tau = tau_of(rest[0], rest[1] * rest[2])
    spread = ((tau[1:] - tau[1:].mean()) ** 2).sum()
    return float(tau[0]), float(np.sqrt(spread * (m - 1) / m))


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
