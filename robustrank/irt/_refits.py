"""Intervals of a task-level fit: refits on resampled models and on resampled datasets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank._percentiles import percentile_interval
from robustrank.irt._panel import LEAST
from robustrank.irt._solver import fit_weighted

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.irt._curves import Curves
    from robustrank.irt._solver import Fits

#: Abilities spread less than this are equal but for rounding.
_NO_SPREAD = 1e-9


@dataclass(frozen=True, eq=False)
class Draws:
    """Parameters in every refit, in the units of the fit; NaN where a refit does not determine one.

    Attributes
    ----------
    ability : ndarray, shape (R, m)
        On resampled datasets.
    discrimination, difficulty : ndarray, shape (R, n)
        On resampled models.
    unfinished : int
        Refits that did not converge, of the 2R.
    """

    ability: FloatArray
    discrimination: FloatArray
    difficulty: FloatArray
    unfinished: int

    @classmethod
    def none(cls, n_refits: int, m: int, n: int) -> Draws:
        """Return draws that determine nothing."""
        of_datasets = np.full((n_refits, n), np.nan)
        return cls(np.full((n_refits, m), np.nan), of_datasets, of_datasets, 0)


def refit(curves: Curves, fit: Fits, n_refits: int, rng: np.random.Generator) -> Draws:
    """Fit resampled tables, from the parameters of `fit`, which `curves` are the standard form of.

    Models (or datasets) drawn with replacement are whole weights of the table fitted. A refit has
    an origin and a unit of its own: it is shifted and scaled so that the models in it have the
    mean and the spread that they have in `curves`.
    """
    panel = curves.panel
    m, n = panel.values.shape
    if n_refits == 0:
        return Draws.none(0, m, n)
    held = ~np.isnan(panel.values)
    start = (fit.theta[0], fit.log_a[0], fit.c[0])
    by_model = rng.multinomial(m, np.full(m, 1.0 / m), size=n_refits).astype(np.float64)
    by_dataset = rng.multinomial(n, np.full(n, 1.0 / n), size=n_refits).astype(np.float64)

    fits = fit_weighted(panel.values, by_model, np.ones((n_refits, n)), start)
    shift, scale = _gauge(fits.theta, by_model, curves.theta)
    a, b = np.exp(fits.log_a), -fits.c / np.exp(fits.log_a)
    determined = (by_model > 0).astype(np.float64) @ held >= 2.0
    discrimination = np.where(determined, a / scale[:, None], np.nan)
    difficulty = np.where(determined, shift[:, None] + scale[:, None] * b, np.nan)
    finished = fits.converged.sum()

    fits = fit_weighted(panel.values, np.ones((n_refits, m)), by_dataset, start)
    present = by_dataset @ held.T > 0
    shift, scale = _gauge(fits.theta, present.astype(np.float64), curves.theta)
    ability = np.where(present, shift[:, None] + scale[:, None] * fits.theta, np.nan)
    ability[:, held.sum(axis=1) < LEAST] = np.nan
    unfinished = 2 * n_refits - int(finished + fits.converged.sum())
    models, datasets = panel.originals()
    return Draws(
        ability[:, models], discrimination[:, datasets], difficulty[:, datasets], unfinished
    )


def percentiles(draws: FloatArray, confidence_level: float) -> FloatArray:
    """Return the ends of percentile intervals, shape (2, k), of draws of shape (R, k).

    NaN is left out; where fewer than half of the draws are left, so are the ends.
    """
    known = (~np.isnan(draws)).sum(axis=0)
    ends = percentile_interval(np.ascontiguousarray(draws.T), confidence_level)
    return np.where(known > len(draws) / 2, ends, np.nan)


def _gauge(
    theta: FloatArray, weights: FloatArray, target: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return shift and scale, shape (R,), that give each refit the mean and spread of `target`."""
    total = weights.sum(axis=1)

    def moments(values: FloatArray) -> tuple[FloatArray, FloatArray]:
        mean = (weights * values).sum(axis=1) / total
        return mean, np.sqrt((weights * (values - mean[:, None]) ** 2).sum(axis=1) / total)

    mean, spread = moments(theta)
    target_mean, target_spread = moments(np.broadcast_to(target, theta.shape))
    # One model drawn over and over, or copies of one, have no spread and determine nothing.
    wide = (spread > _NO_SPREAD) & (target_spread > _NO_SPREAD)
    scale = np.where(wide, target_spread, np.nan) / np.where(wide, spread, 1.0)
    return target_mean - scale * mean, scale
