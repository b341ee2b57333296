from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from robustrank._checks import label_array
from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    InputError,
    MissingScoresError,
    NonNumericError,
    ParameterError,
    ScaleError,
    UnknownLabelError,
)
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note
from tests.conftest import frame, random_scores, score_frames


def codes(matrix: ScoreMatrix) -> list[str]:
    return [note.code for note in matrix.notes]


def note(matrix: ScoreMatrix, code: str):
    return next(note for note in matrix.notes if note.code == code)


# --- scale -------------------------------------------------------------------------------------


@given(score_frames())
def test_percent_and_unit_give_the_same_matrix(scores):
    unit, percent = ScoreMatrix(scores), ScoreMatrix(scores * 100)
    np.testing.assert_allclose(unit.scores, percent.scores, atol=1e-15)
    assert codes(unit) == []
    assert codes(percent)[0] == "scale"


def test_a_column_on_the_other_scale_is_named_and_not_rescaled():
    scores = random_scores(5, 4) * 100
    scores["d2"] /= 100
    matrix = ScoreMatrix(scores)
    assert note(matrix, "mixed-scale").labels == ("d2",)
    np.testing.assert_allclose(matrix.scores["d2"], scores["d2"] / 100)


def test_a_percent_column_among_unit_columns_is_the_one_named():
    scores = random_scores(5, 4)
    scores["d2"] *= 100
    assert note(ScoreMatrix(scores), "mixed-scale").labels == ("d2",)


def test_low_percent_scores_are_no_scale_problem():
    scores = random_scores(5, 2) * 100
    scores["TempReasonL1"] = [0.2, 1.5, 7.0, 20.0, 42.0]
    scores["SpartQA"] = [0.05, 0.0, 0.7, 3.0, 11.0]
    scores["all-zero"] = 0.0
    assert codes(ScoreMatrix(scores)) == ["scale"]


def test_scale_can_be_stated():
    low = frame([[0.5], [0.9]])
    np.testing.assert_allclose(ScoreMatrix(low, scale="percent").scores, low / 100)
    assert "out-of-range" in codes(ScoreMatrix(low * 100, scale="unit"))
    with pytest.raises(ParameterError, match="scale must be one of"):
        ScoreMatrix(low, scale="0-100")


def test_scores_below_any_scale_are_refused_with_row_column_and_remedy():
    message = r"'m1' on 'd0' is -3 .*direction=\{'d0': None\}"
    with pytest.raises(ScaleError, match=message) as caught:
        ScoreMatrix(frame([[50], [-300.0]]))
    assert caught.value.labels == ("m1", "d0")


def test_negative_percent_is_percent():
    scores = frame([[-60.0, 0.3], [-50.0, 0.1]])
    np.testing.assert_allclose(ScoreMatrix(scores).scores, scores / 100)


def test_a_unit_column_in_a_percent_board_is_named_even_if_lower_is_better():
    scores = random_scores(5, 2) * 100
    scores["WER"] = [0.1, 0.2, 0.3, 0.2, 0.1]
    matrix = ScoreMatrix(scores, direction={"WER": "min"})
    assert note(matrix, "mixed-scale").labels == ("WER",)


def test_negative_correlations_are_scores():
    assert ScoreMatrix(frame([[0.5], [-0.2]])).scores.loc["m1", "d0"] == -0.2


# --- direction ---------------------------------------------------------------------------------


def test_lower_is_better_columns_are_reversed_with_a_note():
    scores = frame([[0.9, 0.2], [0.8, 0.1]])
    matrix = ScoreMatrix(scores, direction={"d1": "min"})
    np.testing.assert_allclose(matrix.scores["d1"], [0.8, 0.9])
    assert matrix.datasets["direction"].to_dict() == {"d0": "max", "d1": "min"}
    assert note(matrix, "reversed").labels == ("d1",)


def test_times_do_not_decide_the_scale_of_the_scores():
    scores = frame([[0.9, 250.0], [0.8, 100.0]])
    matrix = ScoreMatrix(scores, direction={"d1": "min"})
    np.testing.assert_allclose(matrix.scores["d0"], [0.9, 0.8])
    np.testing.assert_allclose(matrix.scores["d1"], [100, 250])  # reversed within its range
    assert note(matrix, "out-of-range").labels == ("d1",)


