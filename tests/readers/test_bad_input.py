"""Whatever is given: an error that says what it is, where, and what to do."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import robustrank as rr
from robustrank.errors import DuplicateError, FormatError, InputError, NonNumericError
from robustrank.readers import read
from tests.readers.conftest import write


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("x" * 5000, "no file or folder 'x{200}…'"),
        ("model,X\na,0.5\n" * 500, r"text of a table .*io\.StringIO"),
        ('{"a": {"X": 0.5}}', "text of a table"),
        ("~nouser/x", "no file or folder '~nouser/x'"),
        ("", "no file or folder ''"),
    ],
    ids=["long", "csv", "json", "user", "empty"],
)
def test_paths(path, says):
    for source in ({"source": path}, {"source": pd.DataFrame({"X": [0.5]}), "models": path}):
        with pytest.raises(InputError, match=says):
            read(**source)


@pytest.mark.parametrize("text", ["\ufeff", "\ufeff\n", "sep=;", "sep=;\n", '"'])
def test_files_of_nothing(file, text):
    with pytest.raises(FormatError, match="download is empty"):
        read(file(text))


def test_rows_of_nothing_are_skipped(file):
    matrix = read(file("model,X,Y\na,0.5,0.6\n,,\n ,,,\nb,0.1,0.2\n,,\n"))
    assert list(matrix.scores.index) == ["a", "b"]


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"\x89PNG\r\n\x1a\nabc", "an image"),
        (b"\xff\xd8\xff\xe0abc", "an image"),
        (b"GIF89abc", "an image"),
        (b"\x28\xb5\x2f\xfd$abc", "compressed"),
        (b"BZh91AY&SY", "compressed"),
        (b"model,X\n\xff\x07,1\n", "a binary file"),
    ],
)
def test_what_is_no_text(tmp_path, raw, says):
    path = tmp_path / "download"
    path.write_bytes(raw)
    with pytest.raises(FormatError, match=f"download is {says}"):
        read(path)


def test_headers_longer_than_a_cell_may_be(file):
    names = [f"a_dataset_with_a_long_name_{i}" for i in range(5000)]
    text = f"model,{','.join(names)}\na{',0.5' * len(names)}\n"
    assert list(read(file(text)).scores.columns) == names


def test_the_header_decides_where_numbers_do_not(file):
    matrix = read(file("model;A, en\nx;0,5\ny;0,6"))
    assert matrix.scores["A, en"].to_dict() == {"x": 0.5, "y": 0.6}


def test_copies_in_parquet_and_json(file, tmp_path):
    columns = [pa.array(["a"]), pa.array([0.1]), pa.array([0.2])]
    parquet.write_table(pa.Table.from_arrays(columns, ["model", "X", "X"]), tmp_path / "scores")
    with pytest.raises(DuplicateError, match="'X' in columns 2, 3"):
        read(tmp_path / "scores")
    for text in (
        '{"a": {"X": 0.5, "X": 0.6}}',
        '{"X": {"Y": 0.5}, "X": {"Y": 0.6}}',
        '{"model": "a", "X": 1, "X": 2}\n{"model": "b", "X": 3}\n',
    ):
        with pytest.raises(DuplicateError, match="'X' more than once in one object"):
            read(file(text))


@pytest.mark.parametrize(
    "value",
    [
        {"model_results": [{"name": "x"}]},
        {"model_results": ["x"]},
        {"model_results": [{"model_name": "x", "task_results": 5}]},
        {"model_results": [{"model_name": "x", "task_results": ["y"]}]},
        {"model_results": [{"model_name": None, "task_results": []}]},
        {"model_results": [{"model_name": "x", "task_results": [{"scores": {}}]}]},
        {"model_results": [{"model_name": "x", "task_results": [{"task_name": "X"}]}]},
        {
            "model_results": [
                {"model_name": "x", "task_results": [{"task_name": "X", "scores": []}]}
            ]
        },
    ],
)
def test_saved_results_of_another_shape(file, value):
    with pytest.raises(FormatError, match=r"download does not have the shape of an mteb result: "):
        read(file(json.dumps(value)))


def written(tmp_path, entry, **fields):
    result = {"task_name": "X", "scores": {"test": [{"main_score": 0.5} | entry]}} | fields
    return write(tmp_path / "org__a" / "r1" / "X.json", json.dumps(result))


@pytest.mark.parametrize(
    ("entry", "fields"),
    [
        ({"languages": [1, 2]}, {}),
        ({"languages": 5}, {}),
        ({"hf_subset": {"a": 1}}, {}),
        ({}, {"task_name": None}),
        ({}, {"mteb_version": {}}),
    ],
)
def test_results_with_parts_of_another_kind(tmp_path, entry, fields):
    path = written(tmp_path, entry, **fields)
    for source in (path, tmp_path):
        with pytest.raises(FormatError, match=r"X\.json does not have the shape") as error:
            read(source)
        assert error.value.labels == (str(path),)


def test_parts_of_results_that_may_differ(tmp_path):
    written(tmp_path, {"languages": "eng-Latn"}, mteb_version="²")
    write(tmp_path / "org__a" / "r1" / "model_meta.json", '{"training_datasets": [{"X": 1}]}')
    matrix = read(tmp_path)
    assert matrix.datasets.loc["X", "languages"] == ("eng",)
    write(tmp_path / "org__a" / "r1" / "model_meta.json", '{"name": {"a": 1}}')
    with pytest.raises(FormatError, match=r"name is {'a': 1}"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("column", "cells", "says"),
    [
        ("model", [{"a": 1}, "b"], "model in row 1 .*not a name"),
        ("task", ["X", ["Y"]], "dataset in row 2 .*not a name"),
        ("model", [1, {"a": 1}], "model in row 2 .*not a name"),
        ("subset", ["s", {"a": 1}], "Row 2 of the table .*a list of texts"),
    ],
)
def test_long_records_with_objects_for_text(column, cells, says):
    frame = pd.DataFrame({"model": ["a", "b"], "task": ["X", "X"], "score": [0.5, 0.6]})
    with pytest.raises(FormatError, match=says):
        read(frame.assign(**{column: cells}))


def test_a_model_that_is_an_object_in_a_wide_table():
    with pytest.raises(FormatError, match=r"model in row 2 .*not a name"):
        read(pd.DataFrame({"model": ["a", {"b": 1}], "X": [0.5, 0.6]}))


def test_languages_as_text_and_as_lists():
    frame = pd.DataFrame({"model": ["a", "b"], "task": ["X", "X"], "score": [0.5, 0.6]})
    for cells in ([["eng", "deu"], "fra"], ["fra", ["eng", "deu"]]):
        matrix = read(frame.assign(languages=cells))
        assert set(matrix.datasets.loc["X", "languages"]) == {"eng", "deu", "fra"}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"columns": ["X", "Y"], "data": [[1, 2], [3]]}, 'Row 2 of "data" .*2 cells'),
        ({"columns": ["X"], "data": [1]}, 'Row 1 of "data"'),
        ({"columns": "XY", "data": [[1, 2]]}, "must be a list of names"),
        ({"columns": ["X"], "data": 5}, "must be a list of names"),
        ({"columns": ["X"], "index": ["a"], "data": [[1], [2]]}, '"index" .*2 names'),
        ({"columns": [["X", "a"]], "data": [[1]]}, "Join the levels"),
        ({"columns": ["X"], "index": [["a"]], "data": [[1]]}, "Join the levels"),
        ({"scores": {"test": [{"main_score": 0.5}]}}, "not of a shape"),
        ({"a": {"model": 0.5, "X": 0.6}}, "both named 'model'"),
    ],
)
def test_json_tables_of_another_shape(file, value, says):
    with pytest.raises(InputError, match=says):
        read(file(json.dumps(value)))


@pytest.mark.parametrize("digits", ["1" * 400, "1" * 5000], ids=["float", "text"])
def test_numbers_of_many_digits_in_json(file, digits):
    with pytest.raises(NonNumericError, match="'a' on 'X' is infinite"):
        read(file(f'{{"a": {{"X": {digits}}}, "b": {{"X": 0.5}}}}'))
    record = f'{{"model": "a", "dataset": "X", "axes": {{"l": {digits}}}, "transformations": 1}}'
    with pytest.raises(NonNumericError, match="'a' on 'X' is infinite"):
        read(file(f"[{record}]"))


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ({"axes": 5}, "has 5 for axes"),
        ({"axes": [1]}, "number for each axis"),
        ({"axes": {}}, "number for each axis"),
        ({"axes": {"lexical": "x"}}, "number for each axis"),
        ({"axes": {"lexical": {}}}, "number for each axis"),
        ({"model": None}, "has None for a model"),
        ({"dataset": {}}, "has {} for a dataset"),
    ],
)
def test_hteb_records_of_another_shape(file, part, says):
    good = {"model": "a", "dataset": "X", "axes": {"lexical": 4.0}, "transformations": {}}
    with pytest.raises(FormatError, match=f"Record 2 of download .*{says}"):
        read(file(json.dumps([good, good | part])))


def test_an_index_named_like_a_column():
    frame = pd.DataFrame({"model": [0.5, 0.6], "X": [0.1, 0.2]}, index=["a", "b"])
    with pytest.raises(DuplicateError, match="index and a column are both named 'model'"):
        read(frame.rename_axis("model"))
    levels = pd.MultiIndex.from_tuples([("a", "X"), ("b", "X")], names=["model", "dataset"])
    with pytest.raises(DuplicateError, match="'model' in columns 1, 3"):
        read(frame[["model"]].set_axis(levels))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("models_dec2025.parquet", r"model metadata; .*--model-metadata"),
        ("models_aug2026.parquet", r"model metadata; .*--model-metadata"),
        ("tasks_multilingual_v2_aug2026.csv", r"task metadata; .*--task-metadata"),
    ],
)
def test_metadata_given_as_scores(shared, name, says):
    with pytest.raises(FormatError, match=f"{name} has no column of scores: .*{says}"):
        read(shared / "data" / name)


def test_own_results_given_as_scores(file):
    scores = pd.DataFrame(np.eye(3) / 2 + 0.1, index=list("abc"), columns=list("XYZ"))
    with pytest.raises(FormatError, match="results that robustrank wrote"):
        read(file(rr.analyze(scores).to_frame().to_csv()))


def test_remedies_name_the_option_of_the_command_line(file):
    rows = "model,task,split,score\na,X,test,0.5\na,X,dev,0.5\nb,X,test,0.5\n"
    messages = " ".join(note.message for note in read(file(rows)).notes)
    assert "(--partial drop)" in messages
    assert "(--task-metadata)" in messages
    with pytest.raises(DuplicateError, match="--on-duplicate latest"):
        read(file("model,task,score\na,X,0.5\na,X,0.6\n"))
