from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from tests.grid.planted import MODELS, long_table, study, task_metadata


@pytest.fixture(scope="module")
def found() -> rr.Study:
    return study(n_resamples=50)


@pytest.fixture(scope="module")
def example() -> rr.Study:
    """Five languages of the bundled leaderboard."""
    return rr.study(rr.load_example(), languages=["eng", "fra", "pol", "slv", "swe"], top_k=5)


def test_a_cell_says_what_the_parts_say_of_its_matrix(example):
    for (language, task_type), row in example.cells.iterrows():
        if row["n_models"] == 0:
            continue
        scores = example.matrix(language, task_type).scores
        analysis = rr.analyze(scores, top_k=5, n_resamples=1, n_refits=0)
        ranks = analysis.rankings.ranks
        pd.testing.assert_frame_equal(example.ranks(language, task_type), ranks)
        assert (row["n_scored"], row["n_models"]) == scores.shape[::-1]
        redundancy = analysis.redundancy
        assert (row["q"], row["n_unique"]) == (redundancy.q, redundancy.n_unique)
        assert row["n_rankings"] == analysis.n_rankings
        assert (row["level"], row["ess"]) == (analysis.evidence.level, analysis.evidence.score)
        assert row["consistency"] == pytest.approx(analysis.consistency.max())
        assert analysis.consistency.idxmax() in row["most_consistent_model"].split(" = ")
        assert ranks.mean(axis=1).idxmin() in row["leader"].split(" = ")
        picked = analysis.agreement.w_schemes[redundancy.picks].mean()
        assert row["w_schemes"] == pytest.approx(picked, nan_ok=True)
        w_ds = analysis.agreement.w_compositions.mean()
        assert row["w_compositions"] == pytest.approx(w_ds, nan_ok=True)
        assert row["ds"] == (redundancy.n_unique > 1)


def test_planted_clusters_are_found():
    row = study(level="language").cells.loc[("aaa", "Retrieval")]
    assert (row["n"], row["q"], row["n_unique"], row["level"]) == (3, 2, 2, "E_RS+DS")
    assert row["n_rankings"] == 30
    assert row[["rs", "ds"]].all()


def test_robust_models_are_first_in_a_fifth_of_the_rankings(example):
    ranks = example.ranks("eng", "Classification")
    share = ranks.eq(ranks.min()).mean(axis=1)
    named = example.cells.loc[("eng", "Classification"), "robust_models"].split(", ")
    assert set(named) == set(share.index[share >= 0.2])


def test_languages_add_up_their_cells(example):
    weighted = example.coverage_weighted
    assert (example.languages.index.name, example.tasks.index.name) == ("language", "task_type")
    for language, row in example.languages.iterrows():
        cells = example.cells.loc[language]
        assert row["ess"] == pytest.approx(cells["ess"].mean())
        assert row["evaluable_tasks"] == (cells["n_models"] > 0).sum()
        each = {
            task: example.standings(language, task)["consistency"]
            for task in cells.index[cells["n_models"] > 0]
        }
        by_hand = rr.coverage_weighted_consistency(each, n_tasks=len(cells))
        assert row["coverage_weighted"] == pytest.approx(by_hand.iloc[0])
        assert row["most_consistent_model"].split(" = ")[0] == by_hand.index[0]
        own = weighted[language].loc[by_hand.index]
        np.testing.assert_allclose(own, by_hand)


def test_a_language_that_nothing_can_be_ranked_for_stays_in_the_tables(found):
    row = found.languages.loc["ccc"]
    assert (row["evaluable_tasks"], row["ess"], row["category"]) == (0, 0.0, "extremely weak")
    assert pd.isna(row["most_consistent_model"])
    assert found.coverage_weighted["ccc"].isna().all()


def test_task_types_count_their_languages_and_leaders(example):
    for task_type, row in example.tasks.iterrows():
        cells = example.cells.xs(task_type, level=1)
        assert row["languages"] == (cells["n"] > 0).sum()
        assert row["ess"] == pytest.approx(cells["ess"].mean())
        assert row["assessed_ds"] == cells["ds"].sum()
        leads = cells["most_consistent_model"].dropna().str.split(" = ").explode()
        if len(leads):
            assert leads.value_counts().max() == round(
                row["share_first"] * (cells["n_models"] > 0).sum()
            )


