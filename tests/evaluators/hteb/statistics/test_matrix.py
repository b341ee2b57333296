from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.evaluators.hteb.statistics.matrix import matrix
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from tests.conftest import analyze, note_codes
from tests.evaluators.hteb.statistics.boards import AXIS_OF, planted


def rows(scores, original=0.8):
    """A long table: model → dataset → transformation → score."""
    return pd.DataFrame(
        [
            {
                "model": model,
                "dataset": dataset,
                "transformation": name,
                "score": score,
                "original": original,
            }
            for model, datasets in scores.items()
            for dataset, found in datasets.items()
            for name, score in found.items()
        ]
    )


WORKED = rows(
    {
        "a": {
            "d": {"paraphrasing": 0.6, "expansion": 0.4},
            "e": {"paraphrasing": 0.8, "expansion": 1},
        },
        "b": {
            "d": {"paraphrasing": 0.2, "expansion": 0.0},
            "e": {"paraphrasing": 0.4, "expansion": 0.6},
        },
    }
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("score", [[0.6, 0.4, 0.8, 1.0], [0.2, 0.0, 0.4, 0.6]]),
        ("delta", [[-0.2, -0.4, 0.0, 0.2], [-0.6, -0.8, -0.4, -0.2]]),
        ("relative", [[-0.25, -0.5, 0.0, 0.25], [-0.75, -1.0, -0.5, -0.25]]),
    ],
)
def test_values_by_transformation(value, expected):
    found = matrix(WORKED, value)
    columns = ["d: paraphrasing", "d: expansion", "e: paraphrasing", "e: expansion"]
    assert list(found.scores.columns) == columns
    assert list(found.scores.index) == ["a", "b"]
    np.testing.assert_allclose(found.scores, expected, atol=1e-12)


def test_an_axis_is_the_mean_of_scores_before_any_change_is_taken():
    axis = matrix(WORKED, "relative", "axis")
    np.testing.assert_allclose(axis.scores.loc["b"], [-0.75, -1.0, -0.5, -0.25])
    total = matrix(WORKED, "relative", "total")
    assert list(total.scores.columns) == ["d", "e"]
    np.testing.assert_allclose(total.scores, [[-0.375, 0.125], [-0.875, -0.375]])


def test_columns_know_what_they_are_of():
    board = planted(models=3, datasets=4)
    about = matrix(board).datasets
    assert list(about["dataset"].unique()) == [f"data {j}" for j in range(4)]
    assert list(about["transformation"][:8]) == list(TRANSFORMATIONS)
    assert list(about["axis"]) == [AXIS_OF[name] for name in about["transformation"]]
    assert set(about.loc[about["dataset"] == "data 1", "task_type"]) == {"Clustering"}
    by_axis = matrix(board, by="axis").datasets
    assert list(by_axis["axis"][:3]) == list(AXES)
    assert "transformation" not in by_axis
    assert list(matrix(board, by="total").datasets.index) == [f"data {j}" for j in range(4)]


def test_rows_in_another_order_give_the_same_numbers():
    board = planted(models=3, datasets=3)
    other = matrix(board.sample(frac=1.0, random_state=1), "relative").scores
    expected = matrix(board, "relative").scores
    pd.testing.assert_frame_equal(other.loc[expected.index, expected.columns], expected)


def test_copied_columns_of_a_dataset_are_noted_with_the_remedy():
    board = planted(models=4, datasets=6)
    found = matrix(board, "delta")
    [note] = [note for note in found.notes if note.code == "dependent-columns"]
    assert "clusters=m.datasets['dataset']" in note.message
    drawn = rr.paired_bootstrap(
        found, resampling="clusters", clusters=found.datasets["dataset"], n_resamples=50
    )
    assert drawn.settings["n_units"] == 6
    assert "dependent-columns" not in note_codes(matrix(board, by="total"))
    one = board[board["transformation"].isin(["original", "expansion"])]
    assert "dependent-columns" not in note_codes(matrix(one))


