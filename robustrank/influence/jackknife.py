"""The jackknife's standard error, from what leaving out one group at a time gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray


def jackknife_standard_errors(left_out: FloatArray) -> FloatArray:
    """Return the standard error of each row's statistic.

    Parameters
    ----------
    left_out : ndarray, shape (m, q)
        The statistics without each of q groups. The groups are the sampling units: they are taken
        as drawn independently, with whatever datasets they hold.

    Returns
    -------
    ndarray, shape (m,)
        ``sqrt((q - 1) / q · Σ (θ(-g) - mean)²)``; NaN with one group, or where a value is missing.

    References
    ----------
    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, §11.2, eq. 11.5.
    """
    q = left_out.shape[1]
    if q < 2:
        return np.full(len(left_out), np.nan)
    spread = left_out - left_out.mean(axis=1, keepdims=True)
    return np.asarray(np.sqrt((q - 1) / q * (spread**2).sum(axis=1)))
