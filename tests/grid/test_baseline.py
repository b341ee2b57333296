"""Every ranking against the leaderboard's own."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

import robustrank as rr
from robustrank.errors import ParameterError
from robustrank.grid.baseline import compare_with_baseline
from tests.conftest import frame, note_codes, random_scores
from tests.test_published import published

CELL = ["language", "task_type"]


@pytest.fixture(scope="module")
def example() -> rr.Study:
    return rr.study(rr.load_example(), languages=["slv", "pol"])


def study_of(scores: pd.DataFrame, languages: dict[str, str]) -> rr.Study:
    """A study of one task type; the languages of each dataset are separated by semicolons."""
    tasks = pd.DataFrame({"task_type": "STS", "languages": languages})
    return rr.study(rr.ScoreMatrix(scores, tasks.loc[scores.columns]))


def long_study(cells: list[tuple[str, str, str, float]], **settings) -> rr.Study:
    """A study from rows of model, dataset, language and score."""
    table = pd.DataFrame(cells, columns=["model", "task", "languages", "score"])
    within = table.groupby(["model", "task", "languages"]).cumcount()
    table["subset"] = table["languages"] + within.astype(str)
    tasks = table.groupby("task")["languages"].agg(lambda each: ";".join(sorted(set(each))))
    metadata = pd.DataFrame({"task_type": "STS", "languages": tasks}).reset_index()
    return rr.study(table, tasks=metadata, **settings)


def board(found: rr.Study, by: str, cell: tuple[str, str]) -> pd.Series:
    """The leaderboard's score of every model, computed the plain way."""
    scores = found.source.matrix.scores
    if by == "task-type-mean":
        types = found.source.matrix.datasets["task_type"]
        return scores[types.index[types == cell[1]]].mean(axis=1, skipna=False)
    if by == "mean":
        ranked = scores.loc[found.ranks(*cell).index].dropna(axis="columns")
        return ranked.mean(axis=1)
    points = (len(scores) - scores.rank(ascending=False)).fillna(0.0)
    return points.sum(axis=1)


@pytest.mark.parametrize("by", ["task-type-mean", "mean", "borda"])
def test_correlations_are_those_of_scipy(example, by):
    found = compare_with_baseline(example, by)
    assert found.by == by
    ranked = example.cells.index[example.cells["n_models"] > 0]
    assert list(found.correlations[CELL].drop_duplicates().itertuples(index=False)) == list(ranked)
    for cell, part in found.correlations.groupby(CELL):
        ranks, scores = (
            example.ranks(*cell),
            board(example, by, cell).reindex(example.ranks(*cell).index),
        )
        held = scores.notna()
        assert set(part["n_models"]) == {held.sum()}
        assert set(part["n_left_out"]) == {(~held).sum()}
        assert list(zip(part["composition"], part["scheme"], strict=True)) == list(ranks.columns)
        both = np.column_stack([scores[held], -ranks[held]])
        expected = spearmanr(both).statistic[0, 1:]
        np.testing.assert_allclose(part["spearman"], expected, atol=1e-12)


def test_the_mean_rests_on_the_datasets_that_all_ranked_models_have(example):
    found = compare_with_baseline(example, "mean").correlations.set_index(CELL)
    scores = example.source.matrix.scores
    for cell in example.cells.index[example.cells["n_models"] > 0]:
        common = scores.loc[example.ranks(*cell).index].notna().all().sum()
        assert set(found.loc[[cell], "n_datasets"]) == {common}


def test_by_language_a_model_is_scored_by_all_its_subsets_in_the_language():
    # In aaa, "two" has two subsets: they count twice against the one of "one".
    cells = [
        *[("a", "one", "aaa", 0.9), ("a", "two", "aaa", 0.1), ("a", "two", "aaa", 0.2)],
        *[("b", "one", "aaa", 0.1), ("b", "two", "aaa", 0.5), ("b", "two", "aaa", 0.5)],
        *[("c", "one", "aaa", 0.5), ("c", "two", "aaa", 0.3), ("c", "two", "aaa", 0.3)],
        *[("a", "one", "bbb", 0.3), ("b", "one", "bbb", 0.2), ("c", "one", "bbb", 0.9)],
    ]
    found = compare_with_baseline(long_study(cells))
    assert found.by == "language-mean"
    table = found.correlations.set_index(["language", "composition", "scheme"])["spearman"]
    # aaa: .40, .37, .37 by subsets; whole datasets: one .6, .15, .7 and two .15, .5, .3.
    ranks = long_study(cells).ranks("aaa", "STS")
    for name in ranks:
        expected = spearmanr(-ranks[name], [0.4, 1.1 / 3, 1.1 / 3]).statistic
        assert table["aaa"][name] == pytest.approx(expected, abs=1e-12)
    # bbb has "one" alone, on which its own scores are .3, .2, .9 and the whole ones .6, .15, .7.
    assert set(table["bbb"].round(12)) == {1.0}
    counts = found.correlations.groupby("language")["n_datasets"].unique()
    assert counts["aaa"] == [2]
    assert counts["bbb"] == [1]


