"""Paired differences without a normal distribution: Wilcoxon's test and Hodges–Lehmann's shift.

Sources: F. Wilcoxon, *Individual comparisons by ranking methods*, Biometrics Bulletin 1 (1945);
J. W. Pratt, *Remarks on zeros and ties in the Wilcoxon signed rank procedures*, JASA 54 (1959);
J. L. Hodges and E. L. Lehmann, *Estimates of location based on rank tests*, Ann. Math. Statist. 34
(1963); the interval: J. W. Tukey's, in M. Hollander and D. A. Wolfe, *Nonparametric Statistical
Methods* (2nd ed. 1999), §3.3, and where values tie G. E. Noether, *Wilcoxon confidence intervals
for location parameters in the discrete case*, JASA 62 (1967).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from scipy.special import ndtr, ndtri

from robustrank._numeric import TIE_DECIMALS, average_ranks
from robustrank.errors import ParameterError, as_floats, check_level
from robustrank.notes import Note, count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray

Zeros = Literal["wilcoxon", "pratt"]

#: Up to so many differences the distribution under the hypothesis is exact; beyond, normal. The
#: test counts those that are not 0, the interval all.
EXACT_MOST = 300
#: Averages of pairs that are held at a time.
_MOST_PAIRS = 100_000


@dataclass(frozen=True, repr=False)
class SignedRank:
    """A shift of paired differences, and the test of whether there is one.

    Attributes
    ----------
    estimate : float
        Hodges and Lehmann's: the median of the averages of all pairs of differences, each with
        itself included; in the unit of the differences.
    low, high : float
        Its interval; NaN where the differences are too few for the level. Of a normal distribution
        where there are more than 300 differences.
    p_value : float
        Two-sided, for the hypothesis that the differences are symmetric around 0.
    statistic : float
        T⁺, the sum of the ranks of the positive differences.
    n, n_zero : int
        Differences, and how many of them are 0.
    exact : bool
        Whether the p-value is exact given the ties, and not that of a normal distribution. It says
        nothing of the interval, which counts differences of 0 too.
    confidence_level : float
    notes : tuple of Note
        What was left out or cannot be told.
    """

    estimate: float
    low: float
    high: float
    p_value: float
    statistic: float
    n: int
    n_zero: int
    exact: bool
    confidence_level: float
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return (
            f"SignedRank: shift {self.estimate:.4g} [{self.low:.4g}, {self.high:.4g}], "
            f"p = {self.p_value:.3g}, T+ = {self.statistic:g}, {count(self.n, 'difference')}"
        )


def signed_rank_test(
    differences: ArrayLike, *, confidence_level: float = 0.95, zeros: Zeros = "wilcoxon"
) -> SignedRank:
    """Test whether paired differences are symmetric around 0, and estimate around what they are.

    The differences must be independent of each other. Those that are equal to 10 decimals where
    the largest has one digit before the point, as in 1.23 × 10⁻², are tied and share the mean of
    their ranks.

    Parameters
    ----------
    differences : array_like, shape (n,)
        NaN is left out.
    confidence_level : float
        Of the interval. Up to 300 differences it covers the shift with at least this chance, ties
        and zeros or not; beyond, with about this chance. With ties or zeros it can hold 0 although
        the p-value is small.
    zeros : {"wilcoxon", "pratt"}
        For the test alone: differences of 0 are dropped before ranking, or after. The estimate and
        its interval keep them.

    Returns
    -------
    SignedRank
        The p-value is exact up to 300 differences that are not 0: all signs are equally likely
        given the ranks, ties included. Beyond, it is that of a normal distribution with the same
        variance, without a correction for continuity.

    Raises
    ------
    NonNumericError
        If a difference is no number.
    ParameterError
        If a difference is infinite, or a setting is out of its range.

    Examples
    --------
    Scale factors of depression before and after a therapy (Hollander and Wolfe, Table 3.1):

    >>> import robustrank as rr
    >>> before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    >>> after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    >>> rr.signed_rank_test([x - y for x, y in zip(before, after)])
    SignedRank: shift 0.46 [0.01, 0.786], p = 0.0391, T+ = 40, 9 differences
    """
    if zeros not in get_args(Zeros):
        raise ParameterError(f"zeros must be 'wilcoxon' or 'pratt'; got {zeros!r}.")
    level = check_level(confidence_level)
    given = as_floats("differences", differences)
    if given.ndim != 1 or np.isinf(given).any():
        raise ParameterError(
            "differences must be one row of finite numbers, or NaN where there is none."
        )
    held = given[~np.isnan(given)]
    unit = _unit(held)
    values: FloatArray = np.sort(held / unit).round(TIE_DECIMALS)
    n = len(values)
    notes = _left_out(len(given) - n)
    if n == 0:
        notes.append(Note("no-differences", "There is no difference to test."))
        nan = math.nan
        return SignedRank(nan, nan, nan, nan, nan, 0, 0, True, level, tuple(notes))
    ranks, positive = _signed_ranks(values, zeros)
    exact = len(ranks) <= EXACT_MOST
    place = _place(n, (1.0 - level) / 2.0)
    pairs = n * (n + 1) // 2
    middle = [(pairs - 1) // 2, pairs // 2]
    ends = [] if place is None else [place, pairs - 1 - place]
    first, second, *bounds = _walsh(values, [*middle, *ends])
    if place is None:
        notes.append(_too_few(n, level))
    low, high = bounds or (math.nan, math.nan)
    return SignedRank(
        estimate=unit * ((first + second) / 2.0),
        low=unit * low,
        high=unit * high,
        p_value=_exact_p(ranks, positive) if exact else _normal_p(ranks, positive),
        statistic=float(ranks[positive].sum()),
        n=n,
        n_zero=int((values == 0.0).sum()),
        exact=exact,
        confidence_level=level,
        notes=tuple(notes),
    )


def _unit(values: FloatArray) -> float:
    """Return the power of ten below the largest value: ties in it are the same in every unit."""
    largest = float(np.abs(values).max(initial=0.0))
    return 10.0 ** max(math.floor(math.log10(largest)), -300) if largest else 1.0


def _signed_ranks(values: FloatArray, zeros: Zeros) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the ranks of what is not 0 by its size, and which of it is positive."""
    if zeros == "wilcoxon":
        values = values[values != 0.0]
    ranks = average_ranks(np.abs(values), higher_is_better=False)
    kept = values != 0.0
    return ranks[kept], values[kept] > 0.0


