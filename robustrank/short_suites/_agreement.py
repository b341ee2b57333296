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


@dataclass(frozen=True, eq=False)
class Reference:
    """The pairs of m models that one ranking tells apart.

    Attributes
    ----------
    better, worse : ndarray of bool, shape (m, m)
        Whether the model of the row is above, or below, that of the column.
    """

    better: NDArray[np.bool_]
    worse: NDArray[np.bool_]

    @classmethod
    def of(cls, values: FloatArray) -> Reference:
        """Compare all models by one value each, shape (m,); higher is better."""
        rounded = values.round(TIE_DECIMALS)
        better = rounded[:, None] > rounded
        return cls(better, np.ascontiguousarray(better.T))

    @cached_property
    def untied(self) -> int:
        """Number of pairs that the ranking tells apart."""
        return int(np.count_nonzero(self.better))

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
        m, k = values.shape
        strict = self.untied == m * (m - 1) // 2
        above, both = np.empty_like(self.better), np.empty_like(self.better)
        untied, agreeing, opposed = np.empty((3, k))
        for place, places in enumerate(_dense_places(values)):
            np.greater(places[:, None], places, out=above)
            untied[place] = np.count_nonzero(above)
            agreeing[place] = np.count_nonzero(np.logical_and(above, self.better, out=both))
            if strict:  # what does not agree is opposed
                opposed[place] = untied[place] - agreeing[place]
            else:
                opposed[place] = np.count_nonzero(np.logical_and(above, self.worse, out=both))
        return agreeing - opposed, untied

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


def _dense_places(values: FloatArray) -> NDArray[np.unsignedinteger]:
    """Count the values of each column up from the lowest, ties alike, shape (k, m).

    The smallest integers that suffice are compared several times as fast as floats.
    """
    rounded = values.round(TIE_DECIMALS)
    order = np.argsort(rounded, axis=0)
    ascending = np.take_along_axis(rounded, order, axis=0)
    small = np.min_scalar_type(len(values))
    steps = np.zeros(values.shape, dtype=small)
    steps[1:] = ascending[1:] != ascending[:-1]
    places = np.empty_like(steps)
    np.put_along_axis(places, order, np.cumsum(steps, axis=0, dtype=small), axis=0)
    return np.ascontiguousarray(places.T)