def test_cross_task_consistency_counts_task_types(example):
    table = example.cross_task("eng", 3)
    ranks = {
        task: example.ranks("eng", task)
        for task in example.plan.task_types
        if example.cells.loc[("eng", task), "n_models"]
    }
    pd.testing.assert_frame_equal(
        table, rr.cross_task_consistency(ranks, 3).loc[table.index], check_like=True
    )
    by_composition = example.cross_task("eng", 3, by_composition=True)
    model, scheme = table.index[0], "topsis/equal"
    for composition in ("all", "pick-1", "pick-2", "pick-3"):
        by_hand = sum(
            ranks[task].loc[model].get((composition, scheme), ranks[task].loc[model]["all", scheme])
            <= 3
            for task in ranks
            if model in ranks[task].index
        )
        assert by_composition.loc[model, (composition, scheme)] == by_hand
    assert table.max(axis=1).min() > 0


def test_coverage_says_where_a_model_leads(example):
    table = example.coverage()
    assert table.sum().min() >= 1
    for language in table:
        leaders = example.languages.loc[language, "most_consistent_model"].split(" = ")
        assert set(table.index[table[language]]) == set(leaders)
    assert table.mean(axis=1).is_monotonic_decreasing
    wider = example.coverage(top=5)
    assert wider.sum().min() >= 5
    assert wider.loc[table.index].to_numpy()[table.to_numpy()].all()


def test_top_lists_hold_the_first_places_of_every_ranking(found):
    lists, ranks = found.top("aaa", "Retrieval", 3), found.ranks("aaa", "Retrieval")
    assert list(lists.columns) == list(ranks.columns)
    for name in ranks.columns:
        names = lists[name].dropna()
        assert set(names) == set(ranks.index[ranks[name] <= 3])
        assert ranks.loc[list(names), name].is_monotonic_increasing


def test_standings_are_best_first_and_carry_the_resamples(found):
    table = found.standings("aaa", "Retrieval")
    assert table["consistency"].is_monotonic_decreasing
    assert table["p_best"].sum() == pytest.approx(1)
    each = found.bootstrap("aaa", "Retrieval")
    for name, over in (("rank_low", "min"), ("rank_high", "max"), ("p_best", "mean")):
        by_hand = each.xs(name, axis=1, level="statistic").agg(over, axis=1)
        pd.testing.assert_series_equal(table[name], by_hand.loc[table.index], check_names=False)
    scheme = rr.paired_bootstrap(
        found.matrix("aaa", "Retrieval"), aggregate="vikor/critic", n_resamples=50
    )
    pd.testing.assert_series_equal(each["vikor/critic", "p_best"], scheme.p_best, check_names=False)
    with pytest.raises(ParameterError, match="two datasets or more"):
        found.bootstrap("bbb", "STS")
    assert found.cells["p_best"].notna().sum() == 1  # one dataset alone is not resampled
    assert "p_best" not in found.standings("bbb", "STS")


def test_a_cell_is_analysed_in_full_on_demand(found):
    analysis = found.analysis("aaa", "Retrieval", n_resamples=100)
    assert isinstance(analysis, rr.Analysis)
    pd.testing.assert_frame_equal(analysis.rankings.ranks, found.ranks("aaa", "Retrieval"))
    assert analysis.settings["n_resamples"] == 100
    assert analysis.settings["tau"] == found.settings["tau"]


def test_cells_that_share_their_datasets_share_a_block(example):
    assert len(example.blocks) < (example.cells["n_models"] > 0).sum()


def test_renaming_models_and_datasets_changes_no_number():
    table = long_table()
    names = {model: f"x{99 - i}" for i, model in enumerate(MODELS)}
    renamed = study(table.assign(model=table["model"].map(names)), models=None)
    plain = study(models=None)
    numbers = plain.cells.select_dtypes("number").columns
    pd.testing.assert_frame_equal(plain.cells[numbers], renamed.cells[numbers])
    back = renamed.cells["most_consistent_model"].map(
        {new: old for old, new in names.items()}, na_action="ignore"
    )
    first = plain.cells["most_consistent_model"]
    assert back.dropna().to_dict() == first.dropna().to_dict()


def test_settings_are_enough_to_run_it_again(found):
    given = {
        name: value
        for name, value in found.settings.items()
        if name not in ("versions", "filters", "by")
    }
    again = study(**given, by=tuple(found.settings["by"]))
    pd.testing.assert_frame_equal(again.cells, found.cells)


def test_a_study_can_be_pickled_and_made_again_from_there(found):
    copy = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    pd.testing.assert_frame_equal(copy.again(top_k=3).cells, found.again(top_k=3).cells)


