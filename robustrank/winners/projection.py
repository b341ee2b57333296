"""How far estimates of many models, or of all their differences, are from the truth at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS, single_threaded

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray

#: Draws worked on at a time, so that the differences from one model stay in the cache.
_COLUMNS = 512


def draw_errors(residuals: FloatArray, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Draw errors of the means, multivariate t with the residuals' covariance, shape (m, B)."""
    q = residuals.shape[1]
    normal = rng.standard_normal((n_resamples, q))
    scale = np.sqrt((q - 1.0) / rng.chisquare(q - 1.0, n_resamples))
    with single_threaded():
        return np.asarray(residuals @ (normal * scale[:, None]).T)


def largest_t(errors: FloatArray, residuals: FloatArray) -> FloatArray:
    """Return the largest |t| of all models in each draw, shape (B,)."""
    sizes = np.sqrt((residuals**2).sum(axis=1))
    held = sizes > 10.0**-TIE_DECIMALS
    return np.asarray(np.abs(errors[held] / sizes[held, None]).max(axis=0, initial=0.0))


def largest_difference_t(errors: FloatArray, residuals: FloatArray) -> FloatArray:
    """Return the largest |t| of the differences of all pairs of models in each draw, shape (B,)."""
    with single_threaded():
        products = residuals @ residuals.T
    squares = np.add.outer(products.diagonal(), products.diagonal()) - 2.0 * products
    exact = squares > 1e-12 * products.diagonal().max(initial=0.0)  # else a copy, or rounding
    inverse = np.zeros_like(squares)
    inverse[exact] = squares[exact] ** -0.5
    drawn, scale = errors.astype(np.float32), inverse.astype(np.float32)
    largest = np.zeros(errors.shape[1], dtype=np.float32)
    for start in range(0, drawn.shape[1], _COLUMNS):
        block, found = drawn[:, start : start + _COLUMNS], largest[start : start + _COLUMNS]
        for a in range(len(block) - 1):
            gaps = block[a + 1 :] - block[a]
            gaps *= scale[a, a + 1 :, None]
            np.maximum(found, np.abs(gaps, out=gaps).max(axis=0), out=found)
    return largest.astype(np.float64)
