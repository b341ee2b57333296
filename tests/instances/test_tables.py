from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank import ScoreMatrix
from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    InputError,
    NonNumericError,
    ParameterError,
    ScaleError,
    UnknownLabelError,
)
from robustrank.instances import InstanceScores
from tests.instances.boards import board, graded, names


def frame(values, models, columns=None) -> pd.DataFrame:
    return pd.DataFrame(values, index=models, columns=columns)


def codes(instances: InstanceScores) -> list[str]:
    return [note.code for note in instances.notes]


def test_scores_are_means_over_the_instances_that_a_model_has():
    tables = {
        "a": frame([[1.0, 0.0, np.nan], [0.5, 0.5, 1.0]], ["x", "y"]),
        "b": frame([[0.25, 0.75]], ["z"]),
    }
    instances = InstanceScores(tables)
    assert instances.models == ["x", "y", "z"]
    assert instances.datasets == ["a", "b"]
    assert instances.n_instances.to_dict() == {"a": 3, "b": 2}
    expected = pd.DataFrame(
        {"a": [0.5, 2 / 3, np.nan], "b": [np.nan, np.nan, 0.5]}, index=["x", "y", "z"]
    )
    pd.testing.assert_frame_equal(instances.scores(), expected, check_names=False)
    assert instances.notes == ()
    assert repr(instances) == "InstanceScores(3 models × 2 datasets of 2 to 3 instances)"


def test_means_equal_those_of_numpy():
    values = graded(5, 301, missing=0.3)
    instances = InstanceScores({"d": values}, models=names(5))
    np.testing.assert_allclose(instances.scores()["d"], np.nanmean(values, axis=1), rtol=1e-14)


@given(st.integers(0, 1000))
def test_the_order_of_instances_changes_no_bit_of_a_mean(seed):
    values = graded(3, 37, seed, missing=0.2)
    shuffled = np.random.default_rng(seed).permutation(values, axis=1)
    given = InstanceScores({"d": values}, models=names(3)).scores()
    assert given.equals(InstanceScores({"d": shuffled}, models=names(3)).scores())


@pytest.mark.parametrize("value", [0.1, 0.3, 1 / 3, 0.7])
def test_the_mean_of_equal_scores_is_that_score(value):
    instances = InstanceScores({"d": np.full((2, 7), value)}, models=["x", "y"])
    assert (instances.scores() == value).all(axis=None)


