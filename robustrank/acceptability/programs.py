"""Linear programs over the weights that are allowed: can a model be first, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._numeric import TIE_DECIMALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.acceptability.restriction import Restriction

#: A lead of this size is one: see `TIE_DECIMALS`.
_LEAD = 10.0**-TIE_DECIMALS
#: Rivals that join a program at a time.
_AT_ONCE = 20
#: As exact as HiGHS can be.
_TOLERANCES = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def inner_point(restriction: Restriction) -> FloatArray | None:
    """Return allowed weights that keep away from all bounds that leave room, None if none exist."""
    q = restriction.q
    room = restriction.upper - restriction.lower
    # As far as possible from the bounds of every group, as a share of the room between them.
    away = np.r_[np.c_[-np.eye(q), room], np.c_[np.eye(q), room]]
    sides = np.r_[-restriction.lower, restriction.upper]
    order = np.c_[order_rows(restriction), np.zeros(max(len(restriction.chain) - 1, 0))]
    found = _solve(restriction, np.r_[away, order], np.r_[sides, np.zeros(len(order))], (0.0, 0.5))
    return None if found.x is None else _tidy(found.x[:-1], restriction)


def find_first(values: FloatArray, restriction: Restriction, known: FloatArray) -> FloatArray:
    """Return allowed weights that put each model before all others.

    Models of equal values count as one. For the others a linear program maximises the lead over
    the best rival, unless weights are known, or a mixture of rivals is at least as good everywhere.

    Parameters
    ----------
    values : ndarray, shape (m, q)
        What one unit of weight on each group gives each model.
    restriction : Restriction
    known : ndarray, shape (m, q)
        Weights at which a model may be first; NaN where none are known.

    Returns
    -------
    ndarray, shape (m, q)
        NaN where there are none.
    """
    _, lines, inverse = np.unique(
        values.round(TIE_DECIMALS), axis=0, return_index=True, return_inverse=True
    )
    inverse = inverse.reshape(-1)
    distinct, weights = values[lines], known[lines]
    rivals_of = ~np.eye(len(lines), dtype=bool)
    leads = np.array(
        [_lead(distinct, row, weights[row], rivals_of[row]) for row in range(len(lines))]
    )
    weights[~(leads > _LEAD)] = np.nan
    open_ = np.isnan(weights[:, 0])
    for row in np.flatnonzero(open_):
        open_[row] = not (distinct[row] <= distinct[rivals_of[row]]).all(axis=1).any()
    # The strongest first: what shows that one of them cannot lead mostly holds for weaker ones.
    for row in np.argsort(-distinct.mean(axis=1), kind="stable"):
        if not open_[row]:
            continue
        open_[row] = False
        best, mixture = _best_lead(distinct, row, restriction, rivals_of[row])
        if _lead(distinct, row, best, rivals_of[row]) > _LEAD:
            weights[row] = best
        else:
            # A rival in the mixture is not judged by itself.
            open_ &= ((distinct - mixture @ distinct) > 0.0).any(axis=1) | (mixture > 0.0)
    return np.asarray(weights[inverse])


def _lead(values: FloatArray, row: int, weights: FloatArray, rivals: NDArray[np.bool_]) -> float:
    """Return the lead of a model over its best rival; infinite without a rival."""
    totals = (values * weights).sum(axis=1)
    return float(totals[row] - totals[rivals].max(initial=-np.inf))


def _best_lead(
    values: FloatArray, row: int, restriction: Restriction, rivals: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Return the weights of the largest lead, and the mixture of rivals that allows no larger.

    Few rivals bind: those who are ahead of the ones considered join until there are none, or until
    these alone allow no lead.
    """
    open_ = np.flatnonzero(rivals)
    open_ = open_[np.argsort(-values[open_].mean(axis=1), kind="stable")]
    considered, open_ = open_[:_AT_ONCE], open_[_AT_ONCE:]
    while True:
        weights, shares = _lead_over(values[considered], values[row], restriction)
        totals = values @ weights
        best = totals[considered].max()
        ahead = totals[open_] > best + _LEAD
        if totals[row] <= best or not ahead.any():
            mixture = np.zeros(len(values))
            mixture[considered] = shares
            return weights, mixture
        by_total = np.argsort(-totals[open_], kind="stable")
        considered = np.r_[considered, open_[by_total[:_AT_ONCE]]]
        open_ = open_[by_total[_AT_ONCE:]]


def _lead_over(
    rivals: FloatArray, own: FloatArray, restriction: Restriction
) -> tuple[FloatArray, FloatArray]:
    """Maximise the lead over some rivals: the weights, and the rivals' shares in what limits it."""
    behind = np.c_[rivals - own, np.ones(len(rivals))]
    order = np.c_[order_rows(restriction), np.zeros(max(len(restriction.chain) - 1, 0))]
    rows = np.r_[behind, order]
    found = _solve(restriction, rows, np.zeros(len(rows)), (None, None))
    shares = np.clip(-found.ineqlin.marginals[: len(rivals)], 0.0, None)
    return _tidy(found.x[:-1], restriction), shares / shares.sum()


def order_rows(restriction: Restriction) -> FloatArray:
    """Return the rows of ``rows @ weights <= 0`` that keep the order."""
    rows = np.zeros((max(len(restriction.chain) - 1, 0), restriction.q))
    places = np.arange(len(rows))
    rows[places, restriction.chain[:-1]] = -1.0
    rows[places, restriction.chain[1:]] = 1.0
    return rows


def _solve(
    restriction: Restriction,
    rows: FloatArray,
    sides: FloatArray,
    last: tuple[float | None, float | None],
) -> Any:
    """Maximise the variable after the weights, such that rows @ variables <= sides."""
    from scipy.optimize import linprog  # noqa: PLC0415 - slow to import, and not always needed

    q = restriction.q
    return linprog(
        np.r_[np.zeros(q), -1.0],
        A_ub=rows,
        b_ub=sides,
        A_eq=np.r_[np.ones(q), 0.0][None],
        b_eq=[1.0],
        bounds=[*zip(restriction.lower, restriction.upper, strict=True), last],
        method="highs",
        options=_TOLERANCES,
    )


def _tidy(weights: FloatArray, restriction: Restriction) -> FloatArray:
    """Remove what the tolerance of the solver lets through."""
    inside = np.clip(weights, restriction.lower, restriction.upper)
    return np.asarray(inside / inside.sum())
