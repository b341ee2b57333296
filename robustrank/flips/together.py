"""One model above all others at once: integer and linear programs, solved by HiGHS."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank.errors import InputError
from robustrank.flips import pairs
from robustrank.flips.terms import TIE

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray

#: Rows of a program are scaled to this largest coefficient, ...
_SCALE = 1000.0
#: ... of which the solver tolerates 1e-6 too little: a strict inequality asks for more than that.
_STRICT = 1e-5


@dataclass(frozen=True)
class Fewest:
    """The fewest groups to drop.

    Attributes
    ----------
    dropped : tuple of int, or None
        The smallest set that was found, checked.
    lower : int or None
        No smaller set does it; None if no set at all does.
    to_tie : int or None
        The size of the smallest set found that draws level, or better; None if none was found.
    """

    dropped: tuple[int, ...] | None
    lower: int | None
    to_tie: int | None


def fewest_together(differences: FloatArray, mass: FloatArray, time_limit: float) -> Fewest:
    """Find the fewest groups whose loss puts one model above all others.

    Maximise the number of groups kept, such that the sum over them of every row is positive.

    Parameters
    ----------
    differences : ndarray, shape (r, q)
        Model minus each rival, of sums: see `Sums`.
    mass : ndarray, shape (q,)
    time_limit : float
        Seconds, for each of two programs.

    Notes
    -----
    The program with ≥ 0 in place of > 0 gives the bound, and mostly a set that passes. Where its
    solution only draws level, one with a margin gives the set. Sets are checked in plain
    arithmetic; bounds are as good as the solver.
    """
    q = differences.shape[1]
    # What it takes against the hardest rival alone is a bound.
    level, alone = (pairs.fewest(differences, mass, margin).max() for margin in (-TIE, TIE))
    if np.isnan(level):
        return Fewest(None, None, None)

    def passes(kept: FloatArray | None, margin: float) -> bool:
        if kept is None:
            return False
        sums = differences @ kept - margin * (mass @ kept)
        return bool(pairs.beyond(sums, margin).all())

    kept, bound = _most_kept(_tightest(differences + TIE * mass), 0.0, q - int(level), time_limit)
    to_tie = q - int(kept.sum()) if kept is not None and passes(kept, -TIE) else None
    if np.isnan(alone):
        return Fewest(None, None, to_tie)
    bound = min(bound, q - int(alone))  # fewer than the level ones cannot be enough
    if bound > 0 and not passes(kept, TIE):
        kept, bound = _most_kept(_tightest(differences - TIE * mass), _STRICT, bound, time_limit)
    if bound < 1:
        return Fewest(None, None, to_tie)
    if kept is None or not passes(kept, TIE):
        return Fewest(None, q - bound, to_tie)
    return Fewest(tuple(map(int, np.flatnonzero(kept == 0))), q - bound, to_tie)


def _most_kept(
    rows: FloatArray, margin: float, most: int, time_limit: float
) -> tuple[FloatArray | None, int]:
    """Return a choice of groups, 1 where kept, if one was found, and how many can be kept at most.

    0 at most if the program has no solution.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 - slow to import

    q = rows.shape[1]
    if most < 1:
        return None, 0
    constraints = [LinearConstraint(np.ones((1, q)), 1.0, float(most))]
    if len(rows):
        constraints.append(LinearConstraint(rows, margin, np.inf))
    solved = milp(
        -np.ones(q),
        integrality=np.ones(q),
        bounds=Bounds(0.0, 1.0),
        constraints=constraints,
        options={"time_limit": time_limit},
    )
    if solved.status == 2:
        return None, 0
    bound = solved.mip_dual_bound
    known = bound is not None and np.isfinite(bound)
    # The bound is on minus the number kept, to the solver's tolerance.
    limit = min(most, -ceil(bound - 1e-6)) if known else most
    return (None if solved.x is None else np.round(solved.x)), limit


def _tightest(rows: FloatArray) -> FloatArray:
    """Return the rows, scaled, without those that hold for every choice or where another does."""
    rows = np.unique(rows[(rows < 0).any(axis=1)], axis=0)
    implied = np.zeros(len(rows), dtype=bool)
    for place, row in enumerate(rows):
        # A row that is nowhere below another one holds where that one does; copies are gone.
        above = (rows >= row).all(axis=1)
        above[place] = False
        implied |= above
    kept = rows[~implied]
    return np.asarray(kept * (_SCALE / np.abs(kept).max(axis=1, initial=1e-300, keepdims=True)))


@dataclass(frozen=True, eq=False)
class Shift:
    """The least weight to move.

    Attributes
    ----------
    weights : ndarray, shape (n,), or None
        Those at which the model draws level with the strongest of the others; None if there are
        none.
    passes : bool
        Whether some step further puts it first.
    """

    weights: FloatArray | None
    passes: bool


def least_shift_together(differences: FloatArray, weights: FloatArray) -> Shift:
    """Find the nearest weights at which one model draws level with the strongest of the others.

    Parameters
    ----------
    differences : ndarray, shape (r, n)
        Model minus each rival, of contributions.
    weights : ndarray, shape (n,)
        Sum 1.
    """
    r, n = differences.shape
    rows = _SCALE * differences / np.abs(differences).max(axis=1, initial=1e-300, keepdims=True)
    # The largest margin over all rivals that any weights reach: none above 0, none first.
    first = _solve(
        np.r_[np.zeros(n), -1.0],
        A_ub=np.hstack([-rows, np.ones((r, 1))]),
        b_ub=np.zeros(r),
        A_eq=np.r_[np.ones(n), 0.0][None],
        b_eq=[1.0],
        bounds=[(0.0, None)] * n + [(None, None)],
    )[:n]
    lead = float((differences @ first).min())
    if lead < -TIE:
        return Shift(None, passes=False)
    # Weight moved out of each dataset and into it; as much in as out.
    moved = _solve(
        np.r_[np.ones(n), np.zeros(n)],
        A_ub=np.hstack([rows, -rows]),
        # What the weights found above do can be done: they may fall short by a rounding.
        b_ub=rows @ weights - np.minimum(rows @ first, 0.0),
        A_eq=np.r_[-np.ones(n), np.ones(n)][None],
        b_eq=[0.0],
        bounds=[(0.0, weight) for weight in weights] + [(0.0, None)] * n,
    )
    return Shift(np.clip(weights - moved[:n] + moved[n:], 0.0, None), passes=lead > TIE)


def _solve(costs: FloatArray, **program: Any) -> FloatArray:
    """Solve a linear program that has a solution."""
    from scipy.optimize import linprog  # noqa: PLC0415 - slow to import

    solved = linprog(costs, **program)
    if solved.x is None:
        raise InputError(
            f"The solver found no weights: {solved.message.strip()} Leave 'weights' out of change."
        )
    return np.asarray(solved.x)
