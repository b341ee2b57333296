from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem, t

import robustrank as rr
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.winners import Winner
from robustrank.winners.correction import answer, find_winner
from tests.conftest import frame, note_codes, random_scores

QUICK = {"n_resamples": 400}


@pytest.fixture(scope="module")
def simulated():
    """What is found on boards of 10 equal models, whose true mean is 0.5 and whose lead is 0."""
    rng = np.random.default_rng(1)
    boards = []
    for _ in range(80):
        values = 0.5 + rng.normal(0.0, 0.1, 22) + rng.normal(0.0, 0.04, (10, 22))
        _, _, found = find_winner(
            values, np.arange(22), confidence_level=0.95, n_resamples=200, rng=rng
        )
        boards.append(found)
    return boards


def test_intervals_of_equal_models_hold_and_the_naive_ones_do_not(simulated):
    def coverage(quantity, method):
        rows = [found[quantity][method] for found in simulated]
        true = 0.5 if quantity == "mean" else 0.0
        return np.mean([row.low <= true <= row.high for row in rows])

    assert coverage("over_average", "naive") < 0.85
    for method in ("hybrid", "conditional", "projection"):
        for quantity in ("mean", "over_average", "over_runner_up"):
            assert coverage(quantity, method) >= 0.88, (quantity, method)


def test_corrected_estimates_are_as_often_too_low_as_too_high(simulated):
    for quantity in ("over_average", "over_runner_up"):
        high = [found[quantity]["hybrid"].estimate > 0.0 for found in simulated]
        assert 0.38 < np.mean(high) < 0.62
        assert all(found[quantity]["naive"].estimate > 0.0 for found in simulated)


def test_the_bootstrap_takes_off_a_part_of_the_bias(simulated):
    naive, less = (
        np.mean([found["over_average"][method].estimate for found in simulated])
        for method in ("naive", "bootstrap")
    )
    assert 0.0 < less < 0.6 * naive


def test_a_clear_winner_has_students_interval():
    scores = random_scores(6, 30)
    scores.iloc[2] = (scores.iloc[2] * 0.02 + 0.9).clip(upper=1.0)
    found = rr.correct_winner(scores, **QUICK)
    values = scores.iloc[2]
    low, high = t.interval(0.95, 29, values.mean(), values.std(ddof=1) / np.sqrt(30))
    assert found.leader == "m2"
    naive = found.by_method.loc[("mean", "naive")]
    assert list(naive) == pytest.approx([values.mean(), low, high])
    assert list(found.by_method.loc[("mean", "conditional")]) == pytest.approx(list(naive))
    row = found.table.loc["mean"]
    assert row["measured"] == pytest.approx(row["corrected"])
    # The hybrid pays a tenth of the error rate for what is of no use here.
    assert low - 0.03 * (high - low) < row["low"] < low


def test_the_runner_up_lead_and_average_are_those_of_the_scores():
    scores = random_scores(8, 20, seed=4)
    found = rr.correct_winner(scores, **QUICK)
    means = scores.mean(axis=1).sort_values(ascending=False)
    assert (found.leader, found.runner_up) == tuple(means.index[:2])
    measured = [means.iloc[0], means.iloc[0] - means.mean(), means.iloc[0] - means.iloc[1]]
    assert list(found.table["measured"]) == pytest.approx(measured)
    assert found.leader in found.headline


def test_arrangement_names_and_scale_change_no_number():
    scores = random_scores(7, 15, seed=2)
    found = rr.correct_winner(scores, **QUICK)
    shuffled = scores.sample(frac=1.0, random_state=1).sample(frac=1.0, axis=1, random_state=2)
    renamed = shuffled.rename(index=lambda name: f"z{name}")
    for other in (rr.correct_winner(shuffled, **QUICK), rr.correct_winner(renamed, **QUICK)):
        pd.testing.assert_frame_equal(other.by_method, found.by_method, check_exact=True)
        assert other.leader.removeprefix("z") == found.leader
    percent = rr.correct_winner(scores * 100.0, **QUICK)
    pd.testing.assert_frame_equal(percent.by_method, found.by_method, rtol=1e-6)


