"""Levenberg-Marquardt for the two-parameter logistic model, many weighted fits at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import single_threaded
from robustrank.irt._batch import Batch, Workspace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

_MAX_ITERATIONS = 200
#: Levenberg-Marquardt damping, relative to the curvature: where it starts, and when it gives up.
_DAMPING, _MOST_DAMPING = 1e-5, 1e8
#: After a step no longer than this, the next one is a Newton step.
_NEWTON_LENGTH = 0.1
#: Longer steps are shortened: from so far away, a linearisation knows the direction at most.
_MOST_LENGTH = 5.0
#: Cells of all fits in one batch: enough to hide the overhead of numpy, few enough for the cache.
_BATCH_CELLS = 40_000
#: Scores are clipped this far from 0 and 1 before the logarithms of the start values.
_CLIP = 0.01
_LEAST_START_SLOPE = 0.1


@dataclass(frozen=True, eq=False)
class Fits:
    """R fits, in the gauge that the ridge chooses.

    Attributes
    ----------
    theta : ndarray, shape (R, m)
    log_a, c : ndarray, shape (R, n)
    cost : ndarray, shape (R,)
        The minimised objective.
    converged : ndarray of bool, shape (R,)
    """

    theta: FloatArray
    log_a: FloatArray
    c: FloatArray
    cost: FloatArray
    converged: NDArray[np.bool_]


def fit_once(scores: FloatArray, *, tolerance: float = 1e-8) -> Fits:
    """Fit the whole table once, from a rank-one approximation of the logits (R = 1).

    Parameters
    ----------
    scores : ndarray, shape (m, n)
        NaN where missing; every row and column has a score, and every column varies.
    tolerance : float
        Largest effect of a change of a parameter in the last step (see `Batch.step`), relative to
        the root of the objective.
    """
    m, n = scores.shape
    return fit_weighted(
        scores, np.ones((1, m)), np.ones((1, n)), _start(scores), tolerance=tolerance
    )


def fit_weighted(
    scores: FloatArray,
    models: FloatArray,
    datasets: FloatArray,
    start: tuple[FloatArray, FloatArray, FloatArray],
    *,
    tolerance: float = 1e-3,
) -> Fits:
    """Fit the table under R weightings.

    Parameters
    ----------
    scores : ndarray, shape (m, n)
        NaN where missing.
    models : ndarray, shape (R, m)
        Copies of each model; where 0, its θ has no meaning.
    datasets : ndarray, shape (R, n)
        Copies of each dataset; where 0, its α and c have no meaning.
    start : tuple of ndarray, shapes (m,), (n,), (n,)
        θ, α and c to start from.
    tolerance : float
        Largest effect of a change of a parameter in the last step (see `Batch.step`), relative to
        the root of the objective.
    """
    r = len(models)
    batch = min(r, max(1, _BATCH_CELLS // scores.size))
    work = Workspace(batch, *scores.shape)
    theta, log_a, c = (np.broadcast_to(values, (r, len(values))).copy() for values in start)
    cost, converged = np.empty(r), np.empty(r, dtype=bool)
    with single_threaded():
        for k in range(0, r, batch):
            some = slice(k, min(k + batch, r))
            fits = np.arange(some.start, some.stop)[:, None]
            # Of a resampled table about a third is not drawn: only what is drawn is fitted.
            i, j = _drawn(models[some]), _drawn(datasets[some])
            cells = scores[i[:, :, None], j[:, None, :]]
            x = np.hstack([theta[fits, i], log_a[fits, j], c[fits, j]])
            fitted = Batch(cells, models[fits, i], datasets[fits, j], work)
            x, cost[some], converged[some] = _descend(fitted, x, tolerance)
            theta[fits, i], log_a[fits, j], c[fits, j] = np.split(
                x, [i.shape[1], i.shape[1] + j.shape[1]], axis=1
            )
    return Fits(theta, log_a, c, cost, converged)


def _drawn(weights: FloatArray) -> NDArray[np.intp]:
    """Return the places of positive weights in each row, filled up to equal length by others."""
    drawn = weights > 0
    order = np.argsort(~drawn, axis=1, kind="stable")
    return order[:, : drawn.sum(axis=1).max()]


def _start(scores: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return θ, α and c of a rank-one approximation of the logits, by alternating regressions."""
    held = ~np.isnan(scores)
    clipped = np.where(held, scores, 0.5).clip(_CLIP, 1.0 - _CLIP)
    logits = np.log(clipped / (1.0 - clipped))
    counts = held.sum(axis=0)

    def centred(table: FloatArray) -> FloatArray:
        return np.where(held, table - np.where(held, table, 0.0).sum(axis=0) / counts, 0.0)

    z = centred(logits)
    spread = np.sqrt((z**2).sum(axis=0) / counts)
    theta = (z / np.where(spread > 0, spread, 1.0)).sum(axis=1) / held.sum(axis=1)
    if theta.std() < _CLIP * _CLIP:  # datasets that cancel each other out: follow one of them
        theta = z[:, np.argmax(spread)]
    for _ in range(5):
        theta = (theta - theta.mean()) / max(theta.std(), _CLIP)
        x = centred(np.broadcast_to(theta[:, None], z.shape))
        a = np.maximum((x * z).sum(axis=0) / (x**2).sum(axis=0).clip(min=_CLIP), _LEAST_START_SLOPE)
        c = np.where(held, logits - a * theta[:, None], 0.0).sum(axis=0) / counts
        theta = np.where(held, (logits - c) * a, 0.0).sum(axis=1) / np.where(held, a**2, 0.0).sum(
            axis=1
        )
    return theta, np.log(a), c


def _descend(
    batch: Batch, x: FloatArray, tolerance: float
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Run Levenberg-Marquardt on a batch of fits, each with a damping of its own."""
    r = batch.size
    cost = batch.try_out(x)
    batch.accept(np.ones(r, dtype=bool))
    damping, newton = np.full(r, _DAMPING), np.zeros(r, dtype=bool)
    result, least, converged = x.copy(), cost.copy(), np.zeros(r, dtype=bool)
    active = np.arange(r)
    for _ in range(_MAX_ITERATIONS):
        step, effect = batch.step(x, damping, newton)
        length = np.abs(step).max(axis=1)
        step *= (_MOST_LENGTH / length.clip(min=_MOST_LENGTH))[:, None]
        trial = x + step
        trial_cost = batch.try_out(trial)
        # Within rounding, a step from the optimum may look uphill.
        better = trial_cost <= cost * (1.0 + 1e-14)
        batch.accept(better)
        x = np.where(better[:, None], trial, x)
        cost = np.where(better, trial_cost, cost)
        result[active], least[active] = x, cost
        arrived = better & (damping <= 1.0) & (effect <= tolerance * np.sqrt(cost))
        converged[active[arrived]] = True
        go_on = ~arrived & (damping <= _MOST_DAMPING)
        # A Newton step that fails is tried again as a Gauss-Newton step before it is shortened.
        damping = damping * np.where(better, 0.1, np.where(newton, 1.0, 10.0))
        newton = better & (length <= _NEWTON_LENGTH)
        if not go_on.all():
            active, x, cost = active[go_on], x[go_on], cost[go_on]
            damping, newton = damping[go_on], newton[go_on]
            if not len(active):
                break
            batch.keep(go_on)
    return result, least, converged
