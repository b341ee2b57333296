"""`load_long`: shapes that are accepted, and what each refusal says."""

from __future__ import annotations

import csv as csv_module

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    InputError,
    NonNumericError,
    UnknownLabelError,
)
from robustrank.evaluators.hteb.long_tables import load_long, write_table

ROWS = [
    {"model": "a$b$", "score": 0.5, "remark": "x"},
    {"model": "<script>&", "score": None, "remark": None},
]


def load(source, **options):
    return load_long(source, "score", labels=["model"], numbers=["score"], **options)


def csv(folder):
    path = folder / "table.csv"
    pd.DataFrame(ROWS).to_csv(path, index=False)
    return path


def parquet(folder):
    path = folder / "table.parquet"
    pd.DataFrame(ROWS).to_parquet(path)
    return path


def lines(folder):
    path = folder / "table.jsonl"
    pd.DataFrame(ROWS).to_json(path, orient="records", lines=True)
    return path


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: ROWS,
        lambda folder: tuple(ROWS),
        lambda folder: pd.DataFrame(ROWS),
        lambda folder: pd.DataFrame(ROWS, index=[7, 3]),
        lambda folder: pd.DataFrame(ROWS).set_index("model"),
        csv,
        lambda folder: str(csv(folder)),
        parquet,
        lines,
    ],
)
def test_every_shape_gives_the_same_names_and_numbers(make, tmp_path):
    table = load(make(tmp_path))
    assert list(table["model"]) == ["a$b$", "<script>&"]
    assert table["score"].dtype == float
    np.testing.assert_array_equal(table["score"], [0.5, np.nan])
    assert list(table.index) == [0, 1]


def test_the_table_given_is_not_changed():
    given = pd.DataFrame({"model": [" a "], "score": ["1"]})
    before = given.copy()
    assert load(given)["model"].item() == "a"
    pd.testing.assert_frame_equal(given, before)


def test_numbers_may_be_text_and_other_columns_stay():
    table = load([{"model": "m", "score": "0,25", "remark": ["kept"]}])
    assert table["score"].item() == 0.25
    assert table["remark"].item() == ["kept"]


@pytest.mark.parametrize("options", [{"if_there": ["n"]}, {"if_there": ["n", "absent"]}])
def test_columns_that_may_be_absent_are_numbers_where_they_are_there(options):
    assert load([{"model": "m", "score": 1, "n": "3"}], **options)["n"].item() == 3.0
    with pytest.raises(NonNumericError, match=r"The n in row 1 of the table is 'three'"):
        load([{"model": "m", "score": 1, "n": "three"}], **options)


def test_a_missing_column_is_named_with_those_that_are_there():
    with pytest.raises(UnknownLabelError) as caught:
        load([{"Model": "m", "score": 1}], others=["family"])
    message = str(caught.value)
    assert "the table has no column 'model', 'family'." in message
    assert "A table of scores needs the columns model, score, family" in message
    assert "it has: Model, score. Rename them." in message
    assert caught.value.labels == ("model", "family")


@pytest.mark.parametrize("source", [5, None, {"model": ["m"]}, ["model"], [("m", 1)]])
def test_what_is_no_table_is_refused(source):
    with pytest.raises(FormatError) as caught:
        load(source)
    message = str(caught.value)
    assert "A table of scores is a path, a DataFrame or a list of rows" in message
    assert f"got {type(source).__name__}." in message


@pytest.mark.parametrize("source", [[], pd.DataFrame()])
def test_nothing_at_all_has_no_columns(source):
    with pytest.raises(UnknownLabelError, match=r"it has: none\."):
        load(source)


def test_columns_without_a_row():
    with pytest.raises(EmptyMatrixError, match="the table has no scores: there is not one row"):
        load(pd.DataFrame({"model": [], "score": []}))


def test_a_cell_that_is_no_number_is_named_with_its_file(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("model,score\na,0.5\nb,good\n")
    with pytest.raises(NonNumericError) as caught:
        load(path)
    assert "The score in row 2 of bad.csv is 'good', which is no number." in str(caught.value)
    assert "leave the cell empty where there is no score" in str(caught.value)
    assert caught.value.labels == ("row 2",)


@pytest.mark.parametrize("empty", [None, np.nan, "", "  "])
def test_a_row_without_a_name_is_refused(empty):
    with pytest.raises(InputError, match=r"The model in row 2 of the table .* has no name"):
        load([{"model": "a", "score": 1}, {"model": empty, "score": 1}])


def test_a_list_is_no_name():
    with pytest.raises(FormatError, match="which is not a name"):
        load([{"model": ["a"], "score": 1}])


def test_a_column_that_is_there_twice():
    twice = pd.DataFrame([["a", 1, 2]], columns=["model", "score", "score"])
    with pytest.raises(DuplicateError, match="score"):
        load(twice)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"There is no file or folder .*nowhere\.csv"):
        load(tmp_path / "nowhere.csv")


def test_what_is_written_is_read_back(tmp_path):
    texts = ["lone \r return", "two\r\nlines", "x" * 200_000, 'a "quote", a; b\tc', "1e5", "=1"]
    table = pd.DataFrame({"model": "m", "text": texts, "score": np.arange(6) / 7, "remark": None})
    before = csv_module.field_size_limit()
    found = load(write_table(table, tmp_path / "t.csv"))
    assert found["text"].tolist() == texts
    assert found["score"].tolist() == table["score"].tolist()
    assert (found["remark"] == "").all()
    assert csv_module.field_size_limit() == before


def test_what_no_file_holds_is_written_as_a_question_mark(tmp_path):
    texts = pd.Series(["null \0", "half a pair: \ud83d"], dtype=object)
    table = pd.DataFrame({"model": texts, "score": [0.0, 1.0]})
    found = load(write_table(table, tmp_path / "t.csv"))
    assert found["model"].tolist() == ["null ?", "half a pair: ?"]


def test_cells_with_a_sign_for_per_cent_are_on_the_scale_of_the_others():
    for others, expected in ((0.5, 0.671), (50, 67.1)):
        rows = [{"model": "a", "score": others}, {"model": "b", "score": "67.1%"}]
        assert load(rows)["score"].iloc[1] == pytest.approx(expected)
