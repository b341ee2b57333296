"""Fisher information of right and wrong answers about ability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.irt._quadrature import softplus

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray


def answer_information(a: FloatArray, b: FloatArray, theta: FloatArray) -> FloatArray:
    """Return a² p (1 - p) of each of n items at each of k abilities, shape (n, k)."""
    slope = a[:, None]
    p = 1.0 / softplus(slope * (theta - b[:, None]))[1]
    return np.asarray(slope**2 * p * (1.0 - p))
