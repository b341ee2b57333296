"""Ranking methods as pure array kernels: weights in, preferences out, higher is better.

Every method splits into a part that depends on the scores alone (a normalised matrix, unicriterion
net flows: computed once per matrix) and a cheap part that applies weights. Weights have shape (n,)
or (n, k), one column per weighting, and preferences (m,) or (m, k). A weight of 0 leaves a dataset
out, so that subsets of the datasets need no arrays of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from robustrank._numeric import TIE_DECIMALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

Normalization = Literal["sum", "minmax", "max", "vector", "none"]


def normalize(x: FloatArray, how: Normalization) -> FloatArray:
    """Normalise each column.

    Parameters
    ----------
    x : ndarray, shape (m, n)
        Benefits.
    how : {"sum", "minmax", "max", "vector", "none"}
        Divide by the column's sum, map its range to 0..1, divide by its maximum or by its
        Euclidean norm, or leave it alone. ``"minmax"`` needs columns that are not constant,
        ``"sum"`` and ``"max"`` columns of positive values.

    Returns
    -------
    ndarray, shape (m, n)
    """
    if how == "minmax":
        low = x.min(axis=0)
        return np.asarray((x - low) / (x.max(axis=0) - low))
    if how == "sum":
        return np.asarray(x / x.sum(axis=0))
    if how == "max":
        return np.asarray(x / x.max(axis=0))
    if how == "vector":
        return np.asarray(x / np.sqrt((x**2).sum(axis=0)))
    return x


def weighted_sum(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return ``values @ weights`` with every row summed in the same order.

    A matrix product of BLAS may round equal rows differently, and so break ties between models
    with equal scores; and what it rounds to depends on how many weightings there are.

    Parameters
    ----------
    values : ndarray, shape (m, n)
    weights : ndarray, shape (n,) or (n, k)

    Returns
    -------
    ndarray, shape (m,) or (m, k)
    """
    columns = _columns(weights)
    result = np.empty((values.shape[0], len(columns)))
    for k, column in enumerate(columns):
        np.einsum("ij,j->i", values, column, out=result[:, k])
    return result.reshape(values.shape[0], *weights.shape[1:])


def _columns(weights: FloatArray) -> FloatArray:
    """Return the weightings as contiguous rows, shape (k, n), also of a single one."""
    table = weights[:, None] if weights.ndim == 1 else weights
    return np.ascontiguousarray(table.T)


def wsm(normalized: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted sum model: the weighted sum of the normalised scores.

    Parameters
    ----------
    normalized : ndarray, shape (m, n)
        From `normalize`.
    weights : ndarray, shape (n,) or (n, k)

    Returns
    -------
    ndarray, shape (m,) or (m, k)

    References
    ----------
    Fishburn (1967), Operations Research 15(3), 537-542.
    """
    return weighted_sum(normalized, weights)


def topsis(normalized: FloatArray, weights: FloatArray) -> FloatArray:
    """TOPSIS: closeness D⁻ / (D⁺ + D⁻) to the ideal model, by weighted Euclidean distance.

    The ideal (anti-ideal) takes the best (worst) score in each column. Where both distances are 0,
    no model differs from another and closeness is 0.5.

    Parameters
    ----------
    normalized : ndarray, shape (m, n)
        From `normalize`: min-max, or vector as in the source.
    weights : ndarray, shape (n,) or (n, k)

    Returns
    -------
    ndarray, shape (m,) or (m, k)
        Within 0..1.

    References
    ----------
    Hwang & Yoon (1981), Multiple Attribute Decision Making, Springer.
    """
    squared = weights**2
    to_ideal = weighted_sum((normalized - normalized.max(axis=0)) ** 2, squared)
    to_worst = weighted_sum((normalized - normalized.min(axis=0)) ** 2, squared)
    return closeness(to_ideal, to_worst)


def closeness(to_ideal: FloatArray, to_worst: FloatArray) -> FloatArray:
    """Return D⁻ / (D⁺ + D⁻) from the squared distances; 0.5 where both are 0."""
    away, towards = np.sqrt(to_ideal), np.sqrt(to_worst)
    total = away + towards
    half = np.full_like(total, 0.5)
    return np.asarray(np.divide(towards, total, out=half, where=total > 0))


def regrets(x: FloatArray) -> FloatArray:
    """Return (f* - f) / (f* - f⁻) per column: 0 for the best score, exactly 1 for the worst."""
    best = x.max(axis=0)
    return np.asarray((best - x) / (best - x.min(axis=0)))


def vikor(regret: FloatArray, weights: FloatArray, v: float = 0.5) -> FloatArray:
    """VIKOR: 1 - Q, with Q = v S' + (1 - v) R' from group utility S and individual regret R.

    S is the sum and R the maximum of the weighted regrets; S' and R' are rescaled to 0..1 over the
    models. Where all models have the same S (or R), the term is 0: with few models each is often
    the worst somewhere, and R says nothing. Models are compared by Q alone, without the
    compromise-set conditions of the source.

    Parameters
    ----------
    regret : ndarray, shape (m, n)
        From `regrets`. The ratio comes first: weighting differences before dividing would let
        equal R differ by rounding.
    weights : ndarray, shape (n,) or (n, k)
    v : float
        Weight of group utility.

    Returns
    -------
    ndarray, shape (m,) or (m, k)
        Within 0..1.

    References
    ----------
    Opricovic & Tzeng (2004), European Journal of Operational Research 156(2), 445-455.
    """
    return compromise(*vikor_terms(regret, weights), v)


def vikor_terms(regret: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return S and R, the sum and the maximum of the weighted regrets, shape (m,) or (m, k)."""
    columns = _columns(weights)
    largest = np.empty((regret.shape[0], len(columns)))
    for k, column in enumerate(columns):
        largest[:, k] = (regret * column).max(axis=1, initial=0.0)
    shape = (regret.shape[0], *weights.shape[1:])
    return weighted_sum(regret, weights), largest.reshape(shape)


def compromise(utility: FloatArray, worst: FloatArray, v: float = 0.5) -> FloatArray:
    """Return 1 - Q from S and R, each rescaled over the models (0 where it has no range)."""
    return np.asarray(1.0 - v * _rescaled(utility) - (1.0 - v) * _rescaled(worst))


def no_range(values: FloatArray) -> NDArray[np.bool_]:
    """Tell in which columns all values are tied."""
    return np.asarray(np.ptp(values, axis=0) < 10.0**-TIE_DECIMALS)


def _rescaled(values: FloatArray) -> FloatArray:
    flat = no_range(values)
    spread = np.where(flat, 1.0, np.ptp(values, axis=0))
    return np.where(flat, 0.0, (values - values.min(axis=0)) / spread)


def promethee2(flows: FloatArray, weights: FloatArray) -> FloatArray:
    """PROMETHEE II: the net flow, which is linear in the weights.

    Parameters
    ----------
    flows : ndarray, shape (m, n)
        Unicriterion net flows, from `usual_flows` or `gaussian_flows`.
    weights : ndarray, shape (n,) or (n, k)

    Returns
    -------
    ndarray, shape (m,) or (m, k)
        Within -1..1.

    References
    ----------
    Brans & Vincke (1985), Management Science 31(6), 647-656.
    """
    return weighted_sum(flows, weights)
