"""Kendall's τ-b of many rankings with one: what every search for a suite spends its time on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._numeric import TIE_DECIMALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: As many as a byte counts.
_BLOCK = 255


@dataclass(frozen=True, eq=False)
class Reference:
    """A ranking of m models that others are compared with.

    Attributes
    ----------
    order : ndarray of int, shape (m,)
        The models from the lowest to the highest.
    ties : tuple of slice
        Where in this order models tie.
    """

    order: NDArray[np.intp]
    ties: tuple[slice, ...]

    @classmethod
    def of(cls, values: FloatArray) -> Reference:
        """Rank models by one value each, shape (m,); higher is better."""
        rounded = values.round(TIE_DECIMALS)
        order = np.argsort(rounded, kind="stable")
        ascending = rounded[order]
        ends = [*(np.flatnonzero(ascending[1:] != ascending[:-1]) + 1), len(order)]
        groups = map(slice, [0, *ends[:-1]], ends)
        return cls(order, tuple(group for group in groups if group.stop - group.start > 1))

    @cached_property
    def untied(self) -> int:
        """Number of pairs that the ranking tells apart."""
        return _pairs(len(self.order)) - sum(_pairs(tie.stop - tie.start) for tie in self.ties)

    def compare(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Count the pairs of other rankings.

        Parameters
        ----------
        values : ndarray, shape (m, k)
            A ranking per column; higher is better.

        Returns
        -------
        net : ndarray, shape (k,)
            Pairs in the same order as here, less those in the opposite one.
        untied : ndarray, shape (k,)
            Pairs that each ranking tells apart.
        """
        ordered = values.round(TIE_DECIMALS)[self.order]
        net, untied = _ascending(ordered)
        for tie in self.ties:
            net -= _ascending(ordered[tie])[0]
        return net, untied

    def tau(self, values: FloatArray) -> FloatArray:
        """Return τ-b with each column of (m, k); NaN where either side ties every pair."""
        net, untied = self.compare(values)
        return tau_of(net, untied * self.untied)


def tau_of(net: FloatArray, untied: FloatArray) -> FloatArray:
    """Return τ-b from net agreement and the product of the numbers of untied pairs."""
    undefined = np.full_like(net, np.nan)
    return np.asarray(np.divide(net, np.sqrt(untied), out=undefined, where=untied > 0))


def enough(found: FloatArray | float, tau: float) -> Any:
    """Tell which τ are at least what is asked; an undefined one is not."""
    return np.asarray(found) >= tau - 1e-12


def smallest(tau: FloatArray, asked: float) -> int | None:
    """Return the first size whose τ is at least what is asked; None if there is none."""
    sizes = np.flatnonzero(enough(tau, asked)) + 1
    return int(sizes[0]) if len(sizes) else None


def pair_signs(values: FloatArray) -> FloatArray:
    """Return 1 where the model of the row is above that of the column, -1 where it is below."""
    rounded = values.round(TIE_DECIMALS)
    return np.sign(rounded[:, None] - rounded)


def _pairs(m: int) -> int:
    return m * (m - 1) // 2


def _ascending(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Count in each column pairs that rise from top to bottom less those that fall, and both."""
    untied = _pairs(len(values)) - _tied(values)
    return untied - 2.0 * _falling(values), untied


def _falling(values: FloatArray) -> FloatArray:
    """Count the pairs of each column of which the upper value is the larger.

    All pairs of rows at one distance are compared at once, which is much faster than column by
    column.
    """
    m, k = values.shape
    total = np.zeros(k)
    for first in range(1, m, _BLOCK):
        falling = np.zeros((m - first, k), dtype=np.uint8)
        for distance in range(first, min(first + _BLOCK, m)):
            falling[: m - distance] += (values[:-distance] > values[distance:]).view(np.uint8)
        total += falling.sum(axis=0)
    return total


def _tied(values: FloatArray) -> FloatArray:
    """Count the pairs of equal values of each column."""
    ascending = np.sort(values, axis=0)
    equal = ascending[1:] == ascending[:-1]
    if not equal.any():
        return np.zeros(values.shape[1])
    place = np.arange(1, len(values))[:, None]
    start = np.maximum.accumulate(np.where(equal, 0, place), axis=0)
    return np.asarray((place - start).sum(axis=0), dtype=np.float64)
