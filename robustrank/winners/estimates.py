"""Estimates and intervals of what was chosen for being large: several ways beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from scipy.special import ndtri, stdtrit

from robustrank.winners.truncated import Truncation

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.winners.selection import Contrast

Method = Literal["hybrid", "conditional", "projection", "bootstrap"]

#: Part of the error rate that the hybrid spends on the simultaneous interval (Andrews et al.).
SHARE = 0.1


@dataclass(frozen=True)
class Interval:
    """An estimate and its interval.

    Attributes
    ----------
    estimate, low, high : float
    """

    estimate: float
    low: float
    high: float


def uncorrected(chosen: Contrast, df: int, confidence_level: float) -> Interval:
    """Return Student's interval, as if what was chosen had been named before; NaN for df = 0."""
    reach = 0.0
    if chosen.standard_error != 0.0:
        reach = float(stdtrit(df, 0.5 + confidence_level / 2.0)) * chosen.standard_error
    return Interval(chosen.estimate, chosen.estimate - reach, chosen.estimate + reach)


def correct(
    chosen: Contrast, largest: FloatArray, errors: FloatArray, df: int, confidence_level: float
) -> dict[str, Interval]:
    """Estimate what was chosen: ``naive``, as if it had not been chosen, and by each method.

    Parameters
    ----------
    chosen : Contrast
    largest : ndarray, shape (B,)
        Draws of the largest |t| of all that could have been chosen.
    errors : ndarray, shape (B,)
        Of what is chosen from a resample, about its value in the data.
    df : int
        Degrees of freedom of the standard error.
    confidence_level : float

    References
    ----------
    Andrews, Kitagawa & McCloskey (2024): conditional, projection and hybrid. They take the
    covariance as known; intervals here have the t distribution's quantiles in place of the normal
    ones.
    """
    alpha = 1.0 - confidence_level
    estimate, error = chosen.estimate, chosen.standard_error
    naive = uncorrected(chosen, df, confidence_level)
    if error == 0.0:
        return {"naive": naive, **dict.fromkeys(get_args(Method), naive)}
    wide, widest = np.quantile(largest, [1.0 - alpha, 1.0 - SHARE * alpha]) * error
    rest = (1.0 - SHARE) * alpha / (1.0 - SHARE * alpha)
    bias = float(errors.mean())
    low, high = np.quantile(errors, [alpha / 2.0, 1.0 - alpha / 2.0])
    return {
        "naive": naive,
        "hybrid": _truncated(chosen, df, rest, float(widest)),
        "conditional": _truncated(chosen, df, alpha, np.inf),
        "projection": Interval(estimate, estimate - float(wide), estimate + float(wide)),
        "bootstrap": Interval(estimate - bias, estimate - float(high), estimate - float(low)),
    }


def breaks_down(found: dict[str, Interval]) -> bool:
    """Tell whether the hybrid contradicts the simultaneous interval, as where two nearly tie.

    Close to its limit, a truncated normal estimate says next to nothing of its mean.
    """
    middle, wide = found["hybrid"].estimate, found["projection"]
    return middle < wide.low or middle > wide.high


def _truncated(chosen: Contrast, df: int, alpha: float, half_width: float) -> Interval:
    """Return the median-unbiased estimate and the equal-tailed interval, given the limits."""
    tail = alpha / 2.0
    # Without limits in reach the interval is that of the t distribution.
    wider = float(stdtrit(df, tail) / ndtri(tail))
    found = Truncation(chosen.estimate, chosen.lower, chosen.upper, half_width).mean(
        [0.5, 1.0 - tail, tail], chosen.standard_error * np.array([1.0, wider, wider])
    )
    return Interval(*map(float, found))
