"""Differences of one model from others, in units of datasets: tests and intervals of their mean."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import nctdtr, stdtr, stdtrit

from robustrank._numeric import TIE_DECIMALS, single_threaded
from robustrank.resampling import sign_flip_floor, sign_flip_test
from robustrank.signed_rank import signed_rank_test

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

Test = Literal["sign-flip", "t", "signed-rank"]
Alternative = Literal["greater", "two-sided", "less"]

#: Up to so many units all subsets of them are counted, 2 to the power of this.
_EXACT_UP_TO = 13
_STEPS = 60


@dataclass(frozen=True, eq=False)
class Differences:
    """A model's differences from k others, summed within each of q units.

    Attributes
    ----------
    sums, sizes : ndarray, shape (k, q)
        Of the datasets of a unit that both models ran.
    """

    sums: FloatArray
    sizes: FloatArray

    @property
    def means(self) -> FloatArray:
        """Mean over datasets, shape (k,)."""
        return np.asarray(self.sums.sum(axis=1) / self.sizes.sum(axis=1))

    @property
    def n_units(self) -> NDArray[np.intp]:
        """Units in which both models ran a dataset, shape (k,)."""
        return np.asarray((self.sizes > 0).sum(axis=1))

    @property
    def standard_errors(self) -> FloatArray:
        """Of the means, units being the sample; NaN for a single unit, shape (k,)."""
        residuals = self.sums - self.means[:, None] * self.sizes
        q = self.n_units
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.sqrt(q / (q - 1.0) * (residuals**2).sum(axis=1))
        tiny = spread < 10.0**-TIE_DECIMALS
        return np.asarray(np.where(tiny, 0.0, spread) / self.sizes.sum(axis=1))

    def of_units(self, row: int) -> FloatArray:
        """Return the mean difference in each unit that has one."""
        held = self.sizes[row] > 0
        return np.asarray(self.sums[row, held] / self.sizes[row, held])


def p_values(
    found: Differences,
    test: Test,
    alternative: Alternative,
    n_resamples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Test that each difference is 0, shape (k,).

    One side has half of the two-sided p-value, the other the rest: all three tests are symmetric
    under the hypothesis.
    """
    side = np.sign(found.means.round(TIE_DECIMALS))
    if test == "sign-flip":
        both = sign_flip_test(found.sums, n_resamples=n_resamples, seed=rng)
    elif test == "t":
        both = _t_p_values(found)
    else:
        ranked = [signed_rank_test(found.of_units(row)) for row in range(len(found.sums))]
        both = np.array([each.p_value for each in ranked])
        side = np.array([np.sign(4.0 * t.statistic - _rank_sum(t.n - t.n_zero)) for t in ranked])
    if alternative == "two-sided":
        return both
    towards = side if alternative == "greater" else -side
    nothing = ~(np.abs(found.sums) > 10.0**-TIE_DECIMALS).any(axis=1)
    return np.where(nothing, 1.0, np.where(towards > 0, both / 2.0, 1.0 - both / 2.0))


def _rank_sum(n: int) -> float:
    return n * (n + 1.0)


def _t_p_values(found: Differences) -> FloatArray:
    error, mean = found.standard_errors, found.means.round(TIE_DECIMALS)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean == 0.0, 0.0, np.abs(mean) / error)
        p = 2.0 * stdtr(found.n_units - 1.0, -t)
    return np.asarray(np.where(found.n_units > 1, np.where(np.isinf(t), 0.0, p), 1.0))


def limits(
    found: Differences, test: Test, tail: float, n_resamples: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return estimates and what the test does not reject with `tail` on each side, shape (k,) each.

    An end is infinite where the units are too few for it.

    References
    ----------
    Hartigan (1969), *Using subsample values as typical values*: the sign-flip test at δ compares δ
    with the means of subsets of the sample.
    """
    if test == "signed-rank":
        shifts = [
            signed_rank_test(found.of_units(row), confidence_level=1.0 - 2.0 * tail)
            for row in range(len(found.sums))
        ]
        low = np.array([-np.inf if np.isnan(each.low) else each.low for each in shifts])
        high = np.array([np.inf if np.isnan(each.high) else each.high for each in shifts])
        return np.array([each.estimate for each in shifts]), low, high
    if test == "t":
        with np.errstate(invalid="ignore"):
            reach = -stdtrit(found.n_units - 1.0, tail) * found.standard_errors
        reach = np.where(found.n_units > 1, reach, np.inf)
        return found.means, found.means - reach, found.means + reach
    means = _subset_means(found, n_resamples, rng)
    ends = [_ends(row[~np.isnan(row)], tail) for row in means]
    return found.means, np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def _subset_means(found: Differences, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Return means over subsets of the units, shape (k, number of subsets); NaN for empty ones."""
    q = found.sums.shape[1]
    if q <= _EXACT_UP_TO:
        chosen = np.array(list(product((0.0, 1.0), repeat=q)))[1:]
    else:
        chosen = rng.integers(0, 2, (n_resamples, q)).astype(np.float64)
    with single_threaded():
        sums, sizes = found.sums @ chosen.T, found.sizes @ chosen.T
    return np.where(sizes > 0, sums / np.where(sizes > 0, sizes, 1.0), np.nan)


def _ends(means: FloatArray, tail: float) -> tuple[float, float]:
    place = int(np.floor(tail * (len(means) + 1) + 1e-9))
    if place < 1:
        return -np.inf, np.inf
    low, high = np.partition(means, [place - 1, len(means) - place])[[place - 1, -place]]
    return float(low), float(high)


def detectable(
    found: Differences, test: Test, tail: float, power: float, n_resamples: int
) -> FloatArray:
    """Return the difference that is found with a chance of `power`, shape (k,).

    By the noncentral t distribution of normal differences that vary as these do; infinite where no
    data could be significant at `tail` on one side.
    """
    freedom = np.maximum(found.n_units - 1.0, 1.0)
    critical = -stdtrit(freedom, tail)
    low, high = np.zeros(len(freedom)), critical + 50.0
    for _ in range(_STEPS):
        middle = (low + high) / 2.0
        short = 1.0 - nctdtr(freedom, middle, critical) < power
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    size = high * found.standard_errors
    if test == "t":
        return np.where(found.n_units > 1, size, np.inf)
    floors = [
        sign_flip_floor(int(q), n_resamples) / 2.0 if test == "sign-flip" else 0.5 ** int(q)
        for q in found.n_units
    ]
    return np.where((np.array(floors) <= tail) & (found.n_units > 1), size, np.inf)
