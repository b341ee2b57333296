"""Percentile intervals and standard deviations of many resampled numbers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray

#: Numbers sorted at a time.
_BLOCK_CELLS = 1_000_000


def percentile_interval(values: FloatArray, confidence_level: float) -> FloatArray:
    """Return the bounds between which the middle of each row lies.

    Parameters
    ----------
    values : ndarray, shape (k, B)
        NaN is left out; a row without another value has the bounds NaN.
    confidence_level : float
        Share of the row between the bounds.

    Returns
    -------
    ndarray, shape (2, k)
        Quantiles by linear interpolation, as `numpy.quantile` and `scipy.stats.bootstrap` do.
    """
    tail = (1.0 - confidence_level) / 2.0
    bounds = np.full((2, len(values)), np.nan)
    if values.shape[1] == 0:
        return bounds
    size = max(1, _BLOCK_CELLS // values.shape[1])
    for start in range(0, len(values), size):
        ordered = np.sort(values[start : start + size], axis=1)  # NaN sorts last
        last = ordered.shape[1] - 1 - np.isnan(ordered).sum(axis=1)
        for side, share in enumerate((tail, 1.0 - tail)):
            place = (share * last.clip(min=0))[:, None]
            below = np.floor(place).astype(np.intp)
            above = np.minimum(below + 1, last[:, None].clip(min=0))
            low, high = (np.take_along_axis(ordered, at, axis=1) for at in (below, above))
            bounds[side, start : start + size] = (low + (high - low) * (place - below))[:, 0]
    return bounds


def deviations(values: FloatArray) -> FloatArray:
    """Return the standard deviation of each row, NaN left out; NaN for fewer than two values."""
    held = ~np.isnan(values)
    if held.all() and values.shape[1] > 1:
        return np.asarray(values.std(axis=1, ddof=1))
    number = held.sum(axis=1)
    centre = np.where(held, values, 0.0).sum(axis=1) / number.clip(min=1)
    squares = np.where(held, values - centre[:, None], 0.0) ** 2
    variance = squares.sum(axis=1) / (number - 1).clip(min=1)
    return np.where(number > 1, np.sqrt(variance), np.nan)