def test_by_language_models_without_a_subset_in_it_are_left_out_and_counted():
    models = "abcde"
    cells = [(m, "one", "aaa", 0.1 + i / 10) for i, m in enumerate(models)]
    cells += [("a", "one", "bbb", 0.8), ("b", "one", "bbb", 0.5), ("c", "one", "bbb", 0.6)]
    found = compare_with_baseline(long_study(cells))
    counts = found.correlations.groupby("language")[["n_models", "n_left_out"]].first()
    assert counts.to_numpy().tolist() == [[5, 0], [3, 2]]
    assert note_codes(found) == ["baseline-left-out"]
    assert found.notes[0].labels == ("bbb STS",)
    assert "bbb STS (2)" in found.notes[0].message


def test_rows_that_name_no_language_count_for_every_language_of_their_dataset():
    table = pd.DataFrame(
        {
            "model": list("abc") * 2,
            "task": "one",
            "subset": ["x"] * 3 + ["y"] * 3,
            "languages": ["aaa"] * 3 + [None] * 3,
            "score": [0.1, 0.2, 0.3, 0.9, 0.2, 0.3],
        }
    )
    tasks = pd.DataFrame({"task": ["one"], "task_type": ["STS"], "languages": ["aaa;bbb"]})
    found = compare_with_baseline(rr.study(table, tasks=tasks), "language-mean").correlations
    # Whole dataset and aaa: .5, .2, .3. bbb has the second subset alone: .9, .2, .3.
    assert set(found["spearman"]) == {1.0}
    assert set(found["n_models"]) == {3}


def test_a_table_without_languages_falls_back_on_the_task_type(example):
    assert compare_with_baseline(example).by == "task-type-mean"


def test_on_a_single_dataset_all_schemes_agree(example):
    table = compare_with_baseline(example, "borda").by_composition.set_index(CELL)
    single = example.cells.index[(example.cells["n_scored"] == 1) & example.cells["rs"]]
    assert len(single) > 5
    for cell in single:
        row = table.loc[[cell]]
        assert list(row["composition"]) == ["all"]
        assert row["sd"].item() == pytest.approx(0.0, abs=1e-12)
        assert row["low"].item() == row["high"].item() == pytest.approx(row["mean"].item())


def test_summaries_are_over_the_other_dimension(example):
    found = compare_with_baseline(example, "mean")
    for kept, table in (("composition", found.by_composition), ("scheme", found.by_scheme)):
        assert list(table) == [*CELL, kept, "mean", "sd", "low", "high"]
        assert not table.duplicated([*CELL, kept]).any()
        for _, row in table.iterrows():
            own = found.correlations
            for key in (*CELL, kept):
                own = own[own[key] == row[key]]
            values = own["spearman"].to_numpy()
            expected = [values.mean(), values.std(), values.min(), values.max()]
            np.testing.assert_allclose(
                row[["mean", "sd", "low", "high"]].tolist(), expected, atol=1e-12
            )
    assert len(found.by_scheme) == 15 * len(found.by_scheme.groupby(CELL))


def test_a_board_that_ties_all_models_gives_no_correlation():
    skill = np.array([0.2, 0.4, 0.7])
    scores = frame(np.column_stack([skill, 1.0 - skill]))
    found = compare_with_baseline(study_of(scores, {"d0": "aaa", "d1": "bbb"}))
    assert found.correlations["spearman"].isna().all()
    assert found.by_composition[["mean", "sd", "low", "high"]].isna().all(axis=None)
    assert note_codes(found) == ["baseline-undefined"]
    assert found.notes[0].labels == ("aaa STS", "bbb STS")


