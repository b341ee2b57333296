"""Unicriterion net flows of PROMETHEE II: what every pair of models says on each dataset.

φ_j(i) = Σ_k [P(x_ij - x_kj) - P(x_kj - x_ij)] / (m - 1) for a preference function P. Both flows
come from the sorted columns, without the m × m × n table of differences.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import average_ranks

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray

#: Cells worked on at a time: a few arrays of this many doubles fit in the cache of one core.
_BLOCK_CELLS = 16_384

#: The series is cut where what is left is below the rounding error of its sum.
_LOG_TRUNCATION = math.log(1e-17)


def usual_flows(x: FloatArray) -> FloatArray:
    """Return the flows for the usual function, P(d) = [d > 0]: wins minus losses.

    A model with average rank r (1 is best) has (m + 1 - 2r) / (m - 1), in O(m log m) per column.

    Parameters
    ----------
    x : ndarray, shape (m, n)
        Benefits; scores equal to 10 decimals are ties.

    Returns
    -------
    ndarray, shape (m, n)
    """
    m = x.shape[0]
    return np.asarray((m + 1 - 2.0 * average_ranks(x)) / max(m - 1, 1))


def gaussian_flows(x: FloatArray) -> FloatArray:
    """Return the flows for the Gaussian function, P(d) = 1 - exp(-d² / 2s²) for d > 0.

    s is the population standard deviation of the column. In sorted order, φ is the usual flow
    minus a one-sided Gauss transform, Σ_{k below i} e_ik - Σ_{k above i} e_ik. With z = x / s,
    e_ik = Σ_p t_p(z_i) t_p(z_k), t_p(z) = exp(-z²/2) z^p / √p!, so that prefix sums of t_p give it
    in O(m) per term and column. No term exceeds 1, and the columns of a leaderboard need some 40
    terms to be exact to rounding. Columns with outliers need more: where the terms would cost more
    than the m (m - 1) / 2 pairs, the pairs are evaluated.

    Parameters
    ----------
    x : ndarray, shape (m, n)
        Benefits, no column constant.

    Returns
    -------
    ndarray, shape (m, n)
    """
    m, n = x.shape
    if n == 0:
        return np.zeros_like(x)
    order = np.argsort(x, axis=0)
    z = np.take_along_axis(x, order, axis=0)
    z -= (z[0] + z[-1]) / 2.0
    z /= x.std(axis=0)
    transform = np.empty_like(z)
    # Blocks of columns with a similar range, as the widest one decides how many terms are needed.
    by_range = np.argsort(z[-1], kind="stable")
    width = max(1, _BLOCK_CELLS // m)
    for start in range(0, n, width):
        columns = by_range[start : start + width]
        block = z[:, columns]
        terms = _terms_needed(float(block[-1].max()))
        transform[:, columns] = (
            _transform_by_series(block, terms) if terms < m / 2 else _transform_by_pairs(block)
        )
    positions = np.arange(m)[:, None]
    flows = 2.0 * positions + 1 - m - transform
    # Equal scores have equal flows in exact arithmetic; make them equal to the last bit.
    starts = np.ones_like(z, dtype=bool)
    starts[1:] = z[1:] != z[:-1]
    first = np.maximum.accumulate(np.where(starts, positions, 0), axis=0)
    flows = np.take_along_axis(flows, first, axis=0) / (m - 1)
    result: FloatArray = np.empty_like(flows)
    np.put_along_axis(result, order, flows, axis=0)
    return result


def _terms_needed(half_range: float) -> int:
    """Count the terms after which |z| ≤ half_range leaves nothing: a Poisson tail in z²."""
    mean = half_range**2
    terms, log_tail = 0, -mean  # in logs: e^-mean is 0 to a computer from a mean of 745
    while terms <= mean or log_tail > _LOG_TRUNCATION:
        terms += 1
        log_tail += math.log(mean / terms)
    return terms


def _transform_by_series(z: FloatArray, terms: int) -> FloatArray:
    """Return Σ_{k<i} e_ik - Σ_{k>i} e_ik for ascending columns z, by prefix sums."""
    term = np.exp(-0.5 * z * z)
    below = np.empty_like(term)
    result = np.zeros_like(term)
    for p in range(terms):
        if p:
            term *= z
            term *= 1.0 / math.sqrt(p)
        np.cumsum(term, axis=0, out=below)
        below -= below[-1] / 2.0
        below *= term
        result += below
    # So far k = i counts half too much on one side: 2 Σ_{k≤i} - Σ_k = Σ_{k<i} - Σ_{k>i} + e_ii.
    return np.asarray(2.0 * result - 1.0)


def _transform_by_pairs(z: FloatArray) -> FloatArray:
    """Return the same from every pair, one distance between positions at a time."""
    result = np.zeros_like(z)
    buffer = np.empty_like(z)
    for lag in range(1, z.shape[0]):
        kernel = buffer[lag:]
        np.subtract(z[lag:], z[:-lag], out=kernel)
        kernel *= kernel
        kernel *= -0.5
        np.exp(kernel, out=kernel)
        result[lag:] += kernel
        result[:-lag] -= kernel
    return result
