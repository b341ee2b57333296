"""`Scores`: means of axes, choices of models and datasets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import EmptyMatrixError, UnknownLabelError
from robustrank.evaluators.hteb.statistics import read_scores
from robustrank.evaluators.hteb.statistics.scores import TOTAL, over_datasets, with_axes
from robustrank.notes import Note
from tests.evaluators.hteb.statistics.boards import planted

AXES = {"one": ("a", "b"), "two": ("c",)}


@pytest.fixture(scope="module")
def scores():
    return read_scores(planted(3, 4))


def test_axes_weigh_the_same_whatever_their_size():
    table = pd.DataFrame({"a": [0.2], "b": [0.4], "c": [0.9]})
    full = with_axes(table, AXES)
    assert list(full.columns) == ["a", "b", "c", "one", "two", TOTAL]
    np.testing.assert_allclose(full.iloc[0, 3:], [0.3, 0.9, 0.6])


def test_a_missing_part_leaves_no_mean():
    table = pd.DataFrame({"a": [np.nan], "b": [0.4], "c": [0.9]})
    full = with_axes(table, AXES).iloc[0]
    assert np.isnan(full["one"])
    assert full["two"] == 0.9
    assert np.isnan(full[TOTAL])


def test_means_over_datasets_are_over_those_that_are_there():
    index = pd.MultiIndex.from_tuples(
        [("z", "x"), ("z", "y"), ("a", "x")], names=["model", "dataset"]
    )
    means = over_datasets(pd.DataFrame({"a": [0.2, np.nan, 0.5]}, index=index))
    assert list(means.index) == ["z", "a"]
    np.testing.assert_allclose(means["a"], [0.2, 0.5])


def test_deltas_are_transformed_minus_baseline(scores):
    np.testing.assert_allclose(scores.deltas() + scores.baseline, scores.transformed)
    np.testing.assert_allclose(scores.deltas(relative=True) * scores.baseline, scores.deltas())


def test_relative_to_nothing_is_undefined():
    table = pd.DataFrame(
        {
            "model": "m",
            "dataset": ["x", "y"],
            "transformation": "paraphrasing",
            "score": [0.1, 0.1],
            "original": [0.0, -0.2],
        }
    )
    assert read_scores(table).deltas(relative=True).isna().to_numpy().all()


def test_without_an_axis(scores):
    fewer = scores.without("Language")
    assert list(fewer.axes) == ["Lexical/Stylistic", "Length"]
    assert fewer.transformations == scores.transformations[:6]
    assert set(fewer.runs["transformation"]) == set(fewer.transformations)
    assert list(fewer.baseline.columns) == fewer.transformations
    assert "Language" in scores.axes


def test_without_an_axis_that_is_not_there(scores):
    with pytest.raises(UnknownLabelError, match="Unknown axis 'Languge': did you mean 'Language'"):
        scores.without("Languge")


def test_without_all_axes(scores):
    with pytest.raises(EmptyMatrixError, match="No axis is left; leave out fewer"):
        scores.without(*scores.axes)


def test_select_keeps_the_order_given_and_the_runs(scores):
    some = scores.select(models=["model 2", "model 0"], datasets=iter(["data 3", "data 1"]))
    assert some.models == ["model 2", "model 0"]
    assert some.datasets == ["data 3", "data 1"]
    assert list(some.task_types.index) == some.datasets
    assert set(some.runs["model"]) == {"model 0", "model 2"}
    assert set(some.runs["dataset"]) == {"data 1", "data 3"}
    pd.testing.assert_series_equal(
        some.transformed.loc[("model 2", "data 3")], scores.transformed.loc[("model 2", "data 3")]
    )


def test_select_names_what_is_unknown(scores):
    with pytest.raises(UnknownLabelError, match="Unknown model 'modle 0': did you mean 'model 0'"):
        scores.select(models=["modle 0"])
    with pytest.raises(UnknownLabelError, match=r"Unknown dataset 'x': known: data 0"):
        scores.select(datasets=["x"])


def test_select_nothing(scores):
    with pytest.raises(EmptyMatrixError, match="No score is left; choose more"):
        scores.select(models=[])


def test_keep_adds_notes_after_those_there(scores):
    first, second = Note("first", "One."), Note("second", "Two.")
    index = scores.transformed.index[:1]
    kept = scores.keep(index, [first]).keep(index, [second])
    assert kept.notes == (*scores.notes, first, second)
    assert len(kept.runs) == 16  # 8 transformations in 2 runs


def test_repr(scores):
    assert repr(scores) == "Scores: 3 models × 4 datasets × 8 transformations"


def test_one_name_is_a_name_and_no_row_of_letters():
    scores = read_scores(planted(3, 4))
    assert scores.select(models="model 1").models == ["model 1"]
    assert read_scores(planted(3, 4), datasets="data 2").datasets == ["data 2"]
    with pytest.raises(UnknownLabelError, match="Unknown model 'm1'"):
        scores.select(models="m1")
    with pytest.raises(UnknownLabelError, match="Unknown dataset '5'"):
        scores.select(datasets=5)


def test_pairs_lack_both_where_one_is_missing():
    scores = read_scores(planted(2, 2, runs=1))
    scores.transformed.loc[("model 0", "data 1"), "expansion"] = np.nan
    scores.baseline.loc[("model 1", "data 0"), "translation"] = np.nan
    baseline, transformed = scores.paired()
    for table in (baseline, transformed):
        assert table.isna().sum().sum() == 2
        assert np.isnan(table.loc[("model 0", "data 1"), "expansion"])
        assert np.isnan(table.loc[("model 1", "data 0"), "translation"])
    np.testing.assert_array_equal(transformed - baseline, scores.deltas())


def test_runs_are_counted_per_transformation_and_not_by_their_labels():
    table = planted(2, 3, runs=3)
    assert read_scores(table).runs_per_cell == (3, 3)
    seeds = table["model"] + table["run"].astype(str)
    assert read_scores(table.assign(run=seeds)).runs_per_cell == (3, 3)
    last = table[table["transformation"] == "expansion"].index[-1]
    assert read_scores(table.drop(index=last)).runs_per_cell == (2, 3)
