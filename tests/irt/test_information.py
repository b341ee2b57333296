"""Fisher information, and the experiment of ranking models by few items."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from robustrank._numeric import content_order
from robustrank.errors import (
    EmptyMatrixError,
    MissingScoresError,
    NonNumericError,
    ParameterError,
)
from robustrank.irt import (
    evaluate_selection,
    fisher_information,
    fit_2pl_instances,
    informative_items,
)
from tests.conftest import note_codes
from tests.irt.simulation import simulate


@pytest.fixture(scope="module")
def fit():
    return fit_2pl_instances(simulate(30, 60).answers)


def test_information_is_minus_the_expected_second_derivative(fit):
    a, b = fit.discrimination.to_numpy(), fit.difficulty.to_numpy()
    table = fisher_information(fit, [-1.5, 0.0, 0.8])
    h = 1e-4

    def log_p(theta, sign):
        return -np.log1p(np.exp(-sign * a * (theta - b)))

    for column, theta in enumerate(table.columns):
        expected = np.zeros(len(a))
        for sign in (1, -1):  # right, wrong
            curvature = (
                log_p(theta + h, sign) - 2 * log_p(theta, sign) + log_p(theta - h, sign)
            ) / h**2
            expected -= np.exp(log_p(theta, sign)) * curvature
        np.testing.assert_allclose(table.iloc[:, column], expected, atol=1e-5)


def test_information_is_largest_at_the_difficulty(fit):
    item = fit.difficulty.index[0]
    at = fit.difficulty[item]
    row = fisher_information(fit, [at - 0.5, at, at + 0.5]).loc[item]
    assert row.iloc[1] == pytest.approx(fit.discrimination[item] ** 2 / 4)
    assert row.iloc[1] > row.iloc[0]
    assert row.iloc[0] == pytest.approx(row.iloc[2])


def test_information_predicts_the_standard_error():
    fit = fit_2pl_instances(simulate(40, 800).answers)
    total = fisher_information(fit).sum()
    assert list(total.index) == list(fit.ability.index)
    np.testing.assert_allclose(1 / np.sqrt(total + 1), fit.ability_se, rtol=0.05)


def test_far_abilities_do_not_overflow(fit):
    assert (fisher_information(fit, [-1e6, 1e6]) < 1e-300).all().all()


def test_informative_items_are_sorted_and_depend_on_where(fit):
    best = informative_items(fit, 10)
    mean = fisher_information(fit).mean(axis=1)
    pd.testing.assert_series_equal(best, mean.nlargest(10), check_names=False)
    easy = informative_items(fit, 10, abilities=[-2.0])
    hard = informative_items(fit, 10, abilities=[2.0])
    assert fit.difficulty[easy.index].mean() < fit.difficulty[hard.index].mean()
    assert len(informative_items(fit)) == 60


def test_constant_items_are_the_least_informative():
    answers = simulate(30, 20).answers
    answers["easy"], answers["hard"] = 1.0, 0.0
    fit = fit_2pl_instances(answers)
    assert {"easy", "hard"} <= set(informative_items(fit).index[-4:])
    # girth has no parameters for them.
    theirs = informative_items(fit_2pl_instances(answers, engine="girth"))
    assert not {"easy", "hard"} & set(theirs.index)


def test_the_order_of_models_and_items_does_not_matter():
    answers = simulate(20, 40).answers
    answers["q99"] = answers["q7"]
    rng = np.random.default_rng(0)
    shuffled = answers.iloc[rng.permutation(20), rng.permutation(41)]
    one, other = (informative_items(fit_2pl_instances(t), 25) for t in (answers, shuffled))
    pd.testing.assert_series_equal(one, other, check_exact=True)


@pytest.fixture(scope="module")
def planted():
    # A twentieth of the labels is wrong.
    drawn = simulate(30, 500, seed=3).answers
    reversed_items = np.random.default_rng(0).random(500) < 0.05
    return drawn.where(~np.tile(reversed_items, (30, 1)), 1 - drawn)


def test_informative_beats_random_beats_least(planted):
    found = evaluate_selection(planted, [25, 50, 100], n_random=60, n_splits=2)
    for table in (found.table, found.held_out):
        assert list(table.index) == [25, 50, 100]
        assert (table["informative"] > table["random"]).all()
        assert (table["random"] > table["least"]).all()
        assert (table["random_low"] < table["random"]).all()
        assert (table["random"] < table["random_high"]).all()
        assert table["random"].is_monotonic_increasing
    assert (found.table["informative"] > found.table["random_high"])[25]
    # Wrong labels are what remains at the bottom: they reverse the ranking.
    assert (found.table["least"][[25]] < 0).all()


def test_the_figures_are_those_of_a_hand_count(planted):
    found = evaluate_selection(planted, [30, 500], n_random=3, n_splits=0)
    full = planted.mean(axis=1)
    best = informative_items(found.fit)
    expected = kendalltau(planted[best.index[:30]].mean(axis=1), full).statistic
    assert found.table["informative"][30] == pytest.approx(expected)
    varied = planted.columns[planted.nunique() > 1]
    least = best[best.index.isin(varied)].index[::-1][:30]
    expected = kendalltau(planted[least].mean(axis=1), full).statistic
    assert found.table["least"][30] == pytest.approx(expected)
    assert (found.table.loc[500, ["informative", "random", "random_low"]] == 1.0).all()
    assert found.held_out.empty


def test_held_out_models_are_not_those_that_choose():
    answers = simulate(14, 60).answers
    found = evaluate_selection(answers, [10], n_random=1, n_splits=1)
    rng = np.random.default_rng(0)
    rng.permutation(60)  # the one draw of items on all models
    shuffled = rng.permutation(14)
    rows, columns = content_order(answers)
    ordered = answers.iloc[rows, columns]
    taus = []
    for half, other in ((shuffled[:7], shuffled[7:]), (shuffled[7:], shuffled[:7])):
        best = informative_items(fit_2pl_instances(ordered.iloc[half]), 10).index
        ranked = ordered.iloc[other]
        taus.append(kendalltau(ranked[best].mean(axis=1), ranked.mean(axis=1)).statistic)
    assert found.held_out["informative"][10] == pytest.approx(np.mean(taus))


def test_ability_as_the_score(planted):
    found = evaluate_selection(planted, [40], score="ability", n_random=10, n_splits=0)
    best = informative_items(found.fit, 40).index
    expected = kendalltau(
        found.fit.score_new(planted[best])["ability"], found.fit.ability
    ).statistic
    assert found.table["informative"][40] == pytest.approx(expected)
    assert found.table["informative"][40] > found.table["random"][40]
    assert found.score == "ability"


def test_selection_is_reproducible_whatever_the_arrangement():
    answers = simulate(14, 60).answers
    rng = np.random.default_rng(5)
    shuffled = answers.iloc[rng.permutation(14), rng.permutation(60)]
    settings = {"sizes": [5, 20], "n_random": 20, "n_splits": 1}
    one, again, other = (evaluate_selection(t, **settings) for t in (answers, answers, shuffled))
    for name in ("table", "held_out"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(again, name), check_exact=True)
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name), check_exact=True)
    reseeded = evaluate_selection(answers, seed=1, **settings)
    assert not reseeded.table["random"].equals(one.table["random"])
    generator = evaluate_selection(answers, seed=np.random.default_rng(0), **settings)
    pd.testing.assert_frame_equal(generator.table, one.table)
    # The draws of one size do not depend on the other sizes.
    alone = evaluate_selection(answers, [20], n_random=20, n_splits=0)
    pd.testing.assert_frame_equal(alone.table, one.table.loc[[20]])


def test_too_few_models_to_split_and_too_few_items_that_vary():
    answers = simulate(6, 30).answers
    answers.iloc[:, 10:] = 1.0
    answers.iloc[0, :10], answers.iloc[1, :10] = 0.0, 1.0
    found = evaluate_selection(answers, [5, 20], n_random=40)
    assert found.held_out.empty
    assert "no-holdout" in note_codes(found)
    assert np.isnan(found.table["least"][20])
    assert np.isfinite(found.table["random"]).all()


def test_bad_input(fit):
    with pytest.raises(ParameterError, match="k is 61, but only 60 items"):
        informative_items(fit, 61)
    with pytest.raises(ParameterError, match="k must be a whole number"):
        informative_items(fit, 0)
    with pytest.raises(ParameterError, match="finite"):
        fisher_information(fit, [0.0, np.nan])
    with pytest.raises(ParameterError, match=r"list of numbers; got shape \(1, 2\)"):
        fisher_information(fit, [[0.0, 1.0]])
    with pytest.raises(EmptyMatrixError, match="abilities is empty"):
        informative_items(fit, abilities=[])
    with pytest.raises(NonNumericError, match="abilities must be numbers"):
        fisher_information(fit, ["high"])
    answers = simulate(8, 30).answers
    for function in (fisher_information, informative_items):
        with pytest.raises(ParameterError, match=r"got DataFrame\. .*fit_2pl_instances\(responses"):
            function(answers)
    for settings, message in (
        ({"sizes": 31}, "of the 30 there are"),
        ({"sizes": 2.5}, "every size must be a whole number"),
        ({"sizes": [31]}, "of the 30 there are"),
        ({"sizes": []}, "of the 30 there are"),
        ({"sizes": [0]}, "every size must be a whole number"),
        ({"sizes": [5], "score": "mean"}, "'accuracy' or 'ability'"),
        ({"sizes": [5], "n_random": 0}, "n_random"),
        ({"sizes": [5], "n_splits": -1}, "n_splits"),
        ({"sizes": [5], "confidence_level": 1.0}, "confidence_level"),
        ({"sizes": [5], "seed": -1}, "seed"),
    ):
        with pytest.raises(ParameterError, match=message):
            evaluate_selection(answers, **settings)
    answers.iloc[2, 3] = np.nan
    with pytest.raises(MissingScoresError, match="'m2' on 'q3'") as caught:
        evaluate_selection(answers, [5])
    assert caught.value.labels == ("m2", "q3")


def test_one_size_and_reprs():
    answers = simulate(14, 60).answers
    one = evaluate_selection(answers, 5, n_random=5, n_splits=0)
    pd.testing.assert_frame_equal(
        one.table, evaluate_selection(answers, [5], n_random=5, n_splits=0).table
    )
    lines = repr(one).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("Selection by accuracy, on the models that chose the items: ")
    assert lines[1].startswith(f"  5 items: {one.table['informative'][5]:.3f} for the most inform")
    split = evaluate_selection(answers, [20, 5, 10], n_random=5, n_splits=1)
    lines = repr(split).splitlines()
    assert "on held-out models" in lines[0]
    assert [line.split(":")[0].strip() for line in lines[1:]] == ["5 items", "20 items"]
    assert f"{split.held_out['random'][20]:.3f} for random ones" in lines[2]
