"""Permutations of models within datasets: the level, all permutations, and planted orders."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from robustrank.evaluators.hteb.statistics.concordance import concordance_p


def p_values(cube, seed=0):
    return concordance_p(cube, np.random.default_rng(seed))


@pytest.mark.parametrize(("datasets", "models"), [(2, 2), (8, 4), (12, 11)])
def test_without_an_effect_of_models_the_level_holds(datasets, models):
    """Every part is a board of its own; the share below 0.05 has a standard error of 0.011."""
    cube = np.random.default_rng(1).normal(size=(datasets, models, 400))
    found = p_values(cube)
    for alpha in (0.05, 0.2):
        assert (found < alpha).mean() <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / 400)
    if datasets > 2:
        assert 0.4 < found.mean() < 0.6


def test_it_is_the_share_of_all_permutations():
    values = np.array([[3.0, 1.0, 2.0], [2.0, 1.0, 1.0], [1.0, 2.0, 5.0]])
    ranks = stats.rankdata(values, axis=1) - 2.0
    spread = (ranks.sum(axis=0) ** 2).sum()
    shuffled = [list(permutations(row)) for row in ranks]
    reached = [(np.sum(rows, axis=0) ** 2).sum() >= spread for rows in product(*shuffled)]
    assert p_values(values[..., None])[0] == pytest.approx(np.mean(reached), abs=0.03)


def test_it_is_near_friedman_s_chi_square_on_large_boards():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(40, 6)) + np.linspace(0.0, 0.5, 6)
    expected = stats.friedmanchisquare(*values.T).pvalue
    assert p_values(values[..., None])[0] == pytest.approx(expected, abs=0.02)


def test_an_order_that_repeats_is_found_and_no_p_value_is_0():
    cube = np.arange(5.0)[None, :, None] + np.random.default_rng(0).normal(size=(9, 5, 2))
    assert (p_values(cube) < 0.01).all()
    assert (p_values(cube) >= 1 / 2001).all()


def test_holes_stay_where_they_are_and_no_order_matters():
    rng = np.random.default_rng(5)
    cube = np.linspace(0.0, 2.0, 6)[None, :, None] + rng.normal(size=(9, 6, 3))
    cube[rng.random(cube.shape) < 0.2] = np.nan
    found = p_values(cube)
    assert (found < 0.1).all()
    np.testing.assert_array_equal(p_values(cube[:, ::-1]), found)
    np.testing.assert_array_equal(p_values(cube * 100.0), found)


@pytest.mark.parametrize("shape", [(1, 5, 1), (5, 1, 1), (1, 1, 1)])
def test_too_few_of_either_give_none(shape):
    assert np.isnan(p_values(np.random.default_rng(0).normal(size=shape))).all()


def test_models_that_tie_everywhere_give_none():
    assert np.isnan(p_values(np.zeros((5, 4, 2)))).all()
