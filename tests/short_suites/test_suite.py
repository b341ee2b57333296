from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import robustrank as rr
from robustrank._arrange import by_content
from robustrank.aggregation import AGGREGATES
from robustrank.errors import (
    EmptyMatrixError,
    InputError,
    NonNumericError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.matrix import ScoreMatrix
from robustrank.short_suites import short_suite
from tests.conftest import frame, note_codes, random_scores
from tests.short_suites import oracle

QUICK = {"repeats": 1, "n_random": 20}


def noisy(models=24, datasets=8, seed=0):
    return random_scores(models, datasets, seed, noise=0.15)


def test_held_out_tau_equals_the_slow_one():
    """Only the arrangement is taken over from the library: folds are dealt in that order."""
    scores = noisy(12, 5)
    found = short_suite(scores, tau=1.0, folds=3, repeats=2, n_random=5, seed=7)
    values = by_content(ScoreMatrix(scores)).scores.to_numpy()
    tau, error = oracle.held_out(values, np.ones(5), oracle.greedy, 3, 2, np.random.default_rng(7))
    np.testing.assert_allclose(found.curve["held_out"], tau, atol=1e-12)
    np.testing.assert_allclose(found.curve["held_out_error"], error, atol=1e-12)


def test_the_curve_says_how_each_suite_ranks():
    scores = noisy()
    found = short_suite(scores, **QUICK)
    full = scores.mean(axis=1)
    for size in range(1, 9):
        part = scores[list(found.curve["dataset"].iloc[:size])].mean(axis=1)
        row = found.curve.loc[size]
        assert row["tau"] == pytest.approx(kendalltau(full, part).statistic)
        assert row["leader_kept"] == (full.idxmax() == part.idxmax())
        shared = set(full.nlargest(10).index) & set(part.nlargest(10).index)
        assert row["top_overlap"] == pytest.approx(len(shared) / 10)
    assert found.curve["tau"].iloc[-1] == 1.0


def test_the_suite_is_the_first_that_held_out_models_allow():
    scores = noisy(seed=1)
    found = short_suite(scores, tau=0.85, **QUICK)
    curve, size = found.curve, found.size
    spare = np.minimum(curve["tau"], curve["held_out"] - curve["held_out_error"])
    assert spare[size] >= 0.85 > spare.iloc[: size - 1].max()
    assert found.datasets == tuple(curve["dataset"].iloc[:size])
    assert found.cost == size == found.comparison.loc["held out", "size"]
    in_sample = found.comparison.loc["in sample", "size"]
    assert in_sample < size
    assert f"{in_sample} would seem enough" in found.headline
    suite = scores[list(found.datasets)].mean(axis=1).rank(ascending=False)
    pd.testing.assert_series_equal(
        found.ranks["suite"].sort_index(), suite.sort_index(), check_names=False
    )
    assert found.ranks["full"].is_monotonic_increasing


@pytest.mark.parametrize("seed", range(3))
def test_a_suite_keeps_the_ranking_of_the_models_that_chose_it_too(seed):
    """Pairs within folds may all be in order while some between folds are not."""
    found = short_suite(random_scores(14, 6, seed), tau=1.0, **QUICK)
    assert found.size is None or found.curve.loc[found.size, "tau"] == 1.0


def test_held_out_sizes_past_the_answer_are_few_and_then_undefined():
    found = short_suite(noisy(24, 20), tau=0.6, **QUICK)
    known = found.curve["held_out"].notna()
    assert known.sum() == found.size + 5
    assert known.iloc[: found.size + 5].all()


def test_random_suites_are_those_of_the_same_draws():
    scores = noisy(12, 5)
    found = short_suite(scores, tau=0.7, n_random=300, repeats=1)
    values = scores.to_numpy()
    for size in (1, 2, 4):
        every = [
            kendalltau(values.mean(axis=1), values[:, list(subset)].mean(axis=1)).statistic
            for subset in combinations(range(5), size)
        ]
        row = found.curve.loc[size]
        # 300 draws of the few subsets there are: the mean is near, the ends are among them
        assert row["random"] == pytest.approx(np.mean(every), abs=0.03)
        assert min(every) - 1e-9 <= row["random_low"] <= row["random_high"] <= max(every) + 1e-9
    assert found.curve.loc[5, ["random", "random_low", "random_high"]].tolist() == [1.0] * 3


def test_a_planted_dataset_that_ranks_as_the_whole_suite_is_the_suite():
    """With d0 = the mean of the others, the mean of all is d0 as well."""
    scores = noisy(20, 6)
    scores.insert(0, "planted", scores.mean(axis=1))
    found = short_suite(scores, tau=1.0, **QUICK)
    assert (found.size, found.datasets) == (1, ("planted",))
    assert found.curve.loc[1, "held_out"] == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_no_search_beats_the_best_of_all_subsets(seed):
    scores = random_scores(10, 7, seed, noise=0.2)
    best = oracle.smallest(scores.to_numpy(), 0.8)
    for method in ("greedy", "backward"):
        found = short_suite(scores, tau=0.8, method=method, **QUICK)
        assert best <= found.comparison.loc["in sample", "size"] <= best + 2


def test_costs_change_what_is_chosen_and_what_random_suites_may_spend():
    scores = noisy()
    cost = {name: 100.0 if name in ("d0", "d1") else 1.0 for name in scores}
    found = short_suite(scores, tau=0.8, cost=cost, **QUICK)
    assert not {"d0", "d1"} & set(found.datasets)
    assert found.cost == found.curve.loc[found.size, "cost"] == len(found.datasets)
    assert list(found.curve["dataset"].iloc[-2:]) in (["d0", "d1"], ["d1", "d0"])
    assert found.curve["cost"].iloc[-1] == 206.0
    assert "random suites that cost no more" in found.headline
    assert found.settings["cost"] == cost
    cheapest = found.comparison.loc["random, cheapest"]
    assert cheapest["tau"] >= 0.8
    assert cheapest["cost"] < 100.0


def test_no_random_suite_is_as_cheap_as_a_bargain():
    scores = noisy()
    cost = pd.Series(10.0, index=scores.columns)
    cost["d3"] = 0.01
    found = short_suite(scores, cost=cost, n_random=1, repeats=1, seed=1)
    assert found.curve.loc[1, "dataset"] == "d3"
    assert np.isnan(found.curve.loc[1, "random"])


def test_costs_are_a_column_of_the_metadata():
    scores = noisy()
    sizes = pd.DataFrame({"n_instances": range(10, 18)}, index=scores.columns)
    found = short_suite(ScoreMatrix(scores, sizes), cost="n_instances", **QUICK)
    assert found.settings["cost"] == "n_instances"
    assert found.curve["cost"].iloc[-1] == sum(range(10, 18))
    by_mapping = short_suite(scores, cost=sizes["n_instances"], **QUICK)
    pd.testing.assert_frame_equal(found.curve, by_mapping.curve)


@pytest.mark.parametrize("method", ["greedy", "information", "backward"])
def test_arrangement_names_and_units_change_no_number(method):
    scores = noisy(16, 6)
    found = short_suite(scores, method=method, tau=0.8, **QUICK)
    turned = scores.iloc[::-1, [3, 1, 5, 0, 4, 2]]
    renamed = (100 * turned).rename(index="<b>{}".format, columns="x${}".format)
    other = short_suite(renamed, method=method, tau=0.8, **QUICK)
    assert other.datasets == tuple(f"x${name}" for name in found.datasets)
    numbers = found.curve.columns.drop("dataset")
    pd.testing.assert_frame_equal(found.curve[numbers], other.curve[numbers])
    pd.testing.assert_frame_equal(found.comparison, other.comparison)
    moved = other.ranks.rename(index=lambda name: name.removeprefix("<b>"))
    pd.testing.assert_frame_equal(found.ranks, moved.loc[found.ranks.index])


def test_the_same_seed_gives_the_same_bytes_and_a_generator_works():
    scores = noisy(12, 5)
    texts = [json.dumps(short_suite(scores, seed=3, **QUICK).to_dict()) for _ in range(2)]
    assert texts[0] == texts[1]
    drawn = short_suite(scores, seed=np.random.default_rng(3), **QUICK)
    pd.testing.assert_frame_equal(drawn.curve, short_suite(scores, seed=3, **QUICK).curve)
    assert drawn.settings["seed"]["state"] == np.random.default_rng(3).bit_generator.state["state"]


@pytest.mark.parametrize("aggregate", [name for name in AGGREGATES if "/" not in name])
def test_every_aggregate_ranks_all_datasets_as_itself(aggregate):
    types = pd.DataFrame({"task_type": list("aabbb")}, index=[f"d{j}" for j in range(5)])
    board = ScoreMatrix(noisy(10, 5), types)
    found = short_suite(board, aggregate=aggregate, n_random=3, repeats=1, folds=2)
    assert found.curve["tau"].iloc[-1] == pytest.approx(1.0)
    assert (
        found.ranks["full"]
        == rr.compare_aggregations(board, aggregate).ranks[aggregate][found.ranks.index]
    ).all()


def test_a_scheme_ranks_suites_as_it_ranks_boards():
    scores = noisy(10, 5)
    found = short_suite(scores, aggregate="topsis/critic", n_random=3, repeats=1, folds=2)
    first = scores[list(found.curve["dataset"].iloc[:3])]
    full, part = (
        rr.compare_aggregations(board, "topsis/critic").ranks["topsis/critic"]
        for board in (scores, first)
    )
    assert found.curve.loc[3, "tau"] == pytest.approx(kendalltau(full, part).statistic)


def test_no_shorter_suite_is_an_answer():
    rng = np.random.default_rng(0)
    found = short_suite(frame(rng.uniform(size=(20, 4))), tau=0.99, **QUICK)
    assert (found.size, found.cost, found.datasets) == (None, None, ())
    assert found.headline.startswith("No suite of fewer than all 4 datasets keeps the ranking of")
    assert found.ranks["suite"].isna().all()
    assert pd.isna(found.comparison.loc["held out", "size"])
    json.dumps(found.to_dict(), allow_nan=False)
    assert "–" in found.summary()


def test_no_suite_within_the_limit_is_an_answer():
    found = short_suite(noisy(), tau=0.99, max_size=2, **QUICK)
    assert len(found.curve) == 2
    assert found.headline.startswith("No suite of at most 2 datasets keeps")


def test_few_models_are_judged_by_those_that_chose():
    found = short_suite(random_scores(6, 5), tau=0.8, **QUICK)
    assert note_codes(found) == ["no-holdout"]
    assert found.curve["held_out"].isna().all()
    assert found.size == found.comparison.loc["in sample", "size"]
    assert "on the models that chose" in found.headline
    assert "standard error" not in found.headline
    found.plot.curve()


def test_fewer_folds_than_asked_and_few_models_are_noted():
    found = short_suite(random_scores(8, 4), folds=7, **QUICK)
    folds, few = map(str, found.notes)
    assert folds == "[fewer-folds] 8 models make 2 folds of 4 and more, not 7."
    assert few.startswith("[few-models] τ of 8 models rests on 28 pairs")
    assert note_codes(short_suite(random_scores(39, 2), **QUICK)) == ["few-models"]
    assert short_suite(random_scores(40, 2), **QUICK).notes == ()


def test_incomplete_models_are_set_aside():
    scores = noisy()
    scores.iloc[0, 0] = np.nan
    found = short_suite(scores, **QUICK)
    assert "dropped-models" in note_codes(found)
    assert "m0" not in found.ranks.index


def test_models_that_all_tie_have_no_ranking_to_keep():
    found = short_suite(frame(np.full((9, 4), 0.5)), **QUICK)
    assert found.headline == "All models tie on the full suite: there is no ranking to keep."
    assert "no-ranking" in note_codes(found)
    assert found.size is None
    assert found.curve["tau"].isna().all()
    assert "–" in found.summary()
    with pytest.raises(EmptyMatrixError, match="all models tie"):
        found.plot("curve")


def test_one_dataset_two_models_and_a_flat_dataset():
    assert short_suite(random_scores(9, 1), **QUICK).headline == (
        "There is one dataset: no suite is shorter."
    )
    pair = short_suite(frame([[0.9, 0.2, 0.5], [0.5, 0.3, 0.5]]), **QUICK)
    assert (pair.size, pair.datasets) == (1, ("d0",))


def test_a_copy_of_every_model_ties_with_it_in_every_suite():
    scores = noisy(10, 5)
    both = pd.concat([scores, scores.rename(index="{}-copy".format)])
    one, two = (short_suite(table, tau=0.8, **QUICK) for table in (scores, both))
    np.testing.assert_allclose(one.curve["tau"], two.curve["tau"])
    assert two.ranks.loc["m3", "full"] == two.ranks.loc["m3-copy", "full"]


def test_names_are_text():
    names = ["<script>", "a$b$", "&", "x\ny", "長" * 80, "d", "e", "f"]
    scores = noisy().set_axis(names, axis=1)
    found = short_suite(scores.rename(index={"m0": "<i>\n$"}), tau=0.8, **QUICK)
    assert "x y" in found.summary()
    assert "x\ny" not in found.summary()
    found.plot.curve()


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"tau": 0}, ParameterError, "tau must lie above 0"),
        ({"tau": 1.01}, ParameterError, "at most 1"),
        ({"tau": "x"}, ParameterError, "got 'x'"),
        ({"method": "best"}, ParameterError, "'greedy', 'information', 'backward'; got 'best'"),
        ({"aggregate": "maen"}, UnknownLabelError, "did you mean 'mean'"),
        ({"max_size": 0}, ParameterError, "max_size"),
        ({"folds": 1}, ParameterError, "folds"),
        ({"repeats": 0}, ParameterError, "repeats"),
        ({"n_random": 0}, ParameterError, "n_random"),
        ({"seed": -1}, ParameterError, "seed"),
        ({"cost": 3}, ParameterError, "got int"),
        ({"cost": "price"}, UnknownLabelError, "column of the datasets' metadata 'price'"),
        ({"cost": dict.fromkeys([f"d{j}" for j in range(8)], True)}, NonNumericError, "is True"),
        ({"cost": {"d0": 1.0}}, InputError, "not given for 7 of 8 datasets: d1, d2"),
        ({"cost": dict.fromkeys([f"d{j}" for j in range(8)], 0)}, NonNumericError, "'d0' is 0"),
        (
            {"cost": dict.fromkeys([f"d{j}" for j in range(8)], "much")},
            NonNumericError,
            "above 0",
        ),
    ],
)
def test_wrong_settings_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        short_suite(noisy(), **settings)


def test_information_needs_a_fit():
    with pytest.raises(ParameterError, match="three models and three datasets"):
        short_suite(random_scores(9, 2), method="information")


def test_one_model_is_no_ranking():
    with pytest.raises(EmptyMatrixError):
        short_suite(random_scores(1, 4))


def test_everything_is_saved(tmp_path):
    found = short_suite(noisy(12, 5), **QUICK)
    names = sorted(path.name for path in found.save(tmp_path))
    assert names == [
        "comparison.csv",
        "curve.csv",
        "curve.svg",
        "ranks.csv",
        "results.json",
        "summary.txt",
    ]
    assert repr(found) == f"ShortSuite: {found.headline}"
