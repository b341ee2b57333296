"""Which models can be first at all, against brute force and by construction."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from robustrank.acceptability.programs import find_first
from tests.acceptability.test_restriction import restrict


def unknown(values):
    return np.full(values.shape, np.nan)


def search(values, restriction, known):
    weights = find_first(values, restriction, known)
    return ~np.isnan(weights[:, 0]), weights


def lead(values, row, weights):
    totals = values @ weights
    return totals[row] - np.delete(totals, row).max()


def by_duality(values, row):
    """The largest lead as the least advantage over a mixture of rivals: the other side of it."""
    rivals = np.delete(values, row, axis=0)
    k, q = rivals.shape
    gain = np.c_[values[row] - rivals.T @ np.eye(k) if k == 1 else -rivals.T, -np.ones(q)]
    found = linprog(
        np.r_[np.zeros(k), 1.0],
        A_ub=gain,
        b_ub=np.zeros(q) if k == 1 else -values[row],
        A_eq=np.r_[np.ones(k), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * k + [(None, None)],
    )
    return found.fun


@pytest.mark.parametrize("seed", range(6))
def test_every_model_is_judged_as_by_the_dual_program(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(0.0, 1.0, (25, 1)) * 0.3 + rng.normal(0.0, 0.4, (25, 4))
    possible, weights = search(values, restrict(4), unknown(values))
    largest = np.array([by_duality(values, row) for row in range(25)])
    assert np.abs(largest).min() > 1e-6  # none is on the edge
    assert possible.tolist() == (largest > 0).tolist()
    assert 1 < possible.sum() < 25
    for row in np.flatnonzero(possible):
        assert lead(values, row, weights[row]) > 0
        assert weights[row].sum() == pytest.approx(1.0)
    assert np.isnan(weights[~possible]).all()


@pytest.mark.parametrize(
    "restriction",
    [
        restrict(3, lower={"a": 0.2}, upper={"b": 0.5}),
        restrict(3, order=["c", "a", "b"]),
        restrict(3, lower={"b": 0.1}, order=["a", "b"]),
    ],
)
def test_restrictions_are_kept_as_on_a_grid(restriction):
    steps = 120
    i, j = (grid.ravel() for grid in np.mgrid[: steps + 1, : steps + 1])
    grid = np.column_stack([i, j, steps - i - j])[i + j <= steps] / steps
    grid = grid[restriction.allows(grid)]
    some = 0
    for seed in range(8):
        values = np.random.default_rng(seed).normal(size=(8, 3))
        possible, weights = search(values, restriction, unknown(values))
        on_grid = np.isin(np.arange(8), (values @ grid.T).argmax(axis=0))
        assert (possible >= on_grid).all()
        assert restriction.allows(weights[possible]).all()
        # What the grid misses is a small region, in which the lead is small.
        for row in np.flatnonzero(possible & ~on_grid):
            assert 0 < lead(values, row, weights[row]) < 0.1
        some += (~possible).sum()
    assert some > 20


def test_a_sliver_that_no_draw_would_meet_is_found():
    # The third is first while |w1 - 1/2| < 1e-6, where the others reach 1/2 at most.
    values = np.array([[1.0, 0.0], [0.0, 1.0], [0.5 + 1e-6, 0.5 + 1e-6], [0.5 - 1e-6] * 2])
    possible, weights = search(values, restrict(2), unknown(values))
    assert possible.tolist() == [True, True, True, False]
    assert weights[2] == pytest.approx([0.5, 0.5], abs=2e-6)


def test_a_tie_at_best_is_no_lead():
    values = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])
    possible, weights = search(values, restrict(2), unknown(values))
    # The third never leads; the first and its copy count as one.
    assert possible.tolist() == [True, True, False, True]
    assert (weights[0] == weights[3]).all()


def test_known_weights_are_kept_if_they_do():
    values = np.array([[1.0, 0.0], [0.0, 1.0]])
    known = np.array([[0.8, 0.2], [0.9, 0.1]])
    _, weights = search(values, restrict(2), known)
    assert weights[0].tolist() == [0.8, 0.2]
    assert lead(values, 1, weights[1]) > 0


def test_a_rival_that_keeps_another_from_the_lead_is_judged_itself():
    # The second comes later, and it alone keeps the first from the lead where that is closest.
    values = np.array([[0.5, 0.9], [0.51, 0.0], [0.0, 0.95]])
    possible, _ = search(values, restrict(2, lower={"a": 0.99}), unknown(values))
    assert possible.tolist() == [False, True, False]
