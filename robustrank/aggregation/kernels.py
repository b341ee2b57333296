"""Kernels: how one number per model comes from its scores, under dataset multiplicities.

A bootstrap over datasets asks for the same aggregate of thousands of multisets of the datasets. A
kernel is prepared once for a matrix and answers for all of them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from robustrank._numeric import single_threaded, varies
from robustrank.mcdm.decision import Decision
from robustrank.mcdm.repeated import preferences_of_multisets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.mcdm import Scheme


class Kernel(Protocol):
    """An aggregate of one matrix of m models and n datasets.

    Attributes
    ----------
    ranked : ndarray of bool, shape (m,)
        The models that the aggregate can rank: under most aggregates, those with every score.
    held : ndarray of bool, shape (m, n)
        Which datasets say something of which model.
    partial : bool
        Whether models with missing scores are ranked too.
    """

    @property
    def ranked(self) -> NDArray[np.bool_]:
        """Tell which models the aggregate can rank."""
        ...

    @property
    def held(self) -> NDArray[np.bool_]:
        """Tell which datasets say something of which model."""
        ...

    @property
    def partial(self) -> bool:
        """Tell whether models with missing scores are ranked too."""
        ...

    def __call__(self, counts: FloatArray) -> FloatArray:
        """Return the aggregate, shape (m, B), of multisets with these counts, shape (B, n).

        NaN where it is undefined: the model has no score on any dataset of the multiset.
        """
        ...


@dataclass(frozen=True)
class LinearKernel:
    """A weighted mean over datasets of per-dataset contributions: two matrix products at most.

    Attributes
    ----------
    contributions : ndarray, shape (m, n)
        What each dataset says of each model, NaN where it says nothing: the mean is then over the
        other datasets.
    ranked : ndarray of bool, shape (m,)
    importance : ndarray, shape (n,), optional
        Fixed weights of the datasets; by default all count the same.
    groups : ndarray of int, shape (n,), optional
        Groups (task types) that each count the same in a multiset that holds them.
    slope : ndarray, shape (n,), optional
        By how much a contribution changes with the score; None if that depends on other models.
    partial : bool
        Whether models with missing scores are ranked too.
    """

    contributions: FloatArray
    ranked: NDArray[np.bool_]
    importance: FloatArray | None = None
    groups: NDArray[np.intp] | None = None
    slope: FloatArray | None = None
    partial: bool = False

    @property
    def held(self) -> NDArray[np.bool_]:
        """Tell which datasets say something of which model, shape (m, n)."""
        return ~np.isnan(self.contributions)

    def weights(self, counts: FloatArray) -> FloatArray:
        """Return the weight of each dataset in each multiset, shape (B, n); rows sum to 1."""
        weights = counts if self.importance is None else counts * self.importance
        if self.groups is not None:
            member = np.eye(int(self.groups.max()) + 1)[self.groups]
            sizes = weights @ member
            shares = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)
            weights = weights * (shares @ member.T)
        sums = weights.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0))

    def __call__(self, counts: FloatArray) -> FloatArray:
        """Return the means, shape (m, B)."""
        weights = self.weights(counts)
        held = self.held
        with single_threaded():
            if held.all():
                return np.asarray(self.contributions @ weights.T)
            sums = np.where(held, self.contributions, 0.0) @ weights.T
            shares = held.astype(np.float64) @ weights.T
        result = np.full_like(sums, np.nan)
        return np.asarray(np.divide(sums, shares, out=result, where=shares > 1e-12))


@dataclass(frozen=True)
class SchemeKernel:
    """A multi-criteria scheme, over the models with every score."""

    scheme: Scheme
    decision: Decision
    held: NDArray[np.bool_]
    partial: bool = False

    @property
    def ranked(self) -> NDArray[np.bool_]:
        """Tell which models have every score, shape (m,)."""
        return np.asarray(self.held.all(axis=1))

    @classmethod
    def of(cls, values: FloatArray, scheme: Scheme) -> SchemeKernel:
        """Prepare the scheme on a matrix, shape (m, n), that may have missing scores."""
        held = ~np.isnan(values)
        names = [str(j) for j in range(values.shape[1])]
        return cls(scheme, Decision(values[held.all(axis=1)], names), held)

    def __call__(self, counts: FloatArray) -> FloatArray:
        """Return the preferences, shape (m, B); NaN for incomplete models."""
        result = np.full((len(self.ranked), len(counts)), np.nan)
        if self.ranked.any():
            with single_threaded():
                result[self.ranked] = preferences_of_multisets(self.decision, self.scheme, counts)
        return result


def z_scores(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Standardise each column over the models it has; a constant one becomes 0.

    Returns
    -------
    scaled : ndarray, shape (m, n)
    slope : ndarray, shape (n,)
        1 / population standard deviation, 0 for a constant column.
    """
    held = ~np.isnan(values)
    rows = held.sum(axis=0).clip(min=1)
    centred = values - np.where(held, values, 0.0).sum(axis=0) / rows
    spread = np.sqrt((np.where(held, centred, 0.0) ** 2).sum(axis=0) / rows)
    flat = ~varies(values)
    slope = np.where(flat, 0.0, 1.0 / np.where(flat, 1.0, spread))
    return centred * slope, slope