def test_numbers_of_numpy_are_numbers(tmp_path, found):
    given = study(
        n_resamples=np.int64(50),
        seed=np.int64(0),
        top_k=np.int8(10),
        tau=np.float64(0.9),
        folder=tmp_path,
    )
    pd.testing.assert_frame_equal(given.cells, found.cells)
    assert given.save(tmp_path)


def test_a_cell_whose_models_all_tie_is_not_evaluated():
    table = long_table()
    table.loc[table["task"] == "solo", "score"] = 0.5
    found = study(table)
    row = found.cells.loc[("aaa", "STS")]
    assert (row["n_scored"], row["n_ranked"], row["n_models"], row["level"]) == (1, 0, 0, "E0")
    assert found.languages.loc["aaa", "evaluable_tasks"] == 1
    assert any(note.code == "unranked-cells" for note in found.notes)


def test_a_dataset_on_which_all_tie_counts_and_decides_nothing():
    table = long_table()
    table.loc[table["task"] == "other", "score"] = 0.5
    row = study(table, level="language").cells.loc[("aaa", "Retrieval")]
    assert (row["n"], row["n_scored"], row["n_ranked"], row["q"]) == (3, 3, 2, 1)
    assert row["level"] == "E_SC"


def test_a_model_that_is_never_in_the_top_is_not_the_most_consistent():
    table = long_table()
    models = table["model"].isin(["org/m00", "org/m01", "org/m02"])
    table.loc[models & (table["task"] == "solo"), "score"] = 0.98
    found = study(table, top_k=1)  # three share rank 2
    row = found.cells.loc[("bbb", "STS")]
    assert (row["consistency"], row["leader"]) == (0.0, "org/m00 = org/m01 = org/m02")
    assert pd.isna(row["most_consistent_model"])
    assert row["robust_models"] == "org/m00, org/m01, org/m02"


def test_ties_and_tables_do_not_depend_on_the_order_of_rows():
    table = long_table()
    table["score"] = table["score"].round(1)  # ties
    one, two = study(table, top_k=1), study(table.iloc[::-1], top_k=1)
    for name in ("cells", "languages", "tasks"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(two, name))
    for cell in (("aaa", "Retrieval"), ("bbb", "STS")):
        pd.testing.assert_frame_equal(one.standings(*cell), two.standings(*cell))
        pd.testing.assert_frame_equal(one.top(*cell, 3), two.top(*cell, 3))
    pd.testing.assert_frame_equal(one.coverage(3), two.coverage(3))
    pd.testing.assert_frame_equal(one.cross_task("aaa"), two.cross_task("aaa"))


def test_datasets_with_several_values_of_a_field_are_counted_once():
    tasks = task_metadata()
    tasks["domain"] = [("web", "news")] * 5
    found = study(tasks=tasks, by=("language", "domain"))
    assert found.languages.loc["aaa", "n_datasets"] == 5
    assert found.cells.loc["aaa", "n"].tolist() == [5, 5]
    assert found.cross_task("aaa").max().max() <= 2


def test_again_makes_the_study_with_one_setting_changed(found):
    other = found.again(tau=0.2)
    pd.testing.assert_frame_equal(other.cells, study(n_resamples=50, tau=0.2).cells)
    assert other.settings["tau"] == 0.2
    assert found.settings["tau"] == 0.9


@pytest.mark.parametrize(
    ("call", "error", "part"),
    [
        (lambda s: s.ranks("aab", "STS"), UnknownLabelError, "did you mean 'aaa'"),
        (lambda s: s.ranks("aaa", "Sts"), UnknownLabelError, "did you mean 'STS'"),
        (lambda s: s.matrix("ccc", "STS"), EmptyMatrixError, "1 dataset, 0 of them with results"),
        (lambda s: s.analysis("ccc", "Retrieval"), EmptyMatrixError, "could not be ranked"),
        (lambda s: s.cross_task("ccc"), EmptyMatrixError, "No task was given"),
        (lambda s: s.cross_task("eng"), UnknownLabelError, "language"),
        (lambda s: s.cross_task("aaa", 0), ParameterError, "top_k"),
        (lambda s: s.coverage(0), ParameterError, "top"),
        (lambda s: s.top("aaa", "STS", 0), ParameterError, "top_k"),
        (lambda s: s.again(level="task"), UnknownLabelError, "setting of the rankings"),
        (lambda s: s.again(tau=2), ParameterError, "tau"),
        (lambda s: s.again(schemes="wsm/none"), UnknownLabelError, "wsm/none"),
    ],
)
def test_what_is_not_there_is_named(found, call, error, part):
    with pytest.raises(error, match=part):
        call(found)