def _exact_p(ranks: FloatArray, positive: NDArray[np.bool_]) -> float:
    # Tied ranks are halves: doubled, all are whole numbers.
    doubled = np.sort(np.rint(2.0 * ranks).astype(np.int64))
    half = 1 if (doubled % 2).any() else 2
    steps = doubled // half
    up = round(2.0 * float(ranks[positive].sum())) // half
    # Symmetric: the chance of as much or more is that of the other end.
    return min(1.0, 2.0 * float(_null(tuple(steps.tolist()))[min(up, int(steps.sum()) - up)]))


def _normal_p(ranks: FloatArray, positive: NDArray[np.bool_]) -> float:
    # Σ r² / 4 is the variance with ties and zeros, however the ranks came about.
    away = abs(float(ranks[positive].sum()) - float(ranks.sum()) / 2.0)
    return float(2.0 * ndtr(-away / math.sqrt(float((ranks**2).sum()) / 4.0)))


@lru_cache(maxsize=16)
def _null(ranks: tuple[int, ...]) -> FloatArray:
    """Return P(T⁺ ≤ t) for t = 0, 1, …, where each rank counts or not with equal chances."""
    chance = np.zeros(sum(ranks) + 1)
    chance[0] = 1.0
    for top, rank in zip(np.cumsum(ranks).tolist(), ranks, strict=True):
        held = chance[: top + 1] / 2.0
        chance[: top + 1] = held
        chance[rank : top + 1] += held[: top + 1 - rank]
    return np.cumsum(chance)


def _place(n: int, tail: float) -> int | None:
    """Return the largest t with P(T⁺ ≤ t) of at most `tail` without ties; None if there is none.

    So many averages of pairs lie below the interval, and as many above.
    """
    if n <= EXACT_MOST:
        place = int(np.searchsorted(_null(tuple(range(1, n + 1))), tail, side="right")) - 1
    else:
        spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
        place = math.floor(n * (n + 1) / 4.0 + float(ndtri(tail)) * spread)
    return place if place >= 0 else None


def _walsh(values: FloatArray, places: list[int]) -> list[float]:
    """Return the averages of pairs of rising values (i ≤ j) that take some places in order."""
    n = len(values)
    if n * (n + 1) // 2 <= _MOST_PAIRS:
        first, second = np.triu_indices(n)
        averages = np.partition((values[first] + values[second]) / 2.0, sorted(set(places)))
        return [float(averages[place]) for place in places]
    return [_distant(values, place) for place in places]


def _distant(values: FloatArray, place: int) -> float:
    """Find one average among too many to hold: halve the range until one value is left."""
    low, high = float(values[0]), float(values[-1])
    starts = np.arange(len(values))
    while high - low > 10.0**-TIE_DECIMALS / 4.0 and low < (middle := (low + high) / 2.0) < high:
        # Partners of each value, from itself on, with an average of at most the middle.
        ends = np.searchsorted(values, 2.0 * middle - values, side="right")
        if int(np.maximum(ends - starts, 0).sum()) > place:
            high = middle
        else:
            low = middle
    # Averages of rounded values are multiples of half a unit.
    return round(2.0 * high, TIE_DECIMALS) / 2.0


def _left_out(missing: int) -> list[Note]:
    if not missing:
        return []
    return [Note("missing-differences", f"Left out: {count(missing, 'missing difference')}.")]


def _too_few(n: int, level: float) -> Note:
    needed = math.ceil(1.0 - math.log2(1.0 - level))
    message = (
        f"{count(n, 'difference')} cannot give an interval at {level:.4g}: that takes at least "
        f"{needed}."
    )
    return Note("too-few-differences", message)
