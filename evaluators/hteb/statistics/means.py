"""Means over datasets with Student's interval, of many columns at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import stdtrit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray


class MeanInterval(NamedTuple):
    """Means, their intervals, standard deviations (ddof = 1) and numbers of values."""

    mean: FloatArray
    low: FloatArray
    high: FloatArray
    sd: FloatArray
    n: NDArray[np.intp]


def mean_interval(values: FloatArray, confidence_level: float) -> MeanInterval:
    """Return means along the first axis with their intervals.

    Parameters
    ----------
    values : ndarray, shape (n, …)
        NaN is left out.
    confidence_level : float

    Returns
    -------
    MeanInterval
        Mean ± t · sd / √n with n - 1 degrees of freedom. NaN where there is no value; interval and
        deviation are NaN with one. The order of the values changes no bit.
    """
    ordered = np.sort(values, axis=0)
    held = ~np.isnan(ordered)
    n = held.sum(axis=0)
    mean = np.where(held, ordered, 0.0).sum(axis=0) / n.clip(min=1)
    squares = np.where(held, ordered - mean, 0.0) ** 2
    freedom = (n - 1).clip(min=1)
    sd = np.where(n > 1, np.sqrt(squares.sum(axis=0) / freedom), np.nan)
    mean = np.where(n > 0, mean, np.nan)
    reach = stdtrit(freedom, (1.0 + confidence_level) / 2.0) * sd / np.sqrt(n.clip(min=1))
    return MeanInterval(mean, mean - reach, mean + reach, sd, n)