@pytest.mark.parametrize("n_shared", [0, 1])
def test_fewer_than_two_models_left_give_no_correlation(n_shared):
    scores = random_scores(6, 2)
    scores.iloc[: 3 - n_shared, 0] = np.nan
    scores.iloc[3:, 1] = np.nan
    found = compare_with_baseline(study_of(scores, {"d0": "aaa", "d1": "bbb"}))
    assert set(found.correlations["n_models"]) == {n_shared}
    assert found.correlations["spearman"].isna().all()
    assert note_codes(found) == ["baseline-left-out", "baseline-undefined"]


def test_no_dataset_that_all_ranked_models_have_gives_no_correlation():
    """Ranked on the subset in aaa; on the whole dataset, all but one have a partial score."""
    cells = [(model, "one", "aaa", 0.1 + i / 10) for i, model in enumerate("abcd")]
    cells += [("a", "one", "bbb", 0.5), ("b", "two", "bbb", 0.5), ("c", "two", "bbb", 0.4)]
    found = long_study([*cells, ("d", "two", "bbb", 0.3)], level="language", partial_scores="drop")
    table = compare_with_baseline(found, "mean").correlations.set_index("language").loc["aaa"]
    assert table["spearman"].isna().all()
    assert set(table["n_models"]) == set(table["n_datasets"]) == {0}
    assert set(table["n_left_out"]) == {4}


@pytest.mark.parametrize("by", ["task-type-mean", "mean", "borda"])
def test_order_and_names_change_no_number(by):
    scores = random_scores(15, 5)
    languages = dict(zip(scores.columns, ["aaa", "aaa;bbb", "aaa", "bbb", "bbb"], strict=True))
    shuffled = scores.iloc[::-1, [3, 0, 4, 2, 1]].rename(index=lambda name: f"z{name[::-1]}")
    one, other = (
        compare_with_baseline(study_of(table, languages), by) for table in (scores, shuffled)
    )
    pd.testing.assert_frame_equal(one.correlations, other.correlations, check_exact=True)


def test_the_order_of_rows_changes_no_number():
    rng = np.random.default_rng(0)
    cells = [
        (model, dataset, language, float(rng.uniform(0.1, 0.9)))
        for model, dataset, language in product("abcdefg", ["one", "two"], ["aaa", "bbb"])
    ]
    one, other = (compare_with_baseline(long_study(rows)) for rows in (cells, cells[::-1]))
    pd.testing.assert_frame_equal(one.correlations, other.correlations, check_exact=True)


def test_other_fields_than_languages_have_no_means_per_language():
    table = pd.DataFrame(
        {"model": list("abc"), "task": "one", "languages": "aaa", "score": [0.1, 0.2, 0.3]}
    )
    tasks = pd.DataFrame({"task": ["one"], "task_type": ["STS"], "languages": ["aaa"]})
    found = rr.study(table, tasks=tasks, by=("task_type", "language"))
    assert list(compare_with_baseline(found, "borda").correlations)[:2] == ["task_type", "language"]
    with pytest.raises(ParameterError, match="Use by='task-type-mean'"):
        compare_with_baseline(found, "language-mean")


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("median", "'language-mean', 'task-type-mean', 'mean', 'borda'; got 'median'"),
        ("language-mean", "needs scores per language.*Use by='task-type-mean'"),
    ],
)
def test_a_baseline_that_cannot_be_had_is_refused(example, by, message):
    with pytest.raises(ParameterError, match=message):
        compare_with_baseline(example, by)


def test_what_robustness_states_of_single_datasets_comes_out(shared):
    """Languages that share a dataset differ only under means per language."""
    data = shared / "data"
    found = rr.study(
        data / "mteb_multilingual_v2_dec2025.parquet",
        tasks=data / "tasks_multilingual_v2_dec2025.csv",
        models=data / "models_dec2025.parquet",
        preset="papers",
        languages=["eng", "fra", "deu", "hin", "spa"],
        task_types=["MultilabelClassification", "Clustering", "PairClassification"],
    )
    single = list(found.cells.index[found.cells["n"] == 1])
    stated = pd.Series({cell: published.BY_SCHEME[cell].high for cell in single})
    assert len(stated) == 8

    def own(by: str) -> pd.Series:
        table = compare_with_baseline(found, by).by_composition
        return table.set_index(CELL)["mean"].loc[single]

    assert (own("language-mean") - stated).abs().max() < 0.011
    for by in ("task-type-mean", "mean", "borda"):
        assert (own(by) - stated).abs().max() > 0.2