def test_tables_come_back_as_given():
    table = frame([[1.0, np.nan], [0.0, 0.5]], ["x", "y"], ["q1", "q2"])
    instances = InstanceScores({"d": table})
    pd.testing.assert_frame_equal(instances.table("d"), table, check_names=False)
    given = instances.table("d")
    given.iloc[0, 0] = 0.0
    assert instances.table("d").iloc[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        instances.values("d")[0, 0] = 0.0


def test_given_models_set_the_order():
    tables = {"d": frame([[0.1], [0.2]], ["x", "y"])}
    instances = InstanceScores(tables, models=["y", "x", "absent"])
    assert instances.scores()["d"].tolist()[:2] == [0.2, 0.1]
    assert np.isnan(instances.scores().loc["absent", "d"])


@pytest.mark.parametrize("dtype", [bool, int, "boolean", "Int64", "Float64", object])
def test_kinds_of_numbers(dtype):
    table = frame([[1, 0], [1, 1]], ["x", "y"]).astype(dtype)
    assert InstanceScores({"d": table}).scores()["d"].tolist() == [0.5, 1.0]


def test_missing_cells_of_nullable_columns():
    table = frame([[1, 0], [1, 1]], ["x", "y"]).astype("Int64")
    table.iloc[0, 1] = pd.NA
    assert InstanceScores({"d": table}).scores()["d"].tolist() == [1.0, 1.0]


def test_percent_is_judged_over_all_datasets():
    tables = {"a": np.array([[100.0, 50.0]]), "b": np.array([[0.0, 80.0]])}
    instances = InstanceScores(tables, models=["x"])
    assert instances.scores().loc["x"].tolist() == [0.75, 0.4]
    assert codes(instances) == ["scale"]


def test_one_dataset_on_another_scale_is_named_and_left_alone():
    tables = {"a": np.array([[90.0, 50.0]]), "b": np.array([[1.0, 0.0]])}
    tables["c"] = np.array([[30.0, 20.0]])
    instances = InstanceScores(tables, models=["x"])
    assert codes(instances) == ["scale", "mixed-scale"]
    assert instances.notes[1].labels == ("b",)
    assert instances.scores().loc["x", "b"] == 0.005


def test_scale_as_stated():
    values = {"d": np.array([[0.5, 1.5]])}
    unit = InstanceScores(values, models=["x"], scale="unit")
    assert unit.scores().loc["x", "d"] == 1.0
    assert codes(unit) == ["out-of-range"]
    percent = InstanceScores({"d": np.array([[0.5, 0.5]])}, models=["x"], scale="percent")
    assert percent.scores().loc["x", "d"] == 0.005


def test_agrees_with_the_scale_of_a_matrix():
    values = np.random.default_rng(0).uniform(0, 100, (3, 20))
    instances = InstanceScores({"d": values}, models=names(3))
    matrix = ScoreMatrix(pd.DataFrame({"d": values.mean(axis=1)}))
    np.testing.assert_allclose(instances.scores(), matrix.scores, rtol=1e-14)


def test_instances_that_nobody_was_scored_on_are_set_aside():
    values = np.array([[1.0, np.nan, np.nan], [0.0, np.nan, 0.5]])
    instances = InstanceScores({"d": values}, models=["x", "y"])
    assert instances.n_instances["d"] == 2
    (note,) = instances.notes
    assert (note.code, note.labels) == ("unscored-instances", ("d",))
    assert "1 instance" in note.message


def test_a_matrix_can_be_built_from_the_means():
    instances = board()
    matrix = ScoreMatrix(instances.scores(), instances.n_instances.to_frame(), scale="unit")
    assert matrix.datasets["n_instances"].tolist() == [40, 200]


@pytest.mark.parametrize(
    ("tables", "models", "error", "message"),
    [
        ([[1.0]], None, FormatError, "mapping of datasets to tables.*got list"),
        ({}, None, EmptyMatrixError, "no dataset"),
        ({"d": [[1.0]]}, None, FormatError, "'d' are an array.*Pass models="),
        ({"d": [[1.0, 0.0]]}, ["x", "y"], FormatError, r"'d' has shape \(1, 2\).*2 models"),
        ({"d": [[1.0], [0.0, 1.0]]}, ["x", "y"], FormatError, "'d' are no table"),
        ({"d": np.ones((2, 0))}, ["x", "y"], FormatError, "one column per instance"),
        ({"d": pd.DataFrame()}, None, EmptyMatrixError, "'d' has 0 models"),
        ({"d": [[np.nan]]}, ["x"], EmptyMatrixError, "'d' holds no score.*Leave"),
        ({"d": [[np.inf]]}, ["x"], NonNumericError, "'x' on instance '1' of 'd' is.*inf"),
        ({"d": [["0.5", "high"]]}, ["x"], NonNumericError, "instance '2' of 'd' is 'high'"),
        ({"d": [[-200.0, 1.0]]}, ["x"], ScaleError, "'d' is -2 on the 0..1 scale"),
        ({"d": [[1.0]]}, ["x", "x"], DuplicateError, "1 model name of models.*x"),
        ({1: [[1.0]], "1": [[1.0]]}, ["x"], DuplicateError, "1 dataset name.*1"),
        ({"d": frame([[1.0], [0.0]], ["x", "x"])}, None, DuplicateError, "index of 'd'.*x"),
        ({"d": frame([[1.0, 0.0]], ["x"], ["q", "q"])}, None, DuplicateError, "columns of 'd'.*q"),
        ({"d": frame([[1.0]], [None])}, None, InputError, "model at position 1.*no name"),
        ({"d": frame([[1.0]], ["x"], [" "])}, None, InputError, "instance at position 1"),
        ({"d": frame([[1.0]], ["Bert"])}, ["bert"], UnknownLabelError, "did you mean 'bert'"),
    ],
)
def test_bad_tables(tables, models, error, message):
    with pytest.raises(error, match=message):
        InstanceScores(tables, models=models)


def test_bad_scale():
    with pytest.raises(ParameterError, match="scale must be one of"):
        InstanceScores({"d": [[1.0]]}, models=["x"], scale="dB")


def test_unknown_names():
    with pytest.raises(UnknownLabelError, match=r"Unknown dataset 'smal'.*'small'"):
        board().table("smal")
    with pytest.raises(UnknownLabelError, match="Unknown model 'm9'"):
        board().values("small", ["m0", "m9"])