def test_the_seed_decides_the_draws_and_no_estimate_of_the_leader():
    scores = random_scores(7, 15, seed=2)
    first, again, other = (rr.correct_winner(scores, seed=seed, **QUICK) for seed in (1, 1, 2))
    assert first.to_dict() == again.to_dict()
    assert (first.table["measured"] == other.table["measured"]).all()
    assert not first.by_method.equals(other.by_method)


def test_clusters_count_once():
    scores = random_scores(6, 12, seed=3)
    copied = pd.concat([scores, scores.add_suffix("-copy")], axis=1)
    groups = {name: str(name).removesuffix("-copy") for name in copied.columns}
    once, twice = (
        rr.correct_winner(scores, **QUICK),
        rr.correct_winner(copied, by=groups, **QUICK),
    )
    assert twice.settings["n_units"] == 12
    exact = ("naive", "conditional")
    rows = once.by_method.index.get_level_values("method").isin(exact)
    pd.testing.assert_frame_equal(once.by_method[rows], twice.by_method[rows])
    alone = rr.correct_winner(copied, **QUICK).by_method.loc[("mean", "naive")]
    whole = twice.by_method.loc[("mean", "naive")]
    assert alone["high"] - alone["low"] < 0.8 * (whole["high"] - whole["low"])


def test_a_near_tie_is_answered_by_the_simultaneous_interval():
    scores = random_scores(5, 20, seed=5)
    shift = scores.iloc[0].mean() - scores.iloc[1].mean()
    scores.iloc[1] += shift - 1e-7
    scores.iloc[2:] -= 0.3
    found = rr.correct_winner(scores, **QUICK)
    lead = found.table.loc["over_runner_up"]
    wide = found.by_method.loc[("over_runner_up", "projection")]
    assert lead["method"] == "projection"
    assert (lead["low"], lead["high"]) == (wide["low"], wide["high"])
    assert lead["corrected"] == found.by_method.loc[("over_runner_up", "bootstrap"), "estimate"]
    assert "near-tie" in note_codes(found)
    asked = rr.correct_winner(scores, method="conditional", **QUICK)
    assert asked.table.loc["over_runner_up", "method"] == "conditional"
    assert "near-tie" not in note_codes(asked)


def test_few_datasets_are_answered_by_the_simultaneous_interval():
    found = rr.correct_winner(random_scores(5, 6), **QUICK)
    assert set(found.table["method"]) == {"projection"}
    assert "few-units" in note_codes(found)


def test_the_upper_end_of_the_lead_over_the_runner_up_is_at_least_the_projections():
    scores = random_scores(8, 20, seed=4)
    found = rr.correct_winner(scores, **QUICK)
    ways = found.by_method.loc["over_runner_up"]
    lead = found.table.loc["over_runner_up"]
    assert lead["method"] == "hybrid"
    assert lead["low"] == ways.loc["hybrid", "low"]
    assert lead["high"] == ways.loc["projection", "high"] > ways.loc["hybrid", "high"]


def test_of_two_models_with_the_same_mean_neither_is_corrected_below_the_other():
    rows = np.random.default_rng(0).permuted(np.tile(np.linspace(0.2, 0.8, 12), (2, 1)), axis=1)
    found = rr.correct_winner(rows, **QUICK)
    lead = found.table.loc["over_runner_up"]
    assert lead["corrected"] == pytest.approx(0.0, abs=1e-12)
    assert lead["low"] == pytest.approx(-lead["high"])
    assert " lead with the same mean of 0.5000 over 12 datasets, which is " in found.headline
    assert "Their difference may be -" in found.headline


