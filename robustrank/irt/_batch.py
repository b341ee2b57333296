"""Penalised least squares for the two-parameter logistic model: one step of many weighted fits.

With z = aθ + c, a = exp(α) and c = -ab, a fit minimises over θ, α and c

    ½ Σ_ij u_i v_j (σ(z_ij) - s_ij)² + ½ (λ_a Σ_j v_j α_j² + λ_c Σ_j v_j c_j² + λ_θ Σ_i u_i θ_i²)

over the cells with a score. Whole weights u_i and v_j stand for copies of model i and dataset j, so
that a weighted fit is the fit of a resampled table. The ridge removes the gauge (θ can be shifted
and scaled, a and c making up for it) and keeps perfect scores finite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Weights of the ridge on log a, on c and on θ.
RIDGE_LOG_A, RIDGE_C, RIDGE_THETA = 1e-2, 1e-3, 1e-3
_MOST_EXPONENT = 500.0  # keeps exp within range
_KEPT = ("_target", "_weights", "_predicted")
_SCRATCH = ("_trial", "_pull", "_curvature", "_cross", "_system", "_product")
_CELL_ARRAYS = 6


class Workspace:
    """Memory for the cells and the equations of up to R fits, asked for once.

    At a few hundred kilobytes an array, asking for it in every iteration takes longer than the
    arithmetic.
    """

    def __init__(self, r: int, m: int, n: int) -> None:
        self._cells = np.empty(_CELL_ARRAYS * r * m * n)
        self._cross = np.empty(2 * r * m * n)
        self._systems = np.empty(2 * r * min(m, 2 * n) ** 2)

    def arrays(self, r: int, m: int, n: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return arrays for cells, for the cross derivatives and for two systems of equations."""
        left = min(m, 2 * n)
        return (
            self._cells[: _CELL_ARRAYS * r * m * n].reshape(_CELL_ARRAYS, r, m, n),
            self._cross[: 2 * r * m * n].reshape(r, m, 2 * n),
            self._systems[: 2 * r * left**2].reshape(2, r, left, left),
        )


