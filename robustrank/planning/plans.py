"""How many datasets it takes to find the mean of some differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS
from robustrank.planning.power import effect_interval, p_values, sample_size

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray


@dataclass(frozen=True)
class Asked:
    """What is asked of a test.

    Attributes
    ----------
    alpha, power : float
        Its level, and the chance of finding the difference that there is.
    confidence_level : float
        Of intervals of the number of datasets.
    """

    alpha: float
    power: float
    confidence_level: float


@dataclass(frozen=True)
class Plan:
    """What differences say, and how many it takes.

    Attributes
    ----------
    difference, sd : float
        Mean and standard deviation (by n - 1); NaN where undefined.
    effect_size : float
        Their ratio; 0 for tied models, infinite for a constant lead.
    n : int
    p_value : float
        Of the two-sided paired t-test; 1 for tied models, and that of the sign-flip test for a
        constant lead, which has no t statistic.
    level : float
        At which the numbers are.
    needed, low, high : int or None
        Fewest datasets, and the interval; None: there is no such number.
    """

    difference: float
    sd: float
    effect_size: float
    n: int
    p_value: float
    level: float
    needed: int | None
    low: int | None
    high: int | None


def plan(differences: FloatArray, asked: Asked) -> Plan:
    """Say how many datasets it takes, from differences of shape (n,)."""
    n = len(differences)
    mean = round(float(differences.mean()), TIE_DECIMALS) if n else np.nan
    if n < 2:
        return Plan(mean, np.nan, np.nan, n, np.nan, asked.alpha, None, None, None)
    sd = round(float(differences.std(ddof=1)), TIE_DECIMALS)
    if sd:
        effect = mean / sd
        least, most = effect_interval(effect, n, asked.confidence_level)
    else:
        effect = least = most = float(np.copysign(np.inf, mean)) if mean else 0.0
    if mean < 0.0:
        least, most = -most, -least
    return Plan(
        difference=mean,
        sd=sd,
        effect_size=effect,
        n=n,
        p_value=float(2.0 ** (1 - n) if np.isinf(effect) else p_values(effect * np.sqrt(n), n)),
        level=asked.alpha,
        needed=sample_size(effect, asked.alpha, asked.power),
        low=sample_size(most, asked.alpha, asked.power),
        high=sample_size(least, asked.alpha, asked.power) if least > 0.0 else None,
    )


def holm_plans(differences: FloatArray, asked: Asked) -> list[Plan]:
    """Plan for k pairs, shape (k, n), each at the level that Holm's procedure has for it.

    The pair with the largest effect is tested at alpha / k, the next one at alpha / (k - 1), and so
    on: a pair has its turn only when those before it have been found, and so needs as many, or
    has no number if one of them has none.
    """
    k = len(differences)
    effects = np.abs([plan(row, asked).effect_size for row in differences])
    plans: dict[int, Plan] = {}
    needed: int | None = 0
    low: int | None = 0
    high: int | None = 0
    for turn, pair in enumerate(np.argsort(-effects, kind="stable").tolist()):
        found = plan(differences[pair], replace(asked, alpha=asked.alpha / (k - turn)))
        needed, low = _larger(needed, found.needed), _larger(low, found.low)
        high = _larger(high, found.high)
        plans[pair] = replace(found, needed=needed, low=low, high=high)
    return [plans[pair] for pair in range(k)]


def _larger(a: int | None, b: int | None) -> int | None:
    """Return the larger number, where None is none however large."""
    return None if a is None or b is None else max(a, b)
