"""Many comparisons at once: adjusted p-values, and the smallest that a family can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from robustrank.errors import ParameterError, as_floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray

Adjustment = Literal["max-t", "holm", "fdr-bh", "none"]


def adjust_p_values(p_values: ArrayLike, method: Literal["holm", "fdr-bh"]) -> FloatArray:
    """Adjust p-values for the number of comparisons.

    Parameters
    ----------
    p_values : array_like, shape (k,)
        NaN counts as no comparison.
    method : {"holm", "fdr-bh"}
        Holm's step-down procedure controls the chance of any false rejection, Benjamini and
        Hochberg's step-up procedure the expected share of false ones among the rejections.

    Returns
    -------
    ndarray, shape (k,)

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70. Benjamini & Hochberg (1995),
    Journal of the Royal Statistical Society B 57(1), 289-300.
    """
    if method not in ("holm", "fdr-bh"):
        raise ParameterError(f"method must be 'holm' or 'fdr-bh'; got {method!r}.")
    given = as_floats("p_values", p_values)
    if given.ndim != 1 or (given < 0.0).any() or (given > 1.0).any():
        raise ParameterError("p_values must be a row of numbers between 0 and 1, or NaN.")
    adjusted = np.full(given.shape, np.nan)
    known = np.flatnonzero(~np.isnan(given))
    order = known[np.argsort(given[known], kind="stable")]
    k = len(order)
    if method == "holm":
        steps = np.maximum.accumulate(given[order] * np.arange(k, 0, -1))
    else:
        steps = given[order] * k / np.arange(1, k + 1)
        steps = np.minimum.accumulate(steps[::-1])[::-1]
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def family_floor(floor: float, size: int, adjustment: Adjustment) -> float:
    """Return the smallest adjusted p-value that the best comparison of a family can reach.

    Parameters
    ----------
    floor : float
        Smallest p-value that the test can give one comparison.
    size : int
        Number of comparisons.
    adjustment : {"max-t", "holm", "fdr-bh", "none"}
        Under Holm the floor grows with the family; under the others it does not: all comparisons
        of a family may reach it together.
    """
    if adjustment not in get_args(Adjustment):
        known = ", ".join(map(repr, get_args(Adjustment)))
        raise ParameterError(f"adjustment must be one of {known}; got {adjustment!r}.")
    return min(1.0, floor * size) if adjustment == "holm" else floor
