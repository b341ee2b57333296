"""Items that stronger models get wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, pearsonr

from robustrank.errors import ParameterError
from robustrank.irt import find_misfit, fit_2pl_instances
from tests.conftest import note_codes
from tests.irt.simulation import simulate


def with_reversed(models, items, share, seed=3):
    """Simulated answers with the labels of some items reversed, and which ones."""
    answers = simulate(models, items, seed).answers
    wrong = np.random.default_rng(0).random(items) < share
    answers.loc[:, wrong] = 1 - answers.loc[:, wrong]
    return answers, list(answers.columns[wrong])


@pytest.mark.parametrize("against", ["ability", "rest-score"])
def test_reversed_items_come_first(against):
    answers, wrong = with_reversed(60, 200, 0.06)
    found = find_misfit(fit_2pl_instances(answers), against=against)
    assert len(wrong) == 15
    first = found.table.index[: len(wrong)]
    assert len(set(first) & set(wrong)) >= 14
    assert found.table["flagged"][first].all()
    assert found.against == against


def test_the_least_informative_of_all_is_one_planted_item():
    planted = simulate(60, 40)
    answers = planted.answers
    answers["reversed"] = (planted.ability < 0).astype(float)
    found = find_misfit(fit_2pl_instances(answers))
    assert found.table.index[0] == "reversed"
    assert found.table["correlation"].iloc[0] < -0.6
    assert found.table["q_value"].iloc[0] < 1e-6


def test_ability_without_the_item_is_that_of_scoring_without_it():
    answers = simulate(15, 12, seed=1, missing=0.15).answers
    fit = fit_2pl_instances(answers)
    table = find_misfit(fit).table
    for item in answers.columns:
        held = answers[item].notna()
        rest = fit.score_new(answers.drop(columns=item))["ability"][held]
        expected = pearsonr(answers[item][held], rest)
        assert table["correlation"][item] == pytest.approx(expected.statistic, abs=1e-9)
        low = pearsonr(answers[item][held], rest, alternative="less").pvalue
        assert table["p_value"][item] == pytest.approx(low, abs=1e-9)
        assert table["n_models"][item] == held.sum()
        assert table["accuracy"][item] == answers[item].mean()


def test_rest_score_is_the_mean_of_the_other_items():
    answers = simulate(15, 12, seed=1, missing=0.15).answers
    table = find_misfit(fit_2pl_instances(answers), against="rest-score").table
    for item in answers.columns:
        held = answers[item].notna()
        rest = answers.drop(columns=item).mean(axis=1)[held]
        expected = pearsonr(answers[item][held], rest).statistic
        assert table["correlation"][item] == pytest.approx(expected, abs=1e-9)


def test_leaving_the_item_out_matters():
    # With few items an item is part of what it would be correlated with.
    answers = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (200, 5)).astype(float))
    fit = fit_2pl_instances(answers)
    with_item = answers.corrwith(pd.Series(fit.ability.to_numpy()))
    assert with_item.min() > 0.1
    assert with_item.mean() > 0.4
    assert find_misfit(fit).table["correlation"].abs().max() < 0.15


def test_q_values_are_those_of_benjamini_and_hochberg():
    answers, _ = with_reversed(40, 60, 0.1)
    answers["easy"] = 1.0
    table = find_misfit(fit_2pl_instances(answers)).table
    active = table.drop(index="easy")
    np.testing.assert_allclose(active["q_value"], false_discovery_control(active["p_value"]))
    assert (active["q_value"] >= active["p_value"]).all()


def test_items_that_do_not_vary_come_last_and_do_not_count():
    answers, _ = with_reversed(40, 60, 0.1)
    answers["easy"], answers["hard"] = 1.0, 0.0
    constant = int((answers.nunique() == 1).sum())
    assert constant >= 2
    found = find_misfit(fit_2pl_instances(answers))
    assert found.table["correlation"].iloc[-constant:].isna().all()
    assert not found.table["flagged"].iloc[-constant:].any()
    assert found.n_active == 62 - constant
    assert found.share_active == pytest.approx((62 - constant) / 62)
    assert found.n_flagged == (found.table["correlation"] < 0).sum()
    assert found.share_flagged == pytest.approx(found.n_flagged / found.n_active)


def test_the_share_expected_by_chance():
    clean = [find_misfit(fit_2pl_instances(simulate(20, 600, seed).answers)) for seed in range(3)]
    observed = np.mean([found.share_flagged for found in clean])
    expected = np.mean([found.expected_share for found in clean])
    assert 0.4 < expected / observed < 1.5
    answers, _ = with_reversed(40, 400, 0.15)
    dirty = find_misfit(fit_2pl_instances(answers))
    assert dirty.share_flagged > 2 * dirty.expected_share


def test_nothing_varies():
    found = find_misfit(fit_2pl_instances(np.ones((4, 3))))
    assert found.n_active == 0
    assert np.isnan(found.share_flagged)
    assert np.isnan(found.expected_share)
    assert found.table["p_value"].isna().all()


def test_a_perfect_negative_correlation():
    answers = pd.DataFrame({f"q{j}": [0.0, 0.0, 1.0, 1.0] for j in range(4)})
    answers["reversed"] = [1.0, 1.0, 0.0, 0.0]
    found = find_misfit(fit_2pl_instances(answers), against="rest-score")
    assert found.table["correlation"]["reversed"] == pytest.approx(-1.0)
    assert found.table["p_value"]["reversed"] == pytest.approx(0.0, abs=1e-12)


def test_girth_fits_can_be_screened():
    answers, wrong = with_reversed(60, 30, 0.1)
    answers["easy"] = 1.0
    found = find_misfit(fit_2pl_instances(answers, engine="girth"))
    assert set(found.table.index[: len(wrong)]) == set(wrong)
    assert np.isnan(found.table["correlation"]["easy"])


def test_order_does_not_matter_and_few_models_are_noted():
    answers, _ = with_reversed(15, 40, 0.1)
    rng = np.random.default_rng(2)
    shuffled = answers.iloc[rng.permutation(15), rng.permutation(40)]
    one, other = (find_misfit(fit_2pl_instances(t)) for t in (answers, shuffled))
    pd.testing.assert_frame_equal(one.table, other.table.loc[one.table.index], check_exact=True)
    assert one.expected_share == other.expected_share
    assert note_codes(one) == ["few-models"]
    assert note_codes(find_misfit(fit_2pl_instances(simulate(25, 10).answers))) == []


def test_bad_settings():
    with pytest.raises(ParameterError, match="'ability' or 'rest-score'"):
        find_misfit(fit_2pl_instances(simulate(5, 4).answers), against="accuracy")
    with pytest.raises(ParameterError, match=r"got DataFrame\. .*fit_2pl_instances\(responses\)"):
        find_misfit(simulate(5, 4).answers)


def test_repr():
    answers, _ = with_reversed(60, 100, 0.06)
    found = find_misfit(fit_2pl_instances(answers))
    lines = repr(found).splitlines()
    assert lines[0] == (
        f"Misfit of 100 items against ability: {found.n_active} active, {found.n_flagged} flagged"
    )
    assert f"{found.share_flagged:.1%} of the active ones" in lines[1]
    assert f"Most suspicious {found.table.index[0]}: correlation -0." in lines[2]
    nothing = repr(find_misfit(fit_2pl_instances(answers.iloc[:30] * 0 + 1)))
    assert nothing == "Misfit of 100 items against ability: 0 active, 0 flagged"
