from __future__ import annotations

import pytest

from robustrank.evaluators.hteb.judging import judge_scores
from tests.evaluators.hteb.judging.planted import ratings


def test_a_judge_that_favours_its_own_texts_is_found():
    quality = dict.fromkeys(["J1", "J2", "J3"], 3.0)
    partial = judge_scores(ratings(quality, own=0.5), n_resamples=300)
    own = partial.self_preference
    assert list(own.index) == ["J1", "J2", "J3"]
    assert (own["low"] > 0).all()
    assert own["preference"].mean() == pytest.approx(0.5, abs=0.15)
    assert "J2 rates its own texts" in partial.summary()
    fair = judge_scores(ratings(quality), n_resamples=300).self_preference
    assert ((fair["low"] < 0) & (fair["high"] > 0)).sum() >= 2


def test_of_several_judges_one_that_seems_to_favour_itself_is_chance():
    judges = ["J1", "J2", "J3", "J4"]
    table = ratings(
        dict.fromkeys(judges, 3.0),
        judges=judges,
        transformations=["expansion"],
        n_items=40,
        seed=4,
    )
    scores = judge_scores(table, n_resamples=400)
    own = scores.self_preference
    assert own["p_value"].min() < 0.04  # which alone would be a finding
    # Holm: the smallest of four counts four times, the next three times.
    first, second = own["p_value"].nsmallest(2)
    assert own["p_adjusted"].nsmallest(2).tolist() == pytest.approx([4 * first, 3 * second])
    assert "its own texts" not in scores.summary().split("\n\n")[0]
    assert "p_adjusted" in scores.summary()


def test_a_judge_that_is_lenient_to_all_does_not_favour_itself():
    table = ratings(dict.fromkeys(["J1", "J2", "J3"], 2.5), noise=0.2)
    lenient = table["judge"] == "J1"
    table.loc[lenient, "rating"] += 1
    own = judge_scores(table, n_resamples=500).self_preference.loc["J1"]
    assert own["leniency"] > 0.6
    assert abs(own["preference"]) < 0.1