@pytest.mark.parametrize("value", ["score", "delta", "relative"])
def test_the_whole_analysis_takes_it(value):
    found = matrix(planted(models=4, datasets=4), value, "axis")
    analysis = analyze(found)
    assert analysis.matrix.shape == (4, 12)
    np.testing.assert_allclose(analysis.to_frame()["mean"].sum(), found.scores.mean(axis=1).sum())
    assert analysis.summary()


def test_small_changes_are_not_taken_for_scores_in_another_unit():
    board = planted(models=3, datasets=3, factor=0.01, noise=0.0)
    np.testing.assert_allclose(
        matrix(board, "delta").scores,
        0.01 * matrix(planted(models=3, datasets=3, noise=0.0), "delta").scores,
    )


def test_a_relative_change_without_a_positive_original_is_missing_and_named():
    table = WORKED.copy()
    table.loc[table["dataset"].eq("e") & table["model"].eq("a"), "original"] = -0.1
    found = matrix(table, "relative")
    assert found.scores.loc["a"].isna().tolist() == [False, False, True, True]
    [note] = [note for note in found.notes if note.code == "undefined-scores"]
    assert note.labels == ("a (e: paraphrasing)", "a (e: expansion)")
    with pytest.raises(EmptyMatrixError, match=r"No relative is defined.*another value"):
        matrix(table.assign(original=0.0), "relative")


@pytest.mark.parametrize(("value", "clipped"), [("delta", -0.7), ("relative", -1.0)])
def test_changes_beyond_1_are_cut_to_it_and_named(value, clipped):
    table = WORKED.copy()
    place = table["model"].eq("b") & table["dataset"].eq("d")
    table.loc[place, "score"] = [-0.5, 0.1]
    table.loc[place, "original"] = [0.2, 0.2]
    found = matrix(table, value)
    assert found.scores.loc["b", "d: paraphrasing"] == pytest.approx(clipped)
    assert [note.labels for note in found.notes if note.code == "clipped"] == (
        [("b (d: paraphrasing)",)] if value == "relative" else []
    )
    table.loc[place, "original"] = 0.8
    least = matrix(table, value)
    assert least.scores.loc["b", "d: paraphrasing"] == -1.0
    assert least.scores.loc["b", "d: expansion"] == pytest.approx(
        -0.7 if value == "delta" else -0.875
    )
    assert [note.labels for note in least.notes if note.code == "clipped"] == [
        ("b (d: paraphrasing)",)
    ]


def test_unknown_settings_are_named_with_the_known_ones():
    with pytest.raises(
        ParameterError, match="value must be one of score, delta, relative; got 'd'"
    ):
        matrix(WORKED, "d")
    with pytest.raises(
        ParameterError, match="by must be one of transformation, axis, total; got 1"
    ):
        matrix(WORKED, by=1)


def test_names_are_text():
    table = WORKED.replace({"a": "<script>$x$", "d": "数据: 一\n行"})
    assert "数据: 一\n行: expansion" in matrix(table).scores.columns


def test_a_gain_over_an_original_near_0_decides_no_ranking():
    table = WORKED.copy()
    place = table["model"].eq("b") & table["dataset"].eq("d")
    table.loc[place, "original"] = 0.01
    found = matrix(table, "relative")
    assert found.scores.loc["b", "d: paraphrasing"] == 1.0
    [note] = [note for note in found.notes if note.code == "clipped"]
    assert "d: paraphrasing" in note.message
    assert "near 0" in note.message
    assert not {"scale", "beyond-unit"} & set(note_codes(found))


def test_the_analysis_says_what_to_do_about_columns_of_one_dataset():
    analysis = analyze(matrix(planted(models=4, datasets=4), by="axis"))
    text = " ".join(analysis.summary().split())
    assert "Columns of one dataset go together, which makes intervals too narrow" in text
    assert "clusters=m.datasets['dataset']" in text
    total = analyze(matrix(planted(models=4, datasets=4), by="total"))
    assert "Columns of one dataset" not in " ".join(total.summary().split())
