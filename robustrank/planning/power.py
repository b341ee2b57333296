"""Power of the paired t-test, the number of pairs it needs, and intervals of effect sizes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import nctdtr, nctdtrinc, ndtri, stdtr, stdtrit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray

#: Numbers of pairs above this are no plan.
MOST = 100_000


def fewest(alpha: float) -> int:
    """Return the fewest pairs with which a sign-flip test can reach `alpha`, two-sided.

    A t-test can do so with two, on the word of the normal distribution alone.
    """
    return math.ceil(1.0 - math.log2(alpha))


def p_values(t: ArrayLike, n: ArrayLike) -> FloatArray:
    """Return the two-sided p-values of t statistics of n pairs."""
    freedom = np.asarray(n, dtype=np.float64) - 1.0
    # By symmetry the lower tail is the upper one, without the loss of digits of 1 - p.
    return np.asarray(2.0 * stdtr(freedom, -np.abs(t)))


def t_test_power(effect_size: ArrayLike, n: ArrayLike, alpha: float) -> FloatArray:
    """Return the chance that a two-sided paired t-test rejects.

    Parameters
    ----------
    effect_size : array_like
        The mean of the differences over their standard deviation; may be infinite.
    n : array_like
        Numbers of pairs, at least 2.
    alpha : float

    Returns
    -------
    ndarray
        Exact for normal differences, by the noncentral t distribution.
    """
    size = np.abs(np.asarray(effect_size, dtype=np.float64))
    pairs = np.asarray(n, dtype=np.float64)
    # Beyond this the power is 1 to all digits.
    shift = np.minimum(size * np.sqrt(pairs), 1e3)
    critical = stdtrit(pairs - 1.0, 1.0 - alpha / 2.0)
    # The far tail is NaN where it underflows.
    far = np.nan_to_num(nctdtr(pairs - 1.0, shift, -critical))
    found = 1.0 - nctdtr(pairs - 1.0, shift, critical) + far
    return np.where(np.isinf(size), 1.0, found)


def sample_size(effect_size: float, alpha: float, power: float) -> int | None:
    """Return the fewest pairs with which a two-sided paired t-test has the power asked for.

    Parameters
    ----------
    effect_size : float
        Its sign has no say; may be infinite.
    alpha, power : float
        ``alpha < power``.

    Returns
    -------
    int or None
        At least `fewest`; None if it would be above about `MOST`, or there is no effect.
    """
    least = fewest(alpha)

    def enough(n: int) -> bool:
        return bool(t_test_power(effect_size, n, alpha) >= power)

    if math.isnan(effect_size) or effect_size == 0.0:
        return None
    if enough(least):
        return least
    # Guenther's correction of the normal approximation is within a pair or so.
    z = float(ndtri(1.0 - alpha / 2.0))
    guess = ((z + float(ndtri(power))) / effect_size) ** 2 + z**2 / 2.0
    if guess > MOST:
        return None
    short, high = least, math.ceil(guess) + 2
    while not enough(high):
        short, high = high, 2 * high
    while high - short > 1:
        middle = (short + high) // 2
        short, high = (short, middle) if enough(middle) else (middle, high)
    return high


def effect_interval(effect_size: float, n: int, confidence_level: float) -> tuple[float, float]:
    """Return the effect sizes that the observed one is compatible with.

    Parameters
    ----------
    effect_size : float
        Of n pairs, with the standard deviation by n - 1.
    n : int
        At least 2.
    confidence_level : float

    Returns
    -------
    tuple of float
        The noncentralities under which the observed t statistic is at either tail, over √n: exact
        for normal differences. It holds 0 exactly if the t-test does not reject.
    """
    if not math.isfinite(effect_size):
        return effect_size, effect_size
    tail = (1.0 - confidence_level) / 2.0
    root = math.sqrt(n)
    low, high = (nctdtrinc(n - 1.0, p, effect_size * root) / root for p in (1.0 - tail, tail))
    return float(low), float(high)
