"""Three ways to a set that holds the best model: one-sided comparisons, and two eliminations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from robustrank.confidence_sets.draws import TOLERANCE
from robustrank.confidence_sets.step_down import largest, statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.confidence_sets.draws import Draws

Procedure = Literal["mcb", "mcs-max", "mcs-range"]


def best_p_values(draws: Draws, procedure: Procedure) -> FloatArray:
    """Return the p-value of each model in a set of best models, shape (m,)."""
    if procedure == "mcb":
        return _against_all(draws)
    return _by_range(draws) if procedure == "mcs-range" else _by_deviation(draws)


def _against_all(draws: Draws) -> FloatArray:
    """Compare every model with all others at once, one-sided."""
    m = len(draws.levels)
    p = np.ones(m)
    for j in range(m):
        others = np.delete(np.arange(m), j)
        this = np.full(m - 1, j)
        observed = statistics(draws, others, this).max()
        if observed > TOLERANCE:
            reached = largest(draws, others, this) >= observed - TOLERANCE
            p[j] = draws.p_values(np.count_nonzero(reached))
    return p


def _by_range(draws: Draws) -> FloatArray:
    """Eliminate, again and again, the model that is the furthest behind one of the others.

    Which models go does not depend on the draws. Therefore the largest statistic among those that
    stay is found backwards: it grows with each model that comes back.
    """
    m = len(draws.levels)
    behind = np.zeros((m, m))
    a, b = np.triu_indices(m, 1)
    behind[a, b] = -statistics(draws, a, b)
    behind[b, a] = -behind[a, b]
    staying = np.ones(m, dtype=bool)
    steps: list[tuple[NDArray[np.intp], float]] = []
    while staying.sum() > 1:
        worst = np.where(staying, behind[:, staying].max(axis=1), -np.inf)
        if worst.max() <= TOLERANCE:
            break  # what is left is equal
        # Models that are alike go together, so that their order has no say.
        gone = np.flatnonzero(worst >= worst.max() - TOLERANCE)
        steps.append((gone, float(worst.max())))
        staying[gone] = False
    left = np.flatnonzero(staying)
    running = largest(draws, *_within(left), two_sided=True)
    found = []
    for gone, observed in reversed(steps):
        pairs = np.repeat(gone, len(left)), np.tile(left, len(gone))
        for first, second in (pairs, _within(gone)):
            np.maximum(running, largest(draws, first, second, two_sided=True), out=running)
        hits = np.count_nonzero(running >= observed - TOLERANCE)
        found.append((gone, float(draws.p_values(hits))))
        left = np.r_[left, gone]
    return _cumulated(m, found[::-1])


def _by_deviation(draws: Draws) -> FloatArray:
    """Eliminate, again and again, the model that is the furthest below the mean of those left."""
    m = len(draws.levels)
    left = np.arange(m)
    found = []
    while len(left) > 1:
        rows, levels = draws.rows[left], draws.levels[left]
        below, gaps = rows.mean(axis=0) - rows, levels.mean() - levels
        behind = draws.observed(below, gaps)
        if behind.max() <= TOLERANCE:
            break  # what is left is equal
        moved = draws.moved[left].mean(axis=0) - draws.moved[left]
        reached = draws.drawn(below, moved).max(axis=0) >= behind.max() - TOLERANCE
        gone = behind >= behind.max() - TOLERANCE
        found.append((left[gone], float(draws.p_values(np.count_nonzero(reached)))))
        left = left[~gone]
    return _cumulated(m, found)


def _within(models: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    a, b = np.triu_indices(len(models), 1)
    return models[a], models[b]


def _cumulated(m: int, steps: list[tuple[NDArray[np.intp], float]]) -> FloatArray:
    """Return p-values, the largest one up to where a model goes; 1 for those that never go."""
    p, largest_yet = np.ones(m), 0.0
    for gone, own in steps:
        largest_yet = max(largest_yet, own)
        p[gone] = largest_yet
    return p
