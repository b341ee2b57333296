"""The normal distribution between two limits: its probabilities, and the means that give them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import log_ndtr

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray

#: Means further than this many standard errors from the estimate are taken for infinite.
FARTHEST = 1e4
_STEPS = 60


@dataclass(frozen=True)
class Truncation:
    """A normal estimate that was seen only because it lies between two limits.

    Attributes
    ----------
    estimate : float
    lower, upper : float
        The limits; minus and plus infinity where there is none.
    half_width : float
        The estimate also lies within so much of its mean; infinity for no such condition.
    """

    estimate: float
    lower: float
    upper: float
    half_width: float = np.inf

    def probability(self, mean: ArrayLike, standard_error: ArrayLike) -> FloatArray:
        """Return P(Y ≤ estimate) for a mean of Y, given the limits; it falls as the mean rises."""
        centre = np.asarray(mean, dtype=np.float64)
        error = np.asarray(standard_error, dtype=np.float64)
        lower = np.maximum(self.lower, centre - self.half_width)
        upper = np.minimum(self.upper, centre + self.half_width)
        inside = (lower < self.estimate) & (self.estimate < upper)
        # Placeholders where the estimate is not inside.
        low = np.where(inside, (lower - centre) / error, 0.0)
        at = np.where(inside, (self.estimate - centre) / error, 1.0)
        high = np.where(inside, (upper - centre) / error, 2.0)
        share = np.exp(_log_mass(low, at) - _log_mass(low, high))
        return np.where(inside, share, np.where(self.estimate <= lower, 0.0, 1.0))

    def mean(self, probability: ArrayLike, standard_error: ArrayLike) -> FloatArray:
        """Return the means of Y that give P(Y ≤ estimate) a value; infinite where none does.

        Parameters
        ----------
        probability, standard_error : array_like, shape (k,)
        """
        wanted = np.asarray(probability, dtype=np.float64)
        reach = np.minimum(self.half_width, FARTHEST * np.asarray(standard_error))
        ends = self.estimate - reach, self.estimate + reach
        low, high = ends
        for _ in range(_STEPS):
            middle = (low + high) / 2.0
            above = self.probability(middle, standard_error) < wanted
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        free = reach < self.half_width  # else the mean cannot lie beyond the ends
        low = np.where(free & (self.probability(ends[0], standard_error) < wanted), -np.inf, low)
        return np.where(free & (self.probability(ends[1], standard_error) > wanted), np.inf, low)


def _log_mass(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return log P(low < Z < high), computed in the tail where both limits lie."""
    flip = low > 0.0
    larger = log_ndtr(np.where(flip, -low, high))
    smaller = log_ndtr(np.where(flip, -high, low))
    with np.errstate(divide="ignore"):
        return np.asarray(larger + np.log1p(-np.exp(smaller - larger)))