def test_identical_models_and_a_constant_lead():
    row = [0.5, 0.6, 0.7, 0.8, 0.55, 0.65]
    same = rr.correct_winner([row, row], **QUICK)
    lead = same.table.loc["over_runner_up"]
    assert (lead["corrected"], lead["low"], lead["high"]) == (0.0, 0.0, 0.0)
    assert "tied-leaders" in note_codes(same)
    assert "Their difference is the same on every dataset." in same.headline
    ahead = rr.correct_winner([row, [value - 0.05 for value in row]], **QUICK)
    lead = ahead.table.loc["over_runner_up"]
    assert [lead["corrected"], lead["low"], lead["high"]] == pytest.approx([0.05] * 3)
    assert ahead.headline.endswith("Their difference is the same on every dataset.")


def test_one_dataset_corrects_nothing_and_says_so():
    found = rr.correct_winner([[0.5], [0.6], [0.4]])
    assert found.leader == "m2"
    assert list(found.table["measured"]) == pytest.approx([0.6, 0.1, 0.1])
    assert found.table[["corrected", "low", "high", "method"]].isna().all(axis=None)
    assert note_codes(found) == ["one-unit"]
    assert "over 1 dataset, too few to say" in found.summary()


@pytest.mark.parametrize("n", [2, 5])
def test_fewer_than_six_datasets_correct_nothing_and_say_so(n):
    scores = random_scores(5, n)
    found = rr.correct_winner(scores, **QUICK)
    assert found.table[["corrected", "low", "high", "method"]].isna().all(axis=None)
    assert note_codes(found) == ["too-few-units"]
    assert f"over {n} datasets, too few to say" in found.headline
    with pytest.raises(EmptyMatrixError, match="too few to correct"):
        found.plot.over_runner_up()
    naive = found.by_method.loc[("mean", "naive")]
    best = scores.loc[found.leader]
    expected = t.interval(0.95, n - 1, best.mean(), sem(best))
    assert (naive["low"], naive["high"]) == pytest.approx(expected)


def test_constant_datasets_and_models_leave_numbers():
    scores = random_scores(5, 12)
    scores["d3"] = 0.5
    scores.loc["m1"] = 0.4
    found = rr.correct_winner(scores, **QUICK)
    assert found.table[["corrected", "low", "high"]].notna().all(axis=None)


def test_incomplete_models_are_set_aside_with_a_note():
    scores = random_scores(6, 12)
    scores.loc["m0", "d0"] = np.nan
    found = rr.correct_winner(scores, **QUICK)
    assert found.settings["n_models"] == 5
    assert "dropped-models" in note_codes(found)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"method": "best"}, "method must be one of 'hybrid'"),
        ({"confidence_level": 95}, "confidence_level must lie between 0 and 1"),
        ({"n_resamples": 0}, "n_resamples must be a whole number"),
        ({"n_resamples": 199}, "at least 200 for intervals of 95%"),
        ({"seed": -1}, "seed must be"),
        ({"by": "languages"}, "'clusters'"),
    ],
)
def test_settings_out_of_range_are_named(settings, words):
    with pytest.raises(ParameterError, match=words):
        rr.correct_winner(random_scores(3, 4), **settings)


def test_a_single_model_is_no_winner():
    with pytest.raises(EmptyMatrixError):
        rr.correct_winner([[0.5, 0.6]])


def test_a_contradiction_is_replaced_only_where_there_is_one(simulated):
    replaced = [answer(found, "hybrid", 22)[0]["method"].ne("hybrid").sum() for found in simulated]
    assert 0.0 < np.mean(np.array(replaced) > 0) < 0.7


def test_names_are_text_and_files_are_written(tmp_path):
    scores = frame(random_scores(3, 12).to_numpy())
    scores.index = ["a$b$ & <script>\n", "模型" * 10, "n" * 80]
    found = rr.correct_winner(scores, n_resamples=200)
    assert len(found.headline) < 400
    assert "\n" not in found.summary().splitlines()[0]
    assert isinstance(found, Winner)
    names = {path.name for path in found.save(tmp_path)}
    assert {"winner.csv", "methods.csv", "mean.svg", "over_runner_up.svg"} <= names
    assert found.to_dict()["settings"]["method"] == "hybrid"
