from __future__ import annotations

import evalica
import numpy as np
import pytest
from hypothesis import given, settings

from robustrank._numeric import average_ranks
from robustrank.aggregation import bradley_terry as module
from robustrank.aggregation.bradley_terry import RIDGE, BradleyTerryKernel, fit_strengths
from robustrank.voting import borda
from tests.conftest import random_scores, score_frames


def games(values):
    """Every comparison of two models on a dataset: winner's side, loser's side, result."""
    for column in values.T:
        for i in range(len(column)):
            for j in range(i):
                if np.isnan(column[i]) or np.isnan(column[j]):
                    continue
                gap = column[i] - column[j]
                yield (
                    i,
                    j,
                    [evalica.Winner.Draw, evalica.Winner.X, evalica.Winner.Y][int(np.sign(gap))],
                )


def log_strengths(values):
    xs, ys, winners = zip(*games(values), strict=True)
    found = evalica.bradley_terry(xs, ys, winners, solver="naive", tolerance=1e-12, limit=100_000)
    logs = np.log(found.scores.sort_index().to_numpy())
    return logs - logs.mean()


@pytest.mark.parametrize("holes", [False, True])
def test_equals_evalica_without_the_prior(holes, monkeypatch):
    monkeypatch.setattr(module, "RIDGE", 1e-9)
    values = np.array(random_scores(6, 15, noise=0.25).round(1))
    if holes:
        values[np.random.default_rng(0).random(values.shape) < 0.3] = np.nan
    found = BradleyTerryKernel(values)(np.ones((1, 15)))[:, 0]
    np.testing.assert_allclose(found, log_strengths(values), atol=1e-5)


def test_the_prior_hardly_moves_a_board_without_unbeaten_models():
    values = random_scores(6, 15, noise=0.25).to_numpy()
    found = BradleyTerryKernel(values)(np.ones((1, 15)))[:, 0]
    assert np.abs(found - log_strengths(values)).max() < 0.005


def test_multisets_equal_the_board_with_copied_datasets():
    values = np.array(random_scores(5, 6, noise=0.2).round(1))
    values[2, 3] = np.nan
    kernel = BradleyTerryKernel(values)
    counts = np.random.default_rng(0).multinomial(6, np.full(6, 1 / 6), 30).astype(float)
    found = kernel(counts)
    for b, row in enumerate(counts.astype(int)):
        copied = np.repeat(values, row, axis=1)
        wanted = BradleyTerryKernel(copied)(np.ones((1, 6)))[:, 0]
        np.testing.assert_allclose(found[:, b], wanted, atol=1e-9)


def test_blocks_change_nothing(monkeypatch):
    values = random_scores(5, 6, noise=0.2).to_numpy()
    counts = np.random.default_rng(0).multinomial(6, np.full(6, 1 / 6), 40).astype(float)
    whole = BradleyTerryKernel(values)(counts)
    monkeypatch.setattr(module, "_BLOCK_CELLS", 80)
    np.testing.assert_allclose(BradleyTerryKernel(values)(counts), whole, atol=1e-9)


@settings(max_examples=30)
@given(score_frames())
def test_orders_complete_boards_as_borda_does(scores):
    """Each pair meets equally often, so that the number of wins decides, ties included."""
    found = BradleyTerryKernel(scores.to_numpy())(np.ones((1, scores.shape[1])))[:, 0]
    np.testing.assert_array_equal(average_ranks(found), borda(scores)["rank"][scores.index])


def test_the_maximum_has_no_gradient():
    rng = np.random.default_rng(0)
    wins = rng.integers(0, 9, (20, 7, 7)).astype(float)
    wins[0] = np.triu(np.full((7, 7), 500.0), 1)  # everyone beats all that follow
    wins[1] = 0.0  # nobody meets
    wins[2, 3:] = wins[2, :, 3:] = 0.0  # some meet nobody
    wins[:, range(7), range(7)] = 0.0
    for start in (None, rng.normal(0, 8, (20, 7))):
        strengths = fit_strengths(wins, start)
        np.testing.assert_allclose(strengths.mean(axis=1), 0.0, atol=1e-12)
        chance = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
        met = wins + wins.transpose(0, 2, 1)
        gradient = wins.sum(axis=2) - (met * chance).sum(axis=2) - RIDGE * strengths
        np.testing.assert_allclose(gradient, 0.0, atol=1e-6)
    assert not strengths[1].any()


def test_unbeaten_models_are_finite_and_first():
    values = np.tile([[0.9], [0.5], [0.1]], 100)
    found = BradleyTerryKernel(values)(np.ones((1, 100)))[:, 0]
    assert np.isfinite(found).all()
    assert found[0] - found[1] > 4
    assert found[0] == pytest.approx(-found[2])


def test_models_without_a_score_in_the_multiset():
    values = np.array([[0.9, 0.8], [0.5, np.nan], [np.nan, np.nan], [0.4, 0.3]])
    kernel = BradleyTerryKernel(values)
    assert kernel.ranked.tolist() == [True, True, False, True]
    found = kernel(np.array([[1.0, 1.0], [0.0, 2.0]]))
    assert np.isnan(found).tolist() == [[False] * 2, [False, True], [True] * 2, [False] * 2]


def test_scores_equal_to_ten_decimals_draw():
    values = np.array([[0.3, 0.5], [0.1 + 0.2, 0.5]])
    assert not BradleyTerryKernel(values)(np.ones((1, 2))).any()
