"""Fitted response curves of datasets, and the ability of models that were not fitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank.irt._batch import RIDGE_THETA

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.irt._panel import Panel
    from robustrank.irt._solver import Fits

#: Abilities among which the best is looked for first; then that is refined.
_GRID = np.linspace(-10.0, 10.0, 401)
_REFINEMENTS = 50
#: Least variance of a residual: of scores without any noise, whose errors would be 0 / 0.
_LEAST_VARIANCE = 1e-12


@dataclass(frozen=True, eq=False)
class Curves:
    """Response curves in units in which the abilities fitted have mean 0 and deviation 1.

    Attributes
    ----------
    panel : Panel
    a, b : ndarray, shape (n,)
        Discriminations and difficulties.
    theta : ndarray, shape (m,)
        Abilities of the models fitted.
    residuals : ndarray, shape (m, n)
        Score minus predicted score, in units of the scores given; NaN where missing.
    origin, unit : float
        The mean and the deviation of the abilities in the gauge of the ridge.
    converged : bool
    """

    panel: Panel
    a: FloatArray
    b: FloatArray
    theta: FloatArray
    residuals: FloatArray
    origin: float
    unit: float
    converged: bool

    @classmethod
    def from_fit(cls, panel: Panel, fit: Fits) -> Curves:
        """Standardise a fit; models, or datasets, with the same scores get the very same values."""
        models, datasets = panel.originals()
        theta, slope, c = fit.theta[0][models], np.exp(fit.log_a[0][datasets]), fit.c[0][datasets]
        origin, unit = theta.mean(), theta.std()
        a, b = slope * unit, (-c / slope - origin) / unit
        theta = (theta - origin) / unit
        residuals = (panel.values - _logistic(a * (theta[:, None] - b))) * (panel.high - panel.low)
        converged = bool(fit.converged[0])
        return cls(panel, a, b, theta, residuals, float(origin), float(unit), converged)

    def slopes(self) -> FloatArray:
        """Return discriminations by a straight line, without the ridge, shape (n,).

        The slope of a dataset's scores on ability, over that of the logistic curve at their mean.
        Where scores hardly depend on ability the curve is straight, and the ridge, which draws a
        towards 1, is all that keeps a above 0.
        """
        values = self.panel.values
        held = ~np.isnan(values)
        scores, counts = np.where(held, values, 0.0), held.sum(axis=0)
        theta = np.where(held, self.theta[:, None], 0.0)
        centred = np.where(held, theta - theta.sum(axis=0) / counts, 0.0)
        spread, mean = (centred**2).sum(axis=0), scores.sum(axis=0) / counts
        # Copies of one model have no spread, and no slope.
        slope = (centred * scores).sum(axis=0) / np.where(spread > 0.0, spread, np.nan)
        return np.asarray(slope / (mean * (1.0 - mean)))

    def abilities(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the abilities that fit new scores best, and their standard errors.

        Parameters
        ----------
        scores : ndarray, shape (k, n)
            NaN where missing.

        Returns
        -------
        tuple of ndarray, shape (k,)
            NaN for a model without a score. The error is that of weighted least squares with each
            dataset's own residual variance, the ridge counting as a normal prior.
        """
        values = self.panel.to_unit(scores)
        held = ~np.isnan(values)
        target = np.nan_to_num(values)
        theta = _GRID[np.argmin(self._losses(target, held), axis=1)]
        ridge, spacing = RIDGE_THETA * self.unit**2, _GRID[1] - _GRID[0]
        for _ in range(_REFINEMENTS):
            predicted = _logistic(self.a * (theta[:, None] - self.b))
            slope = np.where(held, self.a * predicted * (1.0 - predicted), 0.0)
            gradient = (slope * (predicted - target)).sum(axis=1)
            gradient += ridge * (theta + self.origin / self.unit)
            step = gradient / ((slope**2).sum(axis=1) + ridge)
            theta = theta - step.clip(-spacing, spacing)
        pooled, own = self._variances()
        precision = (slope**2 / own).sum(axis=1) + ridge / pooled
        none = ~held.any(axis=1)
        return np.where(none, np.nan, theta), np.where(none, np.nan, 1.0 / np.sqrt(precision))

    def information(self, theta: FloatArray) -> FloatArray:
        """Return how much each dataset says about abilities, shape (k, n), without the ridge."""
        predicted = _logistic(self.a * (theta[:, None] - self.b))
        slope = self.a * predicted * (1.0 - predicted)
        return np.asarray(slope**2 / self._variances()[1])

    def total_information(self, theta: FloatArray) -> FloatArray:
        """Return how much all datasets say about abilities, shape (k,), without the ridge."""
        return np.asarray(self.information(theta).sum(axis=1))

    def _losses(self, target: FloatArray, held: FloatArray) -> FloatArray:
        """Return the objective of each model at each ability of the grid."""
        predicted = _logistic(self.a * (_GRID[:, None] - self.b))  # ability × dataset
        squares = held @ (predicted**2).T - 2.0 * (target @ predicted.T)
        prior = RIDGE_THETA * (self.origin + self.unit * _GRID) ** 2
        return np.asarray(squares + prior)

    def _variances(self) -> tuple[float, FloatArray]:
        """Return the variance of all residuals, and of each dataset's, in units of 0..1.

        They are divided by the cells less the parameters, shared out evenly.
        """
        squares = (self.residuals / (self.panel.high - self.panel.low)) ** 2
        cells, (m, n) = np.count_nonzero(~np.isnan(squares)), squares.shape
        free = max(cells - m - 2 * n, 1) / cells
        own = np.nanmean(squares, axis=0) / free
        return max(float(np.nanmean(squares) / free), _LEAST_VARIANCE), own.clip(_LEAST_VARIANCE)


def _logistic(z: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -500.0, 500.0))))