def test_a_dataset_without_direction_is_left_out_before_its_cells_are_looked_at():
    scores = pd.DataFrame({"acc": [0.9, 0.8], "license": ["mit", "apache"]}, index=["a", "b"])
    matrix = ScoreMatrix(scores, direction={"license": None})
    assert list(matrix.scores) == ["acc"]
    assert note(matrix, "left-out").labels == ("license",)


def test_direction_can_be_given_later_and_is_not_applied_twice():
    scores = frame([[0.9, 0.2], [0.8, 0.1]])
    built = ScoreMatrix(scores, direction={"d1": "min"})
    later = ScoreMatrix(scores).with_direction({"d1": "min"})
    pd.testing.assert_frame_equal(built.scores, later.scores)
    pd.testing.assert_frame_equal(built.with_direction({"d1": "min"}).scores, built.scores)


def test_a_late_direction_cannot_undo_what_was_decided_without_it():
    scores = frame([[0.9, 250.0], [0.8, 100.0]])
    with pytest.raises(ParameterError, match="taken for percent because of d1"):
        ScoreMatrix(scores).with_direction({"d1": "min"})
    turned = ScoreMatrix(frame([[0.9, 0.2], [0.8, 0.1]]), direction={"d1": "min"})
    with pytest.raises(ParameterError, match="d1: reversed already"):
        turned.with_direction({"d1": "max"})
    with pytest.raises(ParameterError, match="must map datasets"):
        ScoreMatrix(scores, direction=["d1"])


@pytest.mark.parametrize("direction", [{"d7": "min"}, {"d7": None}])
def test_unknown_direction_names_the_column(direction):
    with pytest.raises(UnknownLabelError, match="Unknown dataset 'd7'"):
        ScoreMatrix(frame([[0.9], [0.8]]), direction=direction)


def test_bad_directions():
    with pytest.raises(ParameterError, match="'min', 'max' or None"):
        ScoreMatrix(frame([[0.9], [0.8]]), direction={"d0": "lower"})
    for build in (
        lambda: ScoreMatrix(frame([[0.9], [0.8]]), direction={"d0": None}),
        lambda: ScoreMatrix(frame([[0.9], [0.8]])).with_direction({"d0": None}),
    ):
        with pytest.raises(EmptyMatrixError, match="leaves out every dataset"):
            build()


# --- labels and cells --------------------------------------------------------------------------

LABELS = ["A", "B"]
BAD = {
    "empty": (pd.DataFrame(), EmptyMatrixError, "0 models and 0 datasets"),
    "no columns": (pd.DataFrame(index=LABELS), EmptyMatrixError, "2 models and 0 datasets"),
    "vector": ([0.1, 0.2], FormatError, r"2 dimensions\); got 1. Use scores.reshape"),
    "a path as text": (
        "board.csv",
        FormatError,
        r"got str. If it is a path.*robustrank.read\(path\)",
    ),
    "a path": (Path("board.csv"), FormatError, r"got \w*Path. If it is.*robustrank.read\(path\)"),
    "mapping": ({"A": {"x": 1}}, FormatError, r"got dict. Make it a DataFrame.*\.T if they"),
    "nothing": (None, FormatError, "got NoneType. Pass a DataFrame, an array or a ScoreMatrix"),
    "another object": (Note("a", "b"), FormatError, r"got Note. Pass.*instances.scores\(\)"),
    "model twice": (
        pd.DataFrame({"x": [0.1, 0.2, 0.3]}, index=["A", "B", "A"]),
        DuplicateError,
        r"'A' in rows 1, 3. Rename or drop",
    ),
    "dataset twice": (
        pd.DataFrame([[0.1, 0.2]] * 2, index=LABELS, columns=["x", "x"]),
        DuplicateError,
        r"'x' in columns 1, 2",
    ),
    "same text": (
        pd.DataFrame([[0.1, 0.2]] * 2, index=LABELS, columns=[1, "1"]),
        DuplicateError,
        r"'1' in columns 1, 2",
    ),
    "unnamed model": (
        pd.DataFrame({"x": [0.1, 0.2]}, index=["A", None]),
        InputError,
        "model in row 2 has no name",
    ),
    "blank dataset": (
        pd.DataFrame({" ": [0.1, 0.2]}, index=LABELS),
        InputError,
        "dataset in column 1 has an empty name",
    ),
    "levels": (
        pd.DataFrame({("a", "x"): [0.1, 0.2]}, index=LABELS),
        FormatError,
        "columns have 2 levels",
    ),
    "text": (
        pd.DataFrame({"x": [0.1, "n/a"]}, index=LABELS),
        NonNumericError,
        r"'B' on 'x' is 'n/a', which is not a number. Correct it",
    ),
    "a truth among numbers": (
        pd.DataFrame({"x": [0.1, True]}, index=LABELS),
        NonNumericError,
        "'B' on 'x' is True",
    ),
    "booleans": (
        pd.DataFrame({"x": [True, False]}, index=LABELS),
        NonNumericError,
        "'x' holds bool values",
    ),
    "complex": (
        pd.DataFrame({"x": [1j, 2j]}, index=LABELS),
        NonNumericError,
        "'x' holds complex128 values",
    ),
    "dates": (
        pd.DataFrame({"x": pd.to_datetime(["2020-01-01"] * 2)}, index=LABELS),
        NonNumericError,
        "'x' holds datetime64.* values",
    ),
    "a complex number": (
        pd.DataFrame({"x": [0.5, 1j]}, index=LABELS, dtype="object"),
        NonNumericError,
        "'B' on 'x' is 1j",
    ),
    "rows of unlike length": ([[0.1, 0.2], [0.3]], FormatError, "table of models"),
    "infinite": (
        pd.DataFrame({"x": [0.1, np.inf]}, index=LABELS),
        NonNumericError,
        "'B' on 'x' is infinite. Correct it",
    ),
}


