"""Orders of datasets whose first ones make short suites: what each way of choosing comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from robustrank.irt import fit_2pl
from robustrank.short_suites._agreement import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.aggregation import Aggregate, Kernel
    from robustrank.matrix import ScoreMatrix

Method: TypeAlias = Literal["greedy", "information", "backward"]


def first_suites(order: NDArray[np.intp], n: int) -> FloatArray:
    """Return the first 1, 2, … datasets of an order as counts, shape (len(order), n)."""
    counts = np.zeros((len(order), n))
    counts[:, order] = np.tri(len(order))
    return counts


def order_datasets(
    matrix: ScoreMatrix, aggregate: Aggregate, method: Method, costs: FloatArray
) -> Iterator[int]:
    """Yield the columns of all datasets in the order in which a method chooses them."""
    if method == "information":
        return _informative(matrix, costs)
    kernel = aggregate.prepare(matrix)
    return _greedy(kernel, costs) if method == "greedy" else _backward(kernel, costs)


def _greedy(kernel: Kernel, costs: FloatArray) -> Iterator[int]:
    """Add the dataset by which τ with the full ranking gains most for its cost, again and again."""
    search = _Search.start(kernel, np.zeros(len(costs)), tau=0.0)
    while len(search.rest):
        yield search.step(1.0, costs)


def _backward(kernel: Kernel, costs: FloatArray) -> Iterator[int]:
    """Drop the dataset whose loss costs τ least for what it saves; those kept longest come first.

    To save a cost is to spend its inverse.
    """
    search = _Search.start(kernel, np.ones(len(costs)), tau=1.0)
    dropped = [search.step(0.0, 1.0 / costs) for _ in range(len(costs) - 1)]
    yield from (int(column) for column in search.rest)
    yield from reversed(dropped)


@dataclass(eq=False)
class _Search:
    """A suite that changes by one dataset at a time, and the datasets that have not changed yet."""

    kernel: Kernel
    full: Reference
    suite: FloatArray
    rest: NDArray[np.intp]
    tau: float

    @classmethod
    def start(cls, kernel: Kernel, suite: FloatArray, tau: float) -> _Search:
        """Start from no dataset or from all of them."""
        n = len(suite)
        full = Reference.of(kernel(np.ones((1, n)))[:, 0])
        return cls(kernel, full, suite, np.arange(n), tau)

    def step(self, new: float, costs: FloatArray) -> int:
        """Set the count of the dataset to `new` with which that gains most for its cost."""
        suites = np.tile(self.suite, (len(self.rest), 1))
        suites[np.arange(len(self.rest)), self.rest] = new
        found = np.nan_to_num(self.full.tau(self.kernel(suites)))
        place = _most(found - self.tau, costs[self.rest])
        column = int(self.rest[place])
        self.tau = float(found[place])
        self.suite[column] = new
        self.rest = np.delete(self.rest, place)
        return column


def _most(gains: FloatArray, costs: FloatArray) -> int:
    """Return where most is gained for the cost; the cheapest of equals, then the first.

    Where all lose, what is lost weighs the more the dearer it is bought.
    """
    worth = np.where(gains > 0.0, gains / costs, gains * costs)
    return int(np.lexsort((costs, -worth))[0])


def _informative(matrix: ScoreMatrix, costs: FloatArray) -> Iterator[int]:
    """Add the dataset that lowers the mean variance of the abilities most for its cost.

    The variance of an ability is 1 / (1 + information), its prior being the standard normal that
    the fitted abilities follow.
    """
    told = dataset_information(matrix)
    precision = np.ones(len(told))
    rest = np.arange(told.shape[1])
    while len(rest):
        after = 1.0 / (precision[:, None] + told[:, rest])
        gains = (1.0 / precision).mean() - after.mean(axis=0)
        place = _most(gains, costs[rest])
        precision += told[:, rest[place]]
        yield int(rest[place])
        rest = np.delete(rest, place)


def dataset_information(matrix: ScoreMatrix) -> FloatArray:
    """Return what each dataset says about each model's ability, shape (m, n).

    0 for a dataset that was set aside, and for all where nothing can be fitted.
    """
    fit = fit_2pl(matrix, n_refits=0)
    return np.asarray(np.nan_to_num(fit.information(fit.ability).to_numpy().T))
