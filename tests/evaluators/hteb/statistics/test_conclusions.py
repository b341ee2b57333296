"""Sentences on boards whose truth is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.evaluators.hteb.statistics import robustness
from robustrank.evaluators.hteb.statistics.conclusions import conclusions
from robustrank.evaluators.hteb.statistics.findings import findings

ONE_OF_EACH = ("paraphrasing", "expansion", "translation")


def board(changes, originals, transformations=ONE_OF_EACH):
    """Return a table from changes, models × datasets × transformations × runs, and originals."""
    rows = [
        {
            "model": f"model {i}",
            "dataset": f"data {j}",
            "transformation": transformations[k],
            "run": run,
            "score": originals[i] + change,
            "original": originals[i],
        }
        for (i, j, k, run), change in np.ndenumerate(changes)
    ]
    return pd.DataFrame(rows)


def few(table):
    return robustness(table, n_splits=20, n_resamples=20)


def said(table):
    return " ".join(conclusions(few(table)))


def noisy(levels, originals, noise, seed=0):
    """Models on 12 datasets in 3 runs, whose transformed scores are the levels with noise."""
    rng = np.random.default_rng(seed)
    mean = np.asarray(levels) - originals
    changes = mean[:, None, None, None] + rng.normal(0.0, noise, (len(mean), 12, 3, 3))
    return board(changes, originals)


TEN = np.linspace(0.3, 0.7, 10)


def test_noise_alone_is_not_called_reordering():
    """One run agrees less with another than the mean over runs does with the original."""
    table = noisy(TEN - 0.1, TEN, noise=0.12)
    found = few(table)
    stability = found.stability.table.loc["total"]
    assert stability["mean"] > stability["within"] + 0.1
    assert "does not show that rewriting does more to the order" in conclusions(found)[2]


def test_reordering_beyond_noise_is_said():
    mixed = TEN[[3, 0, 1, 2, 7, 4, 5, 6, 9, 8]]
    text = said(noisy(mixed - 0.1, TEN, noise=0.01))
    assert "so that rewriting reorders models by more than its randomness." in text


def test_reordering_that_noise_hides_is_left_open():
    mixed = TEN[[1, 0, 3, 2, 5, 4, 7, 6, 9, 8]]
    table = noisy(mixed - 0.1, TEN, noise=0.08)
    found = few(table)
    stability = found.stability.table.loc["total"]
    assert stability["within"] < stability["mean"] < 0.9
    assert "does not show that rewriting does more to the order" in conclusions(found)[2]


def test_an_order_turned_round_is_not_called_kept():
    text = said(noisy(TEN[::-1] - 0.1, TEN, noise=0.01))
    assert "original and transformed texts is -" in text
    assert "keep their order" not in text


def test_an_order_that_stays_is_called_kept():
    text = said(noisy(TEN - 0.1, TEN, noise=1e-6))
    assert "Within every dataset, models keep their order: Kendall's τ is 1." in text


def test_one_bad_model_is_not_all_models():
    changes = np.random.default_rng(0).normal(0.0, 0.01, (11, 12, 3, 2))
    changes -= changes.mean(axis=(1, 2, 3), keepdims=True)
    changes[4] -= 0.3
    text = said(board(changes, np.full(11, 0.6)))
    assert "the 95% interval lies for 1 of them below 0" in text
    assert "In the mean over these models, all 3 transformations lower scores" in text


@pytest.mark.parametrize(("sign", "verb"), [(-1.0, "lowers"), (1.0, "raises")])
def test_a_significant_shift_of_0_has_the_direction_of_its_mean(sign, verb):
    changes = np.zeros((2, 30, 1, 1))
    changes[:, :8] = sign * np.linspace(0.05, 0.12, 8)[None, :, None, None]
    found = few(board(changes, [0.5, 0.6], ONE_OF_EACH[:1]))
    row = found.shifts.table.iloc[0]
    assert row["estimate"] == 0.0
    assert row["p_value"] < 0.05
    assert f"of 1 transformation, 1 {verb} scores by more than chance" in conclusions(found)[1]


def test_equal_totals_lead_together():
    """The same changes in another order, whose sums differ in the last bit."""
    changes = np.empty((2, 3, 3, 1))
    changes[0, :, :, 0] = [[-0.1, -0.2, -0.3], [-0.2, -0.1, -0.15], [-0.3, -0.1, -0.07]]
    changes[1, :, :, 0] = changes[0, ::-1, ::-1, 0]
    lines = list(findings(few(board(changes, [0.7, 0.7]))))
    assert "Leader     model 0 and model 1, as on original texts" in lines


def test_no_change_is_no_gain_and_no_axis_changes_most():
    found = few(board(np.zeros((3, 4, 3, 2)), TEN[:3]))
    text = " ".join(conclusions(found))
    assert "The 3 models keep their score on transformed texts" in text
    assert not any(line.startswith("Axis") for line in findings(found))
    assert found.summary()
    one = said(board(np.zeros((1, 4, 3, 2)), TEN[:1]))
    assert "model 0 keeps its score on transformed texts, from 30.0 to 30.0; its 95%" in one


def test_two_models_that_two_datasets_order_alike_show_nothing():
    """Chance orders them alike on every second board: percentiles over splits are no test."""
    changes = np.array([[-0.1, -0.12], [-0.2, -0.25]])[:, :, None, None].repeat(3, axis=2)
    found = few(board(changes, [0.6, 0.7]))
    assert (found.split_half.table["low"] == 1.0).all()
    assert found.split_half.table["p_unadjusted"].between(0.45, 0.55).all()
    assert "or of the datasets chosen, remains open" in conclusions(found)[3]


def test_profiles_that_repeat_are_called_so():
    sensitivity = np.linspace(0.02, 0.2, 6)[:, None, None, None]
    noise = np.random.default_rng(0).normal(0.0, 0.02, (6, 10, 3, 1))
    text = said(board(noise - sensitivity, np.full(6, 0.6)))
    assert "Which models drop more repeats from dataset to dataset along every axis" in text