@pytest.mark.parametrize(("scores", "error", "message"), BAD.values(), ids=BAD.keys())
def test_bad_tables_are_refused_with_place_and_remedy(scores, error, message):
    with pytest.raises(error, match=message):
        ScoreMatrix(scores)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"q1": [1]}, "if its keys are items"),
        (None, r"of InstanceScores, instances.table\(dataset"),
    ],
)
def test_what_is_no_table_of_items(given, says):
    with pytest.raises(FormatError, match=rf"table of models × items .*{says}"):
        label_array(given, "item")


def test_numbers_given_as_text_and_nothing_at_all():
    scores = pd.DataFrame({"x": ["0.5", None, 0.25]}, index=list("ABC"), dtype="object")
    assert ScoreMatrix(scores).scores["x"].tolist() == pytest.approx(
        [0.5, np.nan, 0.25], nan_ok=True
    )
    empty = pd.DataFrame({"x": [None, None], "y": [0.1, 0.2]}, index=LABELS)
    assert ScoreMatrix(empty).coverage == 0.5


def test_names_that_look_like_missing_values_stay_names():
    scores = frame([[0.1], [0.2], [0.3]]).set_axis(["NA", "None", "nan"], axis=0)
    assert list(ScoreMatrix(scores).scores.index) == ["NA", "None", "nan"]


def test_the_given_table_is_not_changed():
    scores = random_scores(4, 3) * 100
    before = scores.copy()
    matrix = ScoreMatrix(scores, direction={"d1": "min"})
    matrix.scores.iloc[0, 0] = 7.0
    pd.testing.assert_frame_equal(scores, before)


def test_masked_cells_are_missing():
    scores = np.ma.masked_greater([[9.0, 0.5], [0.4, 0.6]], 5)
    matrix = ScoreMatrix(scores)
    assert np.isnan(matrix.scores.iloc[0, 0])
    assert matrix.scores.iloc[1, 0] == 0.4


def test_arrays_get_labels():
    matrix = ScoreMatrix(np.array([[0.1, 0.2], [0.3, 0.4]]))
    assert list(matrix.scores.index) == ["m1", "m2"]
    assert list(matrix.scores.columns) == ["d1", "d2"]


# --- missing scores ----------------------------------------------------------------------------


@pytest.fixture
def holed() -> ScoreMatrix:
    scores = random_scores(5, 4)
    scores.loc["m1", "d0"] = np.nan
    scores["d3"] = np.nan
    scores.loc["m4"] = np.nan
    return ScoreMatrix(scores)