class Batch:
    """R weighted fits at their present parameters x = (θ, α, c), shape (R, m + 2n).

    Parameters
    ----------
    scores : ndarray, shape (R, m, n)
        NaN where missing.
    models, datasets : ndarray, shapes (R, m) and (R, n)
        Whole weights; what has weight 0 stays where it is.
    work : Workspace
    """

    def __init__(
        self, scores: FloatArray, models: FloatArray, datasets: FloatArray, work: Workspace
    ) -> None:
        self.size, self._m, self._n = scores.shape
        cells, self._cross, (self._system, self._product) = work.arrays(*scores.shape)
        (
            self._target,
            self._weights,
            self._predicted,
            self._trial,
            self._pull,
            self._curvature,
        ) = cells
        self._ridge = np.hstack([models * RIDGE_THETA, datasets * RIDGE_LOG_A, datasets * RIDGE_C])
        held = ~np.isnan(scores)
        np.multiply(models[:, :, None], datasets[:, None, :], out=self._weights)
        self._weights *= held
        self._target.fill(0.0)
        np.copyto(self._target, scores, where=held)

    def keep(self, which: NDArray[np.bool_]) -> None:
        """Go on with some of the fits."""
        self.size = int(which.sum())
        self._ridge = self._ridge[which]
        for name in _KEPT:
            array = getattr(self, name)
            array[: self.size] = array[which]
        for name in (*_KEPT, *_SCRATCH):
            setattr(self, name, getattr(self, name)[: self.size])

    def accept(self, which: NDArray[np.bool_]) -> None:
        """Make the parameters tried out last the present ones, for some of the fits."""
        if which.all():
            self._predicted, self._trial = self._trial, self._predicted
        else:
            np.copyto(self._predicted, self._trial, where=which[:, None, None])

    def _parts(self, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return θ, α and c."""
        return x[:, : self._m], x[:, self._m : -self._n], x[:, -self._n :]

    def try_out(self, x: FloatArray) -> FloatArray:
        """Return the objective at x, shape (R,)."""
        theta, log_a, c = self._parts(x)
        z, work = self._trial, self._pull
        np.multiply(theta[:, :, None], -np.exp(log_a)[:, None, :], out=z)
        z -= c[:, None, :]
        np.minimum(z, _MOST_EXPONENT, out=z)
        np.exp(z, out=z)
        z += 1.0
        np.reciprocal(z, out=z)
        np.subtract(z, self._target, out=work)
        work *= work
        work *= self._weights
        total: FloatArray = work.sum(axis=(1, 2)) + (self._ridge * x**2).sum(axis=1)
        return 0.5 * total

    def step(
        self, x: FloatArray, damping: FloatArray, newton: NDArray[np.bool_]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the damped step that solves the linearised equations, and its largest effect.

        Parameters
        ----------
        x : ndarray, shape (R, m + 2n)
        damping : ndarray, shape (R,)
            Added to the curvature of each parameter, relative to it.
        newton : ndarray of bool, shape (R,)
            Whether to take the second derivatives of the predictions into account: that converges
            where residuals are large, but leads downhill near a minimum only.

        Returns
        -------
        tuple of ndarray, shapes (R, m + 2n) and (R,)
            The effect of moving one parameter by δ is δ √h, h being the curvature in it: the root
            of twice what that adds to the objective at its minimum.
        """
        theta, log_a, c = self._parts(x)
        ridge_theta, ridge_a, ridge_c = self._parts(self._ridge)
        a, more = np.exp(log_a), 1.0 + damping[:, None]
        pull, curvature = self._slopes(newton)

        slope_theta = (pull @ a[:, :, None])[:, :, 0] + ridge_theta * theta
        along = (theta[:, None, :] @ pull)[:, 0, :] * a
        slope_a, slope_c = along + ridge_a * log_a, pull.sum(axis=1) + ridge_c * c
        of_theta = ((curvature @ (a**2)[:, :, None])[:, :, 0] + ridge_theta) * more
        sums = np.stack([np.ones_like(theta), theta, theta**2], axis=1) @ curvature
        # z bends with α. The part of that which adds to the curvature is always taken: it matters
        # where α sinks, on a dataset better read the other way round.
        bend = np.where(newton[:, None], along, np.maximum(along, 0.0))
        of_a = (a**2 * sums[:, 2] + bend + ridge_a) * more
        of_ac, of_c = a * sums[:, 1], (sums[:, 0] + ridge_c) * more
        self._fill_cross(theta, a, newton)

        eliminate = self._without_models if self._m > 2 * self._n else self._without_datasets
        step = -eliminate(of_theta, (of_a, of_ac, of_c), slope_theta, (slope_a, slope_c))
        curvatures = np.hstack([of_theta, of_a, of_c])
        return step, np.sqrt((step**2 * curvatures).max(axis=1))

    def _slopes(self, newton: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
        """Return the first and the second derivative of the squares in each cell's z."""
        predicted, pull, curvature, work = (
            self._predicted,
            self._pull,
            self._curvature,
            self._trial,
        )
        np.multiply(predicted, predicted, out=work)
        np.subtract(predicted, work, out=work)  # the slope of σ
        np.subtract(predicted, self._target, out=pull)
        np.multiply(predicted, -2.0, out=curvature)
        curvature += 1.0
        curvature *= pull
        curvature *= newton[:, None, None]
        curvature += work
        work *= self._weights
        curvature *= work
        pull *= work
        return pull, curvature

    def _fill_cross(self, theta: FloatArray, a: FloatArray, newton: NDArray[np.bool_]) -> None:
        """Write the second derivatives of the squares in θ and α, and in θ and c."""
        with_a, with_c = self._cross[:, :, : self._n], self._cross[:, :, self._n :]
        np.multiply(self._curvature, a[:, None, :], out=with_c)
        np.multiply(with_c, theta[:, :, None], out=with_a)
        np.multiply(self._pull, newton[:, None, None], out=self._trial)
        with_a += self._trial
        with_a *= a[:, None, :]

    def _without_models(
        self,
        of_theta: FloatArray,
        of_datasets: tuple[FloatArray, FloatArray, FloatArray],
        slope_theta: FloatArray,
        slopes: tuple[FloatArray, FloatArray],
    ) -> FloatArray:
        """Solve with θ eliminated (Schur complement): 2n equations."""
        cross, system, n = self._cross, self._system, self._n
        root = np.sqrt(_positive(of_theta))
        cross /= root[:, :, None]
        slope_theta = slope_theta / root
        np.matmul(cross.transpose(0, 2, 1), cross, out=self._product)
        (of_a, of_ac, of_c), both = of_datasets, np.arange(n)
        system.fill(0.0)
        # A dataset without copies has no curvature, and stays where it is.
        system[:, both, both] = np.where(of_c == 0.0, 1.0, of_a)
        system[:, n + both, n + both] = np.where(of_c == 0.0, 1.0, of_c)
        system[:, both, n + both] = system[:, n + both, both] = of_ac
        system -= self._product
        right = np.hstack(slopes) - (slope_theta[:, None, :] @ cross)[:, 0, :]
        step = np.linalg.solve(system, right[:, :, None])
        return np.hstack([(slope_theta - (cross @ step)[:, :, 0]) / root, step[:, :, 0]])

    def _without_datasets(
        self,
        of_theta: FloatArray,
        of_datasets: tuple[FloatArray, FloatArray, FloatArray],
        slope_theta: FloatArray,
        slopes: tuple[FloatArray, FloatArray],
    ) -> FloatArray:
        """Solve with α and c eliminated, by a Cholesky factor for each dataset: m equations."""
        cross, system, n = self._cross, self._system, self._n
        of_a, of_ac, of_c = of_datasets
        first = np.sqrt(_positive(of_a))
        below = of_ac / first
        second = np.sqrt(_positive(of_c - below**2))
        with_a, with_c = cross[:, :, :n], cross[:, :, n:]
        with_a /= first[:, None, :]
        np.multiply(with_a, below[:, None, :], out=self._trial)
        with_c -= self._trial
        with_c /= second[:, None, :]
        slope_a = slopes[0] / first
        slope_c = (slopes[1] - below * slope_a) / second
        np.matmul(cross, cross.transpose(0, 2, 1), out=self._product)
        each = np.arange(self._m)
        np.negative(self._product, out=system)
        system[:, each, each] += _positive(of_theta)
        right = slope_theta - (cross @ np.hstack([slope_a, slope_c])[:, :, None])[:, :, 0]
        step = np.linalg.solve(system, right[:, :, None])[:, :, 0]
        moved = (step[:, None, :] @ cross)[:, 0, :]
        step_c = (slope_c - moved[:, n:]) / second
        step_a = (slope_a - moved[:, :n] - below * step_c) / first
        return np.hstack([step, step_a, step_c])


def _positive(curvature: FloatArray) -> FloatArray:
    """Replace curvatures that are not positive: of what has no copies, or far from a minimum."""
    return np.where(curvature > 0.0, curvature, 1.0)
