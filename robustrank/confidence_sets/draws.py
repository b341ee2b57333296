"""What studentised differences look like where there is none: flipped, resampled, or normal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS, single_threaded
from robustrank.resampling.draws import draw_counts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray

#: Statistics closer than this are equal.
TOLERANCE = 1e-8


@dataclass(frozen=True, eq=False)
class Draws(ABC):
    """Random variation of the levels of m models, in B draws.

    Attributes
    ----------
    rows : ndarray, shape (m, n)
        What each of n independent units says of each model.
    levels : ndarray, shape (m,)
        What the models are compared by.
    noise : ndarray, shape (n, B)
        What each draw does to each unit.
    exact : bool
        Whether the draws are all that there are, the observed one among them.
    """

    rows: FloatArray
    levels: FloatArray
    noise: FloatArray
    exact: bool

    @abstractmethod
    def observed(self, differences: FloatArray, gaps: FloatArray) -> FloatArray:
        """Return the statistics of k differences of `rows`, (k, n), and of `levels`, (k,)."""

    @abstractmethod
    def drawn(self, differences: FloatArray, moved: FloatArray) -> FloatArray:
        """Return the statistics of k differences of `rows`, (k, n), and of `moved`, (k, B)."""

    @cached_property
    def moved(self) -> FloatArray:
        """What the draws make of `rows`: the product with the noise, shape (m, B)."""
        with single_threaded():
            return np.asarray(self.rows @ self.noise)

    def p_values(self, hits: ArrayLike) -> FloatArray:
        """Return the p-values of statistics that this many draws reached."""
        more = 0 if self.exact else 1
        return np.asarray((np.asarray(hits) + more) / (self.noise.shape[1] + more))

    def floor(self, sides: int) -> float:
        """Return the smallest p-value of a test with one side, or two."""
        return float(self.p_values(sides if self.exact else 0))


class LinearDraws(Draws):
    """Differences of a draw divided by their size, which no draw changes.

    With random signs as noise: sums over the root of sums of squares. With normal noise: over the
    standard error.
    """

    def observed(self, differences: FloatArray, gaps: FloatArray) -> FloatArray:
        """Return gaps over sizes; infinite where nothing varies."""
        return _ratio(gaps, np.sqrt((differences**2).sum(axis=1)), self._least)

    def drawn(self, differences: FloatArray, moved: FloatArray) -> FloatArray:
        """Return moved differences over sizes; 0 where nothing varies."""
        sizes = np.sqrt((differences**2).sum(axis=1))
        varying = sizes > self._least
        return moved * np.where(varying, 1.0 / np.where(varying, sizes, 1.0), 0.0)[:, None]

    @property
    def _least(self) -> float:
        return float(self.rows.shape[1] * 10.0**-TIE_DECIMALS)


class StudentisedDraws(Draws):
    """Means of resampled units over their standard errors in the same resample: bootstrap-t.

    The noise is how often a resample holds a unit. A lead that is the same on every unit has no
    standard error, however few the units: therefore no p-value is below that of n equal signs.
    """

    def p_values(self, hits: ArrayLike) -> FloatArray:
        """Return the p-values of statistics that this many draws reached."""
        return np.asarray(np.maximum(super().p_values(hits), 2.0 ** (1 - self.rows.shape[1])))

    def observed(self, differences: FloatArray, gaps: FloatArray) -> FloatArray:
        """Return means over standard errors; infinite where nothing varies."""
        n = differences.shape[1]
        return _ratio(gaps, differences.std(axis=1) / np.sqrt(n - 1), 10.0**-TIE_DECIMALS)

    def drawn(self, differences: FloatArray, moved: FloatArray) -> FloatArray:
        """Return means less what was observed, over standard errors of the resample."""
        n = differences.shape[1]
        level = differences.mean(axis=1, keepdims=True)
        means = moved / n - level
        with single_threaded():
            squares = (differences - level) ** 2 @ self.noise
        errors = np.sqrt(np.maximum(squares / n - means**2, 0.0) / (n - 1))
        return _ratio(means, errors, 10.0**-TIE_DECIMALS)


def flip_signs(totals: FloatArray, n_resamples: int, rng: np.random.Generator) -> Draws:
    """Flip the signs of differences, unit by unit, the same for all models.

    All 2ⁿ assignments of signs are taken if they are no more than `n_resamples`.

    Parameters
    ----------
    totals : ndarray, shape (m, n)
        What each of n independent units, datasets or groups of them, adds to each model's mean.
    n_resamples : int
    rng : numpy.random.Generator
    """
    n = totals.shape[1]
    if 2**n <= n_resamples:
        signs = np.array(list(product((1.0, -1.0), repeat=n)))
        return LinearDraws(totals, totals.sum(axis=1), np.ascontiguousarray(signs.T), exact=True)
    drawn = rng.integers(2, size=(n_resamples, n)) * 2.0 - 1.0
    return LinearDraws(totals, totals.sum(axis=1), np.ascontiguousarray(drawn.T), exact=False)


def resample(totals: FloatArray, n_resamples: int, rng: np.random.Generator) -> Draws:
    """Draw units with replacement, as many as there are, at least two; the rest as `flip_signs`."""
    counts = draw_counts(rng, n_resamples, totals.shape[1])
    noise = np.ascontiguousarray(counts.T)
    return StudentisedDraws(totals, totals.mean(axis=1), noise, exact=False)


def draw_normal(
    estimates: FloatArray, covariance: FloatArray, n_resamples: int, rng: np.random.Generator
) -> Draws:
    """Draw the errors of estimates, (m,), from a normal distribution with a covariance, (m, m)."""
    roots, axes = np.linalg.eigh(covariance)
    factor = axes * np.sqrt(np.maximum(roots, 0.0))
    noise = rng.standard_normal((len(estimates), n_resamples))
    return LinearDraws(factor, estimates, noise, exact=False)


def _ratio(gaps: FloatArray, sizes: FloatArray, least: float) -> FloatArray:
    """Divide; what does not vary is 0 if it is nothing, and else infinite."""
    varying = sizes > least
    certain = np.where(gaps > least, np.inf, np.where(gaps < -least, -np.inf, 0.0))
    return np.where(varying, gaps / np.where(varying, sizes, 1.0), certain)