def test_drop_models_names_them_and_an_empty_column_costs_no_model(holed):
    kept = holed.resolve_missing("drop-models")
    assert list(kept.scores.index) == ["m0", "m2", "m3"]
    assert list(kept.scores) == ["d0", "d1", "d2"]
    assert note(kept, "empty-datasets").labels == ("d3",)
    assert note(kept, "empty-models").labels == ("m4",)
    assert note(kept, "dropped-models").labels == ("m1",)
    assert "1 of 4 models" in note(kept, "dropped-models").message


def test_drop_datasets(holed):
    kept = holed.resolve_missing("drop-datasets")
    assert kept.shape == (4, 2)
    assert note(kept, "dropped-datasets").labels == ("d0",)


def test_keep_leaves_the_holes(holed):
    kept = holed.resolve_missing("keep")
    assert kept.shape == (4, 3)
    assert np.isnan(kept.scores.loc["m1", "d0"])


def test_error_names_a_cell_and_the_ways_out(holed):
    with pytest.raises(MissingScoresError, match=r"'m0' on 'd3'.*missing='drop-models'") as caught:
        holed.resolve_missing("error")
    assert caught.value.labels == tuple(f"m{i}" for i in range(5))
    complete = ScoreMatrix(random_scores(3, 2))
    assert complete.resolve_missing("error").shape == (3, 2)


def test_too_little_left_says_which_datasets_cost_most():
    scores = random_scores(4, 3)
    scores.loc["m1":, "d2"] = np.nan
    scores.loc["m0", "d0"] = np.nan
    with pytest.raises(EmptyMatrixError, match=r"0 models and 3 datasets are left.*\(d2, d0, d1\)"):
        ScoreMatrix(scores).resolve_missing()
    with pytest.raises(EmptyMatrixError, match="at least two models"):
        ScoreMatrix(random_scores(1, 3)).resolve_missing()
    with pytest.raises(ParameterError, match="missing must be one of"):
        ScoreMatrix(scores).resolve_missing("drop")


# --- selection ---------------------------------------------------------------------------------


@pytest.fixture
def described() -> ScoreMatrix:
    datasets = pd.DataFrame(
        {
            "task_type": ["STS", "Retrieval", "STS"],
            "languages": ["eng-Latn;fra-Latn", ["deu"], "fra"],
            "domain": ["news", "web", "law"],
        },
        index=["d2", "d1", "d0"],
    )
    models = pd.DataFrame(
        {
            "open_weights": [True, False, None],
            "zero_shot": [1.0, 0.5, 1.0],
            "n_parameters": [1e8, 7e9, 5e8],
        },
        index=["m0", "m1", "m2"],
    )
    return ScoreMatrix(random_scores(3, 3), datasets, models)


def test_metadata_follow_the_order_of_the_scores(described):
    assert described.datasets["task_type"].tolist() == ["STS", "Retrieval", "STS"]
    assert described.datasets["domain"].tolist() == ["law", "web", "news"]
    assert described.datasets.loc["d2", "languages"] == ("eng", "fra")
    assert described.datasets["metric"].isna().all()


def test_select_by_metadata(described):
    assert list(described.select(task_type="sts").scores) == ["d0", "d2"]
    assert list(described.select(language="fra").scores) == ["d0", "d2"]
    assert list(described.select(language=["deu", "eng-Latn"]).scores) == ["d1", "d2"]
    assert list(described.select(task_type="STS", language="eng").scores) == ["d2"]
    assert list(described.select(zero_shot=True).scores.index) == ["m0", "m2"]
    assert list(described.select(max_parameters=1e9).scores.index) == ["m0", "m2"]
    opened = described.select(open_weights=True)
    assert list(opened.scores.index) == ["m0"]
    assert note(opened, "unknown-metadata").labels == ("m2",)
    assert "Selected 1 of 3 models and 3 of 3 datasets" in note(opened, "selection").message


def test_select_by_name_and_pattern(described):
    assert list(described.select(models=["m2", "m0"]).scores.index) == ["m0", "m2"]
    assert list(described.select(datasets="d[12]").scores) == ["d1", "d2"]
    odd = ScoreMatrix(frame([[0.1], [0.2]]).set_axis(["a[b]", "ab"], axis=0))
    assert list(odd.select(models="a[b]").scores.index) == ["a[b]"]
    assert described.select().notes == described.notes


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ({"models": "m11"}, "Unknown model 'm11': did you mean 'm1'"),
        ({"datasets": "x*"}, r"Unknown dataset 'x\*'"),
        ({"task_type": "Retrival"}, "did you mean 'Retrieval'"),
        ({"language": "en"}, "Unknown language 'en'"),
    ],
)
def test_unknown_names_get_suggestions(described, condition, message):
    with pytest.raises(UnknownLabelError, match=message):
        described.select(**condition)


def test_selecting_nothing_or_without_metadata(described):
    with pytest.raises(EmptyMatrixError, match="loosen a condition"):
        described.select(task_type="Retrieval", language="fra")
    with pytest.raises(UnknownLabelError, match="no task type metadata"):
        ScoreMatrix(random_scores(3, 2)).select(task_type="STS")


@pytest.mark.parametrize(
    ("field", "value", "remedy"),
    [
        ("open_weights", "False", "True or False"),
        ("zero_shot", 94.0, "share between 0 and 1"),
        ("n_parameters", "7B", "a number"),
    ],
)
def test_metadata_of_the_wrong_kind(field, value, remedy):
    models = pd.DataFrame({field: [value]}, index=["m0"])
    with pytest.raises(InputError, match=f"{field} of 'm0' is .*{remedy}"):
        ScoreMatrix(random_scores(2, 2), models=models)


def test_metadata_that_describe_nothing():
    matrix = ScoreMatrix(random_scores(2, 2), models=pd.DataFrame({"price": [1]}, index=["org/m0"]))
    assert "org/m0" in note(matrix, "unmatched-metadata").message
    with pytest.raises(FormatError, match="must be a DataFrame"):
        ScoreMatrix(random_scores(2, 2), models={"m0": 1})


def test_a_dataset_without_task_type_is_of_none():
    datasets = pd.DataFrame({"task_type": ["STS", pd.NA]}, index=["d0", "d1"])
    matrix = ScoreMatrix(random_scores(3, 2), datasets)
    assert list(matrix.select(task_type="STS").scores) == ["d0"]


def test_metadata_named_twice():
    models = pd.DataFrame({"price": [1, 2]}, index=["m0", "m0"])
    with pytest.raises(DuplicateError, match="model metadata name"):
        ScoreMatrix(random_scores(2, 2), models=models)


def test_repr_says_how_full_the_matrix_is(described):
    assert repr(described) == "ScoreMatrix(3 models × 3 datasets, 100% filled)"
    scores = random_scores(100, 100)
    scores.iloc[0, 0] = np.nan
    assert repr(ScoreMatrix(scores)) == "ScoreMatrix(100 models × 100 datasets, 99.9% filled)"


def test_a_task_type_that_missing_scores_take_away_is_named():
    scores = frame(np.full((3, 4), 0.5) + np.arange(3)[:, None] / 10)
    scores["d2"] = np.nan
    scores.loc["m0", "d3"] = np.nan
    types = pd.DataFrame({"task_type": ["STS", None, "Reranking", "Retrieval"]}, scores.columns)
    matrix = ScoreMatrix(scores, datasets=types)
    for policy, lost in (
        ("drop-models", ("Reranking",)),
        ("drop-datasets", ("Reranking", "Retrieval")),
    ):
        notes = {note.code: note for note in matrix.resolve_missing(policy).notes}
        assert notes["lost-task-types"].labels == lost
        assert ", ".join(lost) in notes["lost-task-types"].message
    kept = matrix.select(datasets=["d0", "d1"]).resolve_missing()
    assert "lost-task-types" not in [note.code for note in kept.notes]


def test_a_dropped_model_that_was_ahead_on_what_it_ran_is_named():
    scores = frame([[0.5, 0.6, 0.7, 0.8], [0.9, 0.6, 0.7, 0.8], [0.8, np.nan, 0.8, 0.9]])
    scores.loc["few"] = [0.99, np.nan, np.nan, np.nan]
    scores.loc["tied"] = [0.9, 0.6, np.nan, np.nan]
    notes = {note.code: note for note in ScoreMatrix(scores).resolve_missing().notes}
    assert notes["dropped-leaders"].labels == ("m2",)
    assert "m2 (3 of 4)" in notes["dropped-leaders"].message
    notes = {
        note.code: note for note in ScoreMatrix(scores.drop(index="m2")).resolve_missing().notes
    }
    assert "dropped-models" in notes
    assert "dropped-leaders" not in notes
