from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank import ScoreMatrix
from robustrank.errors import (
    DuplicateError,
    FormatError,
    InputError,
    NonNumericError,
    ParameterError,
    SummaryExportError,
)
from robustrank.readers import read

EXPECTED = pd.DataFrame(
    [[0.5, 0.6], [0.7, np.nan]],
    index=pd.Index(["org/a", "b"], name="model"),
    columns=pd.Index(["X", "Y"], name="dataset"),
)


def check(matrix, expected=EXPECTED):
    pd.testing.assert_frame_equal(
        matrix.scores, expected, check_index_type=False, check_column_type=False
    )


@pytest.mark.parametrize(
    "text",
    [
        "model,X,Y\norg/a,0.5,0.6\nb,0.7,\n",
        "model\tX\tY\norg/a\t0.5\t0.6\nb\t0.7\t-\n",
        "model;X;Y\r\norg/a;0,5;0,6\r\nb;0,7;—\r\n",
        "model;X;Y\norg/a;0,5;0,6\nb;0,7;NA\n",
        "\ufeffmodel,X,Y\norg/a,0.5,0.6\nb,0.7,NA\n",
        "sep=;\nmodel;X;Y\norg/a;0,5;0,6\nb;0,7;\n",
        ",Model,X,Y\n0,org/a,50,60\n1,b,70,\n",
        "Unnamed: 0,Model,X,Y\n1.0,[org/a](https://x.org),50%,60%\n2.0,b,70%,⚠️ NA\n",
        ",X,Y\norg/a,0.5,0.6\nb,0.7,\n",
        "anything,X,Y,\norg/a,0.5,0.6,\n\nb,0.7,,\n",
        'model,X,Y\n"org/a","0.5","0,6"\nb,0.7,nan\n',
        "task_name,is_public,org/a,b\nX,True,0.5,0.7\nY,False,0.6,\n",
        "task,[org/a](https://x.org),[b](https://y.org)\nX,0.5,0.7\nY,0.6,\n",
        '{"org/a": {"X": 0.5, "Y": 0.6}, "b": {"X": 0.7}}',
        '\ufeff{"org/a": {"X": 0.5, "Y": 0.6}, "b": {"X": 0.7}}',
        '[{"model": "org/a", "X": 0.5, "Y": 0.6}, {"model": "b", "X": 0.7}]',
        '{"model": "org/a", "X": 0.5, "Y": 0.6}\n{"model": "b", "X": 0.7, "Y": null}\n',
        '{"model": ["org/a", "b"], "X": [0.5, 0.7], "Y": [0.6, null]}',
        '{"columns": ["X", "Y"], "index": ["org/a", "b"], "data": [[0.5, 0.6], [0.7, null]]}',
        '{"scores": {"org/a": {"X": 0.5, "Y": 0.6}, "b": {"X": 0.7}}}',
    ],
)
def test_one_matrix_in_many_shapes(file, text):
    check(read(file(text)))


def test_commas_in_names_and_numbers_under_semicolons(file):
    """Commas split these lines just as regularly as semicolons do."""
    matrix = read(file("model;X, old;Y, new\nm;0,5;0,6\nn;0,1;0,2\n"))
    assert list(matrix.scores.columns) == ["X, old", "Y, new"]
    assert matrix.scores.loc["n"].tolist() == [0.1, 0.2]
    more_commas = read(file("model\tX, y, z, old\tY\nm\t0.5\t0.6\n"))
    assert list(more_commas.scores.columns) == ["X, y, z, old", "Y"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_encodings(file, encoding):
    matrix = read(file("model,Süd,Öst\nä,0.5,0.6\n", encoding))
    assert list(matrix.scores.columns) == ["Süd", "Öst"]
    assert list(matrix.scores.index) == ["ä"]


@pytest.mark.parametrize(
    "table",
    [
        EXPECTED,
        EXPECTED.reset_index(),
        EXPECTED.rename_axis(index=None).reset_index(names="whatever"),
        EXPECTED.reset_index().set_index(pd.Index([7, 3])),
        EXPECTED.reset_index().set_index("model", drop=False),
        EXPECTED.T.rename_axis(index="task_name"),
        EXPECTED.T.rename_axis(index="dataset").reset_index().astype({"dataset": "category"}),
        EXPECTED.astype("object"),
        EXPECTED.reset_index().convert_dtypes(),
    ],
)
def test_one_matrix_in_many_frames(table, tmp_path):
    before = table.copy(deep=True)
    check(read(table))
    pd.testing.assert_frame_equal(table, before)
    path = tmp_path / "no suffix"
    table.to_parquet(path)
    check(read(path))


def test_a_frame_of_numbers_alone_keeps_its_index():
    matrix = read(pd.DataFrame({"X": [0.1, 0.2], "Y": [0.3, 0.4]}))
    assert list(matrix.scores.index) == ["0", "1"]


def test_models_named_like_missing_values(file):
    matrix = read(file("model,X,Y\nNA,0.5,0.6\nNone,0.1,0.2\nnan,0.3,NA\n"))
    assert list(matrix.scores.index) == ["NA", "None", "nan"]
    assert np.isnan(matrix.scores.loc["nan", "Y"])


def test_short_names_never_merge(file):
    matrix = read(file("model,X\na/e5,0.5\nb/e5,0.6\n"))
    assert list(matrix.scores.index) == ["a/e5", "b/e5"]
    with pytest.raises(DuplicateError, match="'e5' in rows 1, 2") as error:
        read(file("Model,X\n[e5](https://x.org/a),0.5\n[e5](https://x.org/b),0.6\n"))
    assert error.value.labels == ("e5",)


def test_a_column_twice_is_not_renamed(file):
    with pytest.raises(DuplicateError, match="'X' in columns 2, 4"):
        read(file("model,X,Y,X\na,1,2,3\n"))


def test_metadata_columns_never_become_datasets(file, notes):
    """A board's columns of every generation, beside two datasets."""
    header = (
        "Rank (Borda),Model,Zero-shot,Number of Parameters (B),Memory Usage (MB),"
        "Embedding Dimensions,Max Tokens,Mean (Task),Mean (TaskType),Release Date,License,X,Y"
    )
    rows = [
        "1,[a](https://x.org),72%,7.5,14000,4096,32768,55.0,54.0,2025-01-31,mit,50,60",
        "2,b,⚠️ NA,,,1024,Unknown,65.0,64.0,2024-05-01,apache-2.0,70,60",
    ]
    matrix = read(file("\n".join([header, *rows])))
    assert list(matrix.scores.columns) == ["X", "Y"]
    assert set(notes(matrix, "set-aside").labels) == set(header.split(",")) - {"Model", "X", "Y"}
    models = matrix.models
    assert models.loc["a", "n_parameters"] == 7.5e9
    assert models.loc["a", "zero_shot"] == 0.72
    assert models.loc["b", ["n_parameters", "zero_shot", "max_tokens"]].isna().all()
    assert models.loc["b", "embed_dim"] == 1024
    assert list(models["Release Date"]) == ["2025-01-31", "2024-05-01"]
    assert list(models["License"]) == ["mit", "apache-2.0"]
    assert not {"Rank (Borda)", "Mean (Task)", "Mean (TaskType)"} & set(models.columns)


def test_a_text_column_is_set_aside(file, notes):
    matrix = read(file("model,team,X\na,red,0.5\nb,blue,0.6\n"))
    assert list(matrix.scores.columns) == ["X"]
    assert list(matrix.models["team"]) == ["red", "blue"]
    assert notes(matrix, "set-aside").labels == ("team",)


def test_an_empty_column_stays_a_dataset(file):
    matrix = read(file("model,X,Y\na,0.5,\nb,0.6,—\n"))
    assert matrix.scores["Y"].isna().all()


def test_dataset_metadata_beside_transposed_scores(file):
    text = "task_name,task_type,languages,is_public,m1,m2\nX,STS,eng;deu,True,0.5,0.6\n"
    matrix = read(file(text))
    assert list(matrix.scores.index) == ["m1", "m2"]
    assert matrix.datasets.loc["X", "task_type"] == "STS"
    assert matrix.datasets.loc["X", "languages"] == ("eng", "deu")


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Rank (Borda),Model,Mean (Task),Mean (TaskType),Retrieval,STS", "1,a,50,60,50,70"),
        (
            "Rank (Mean Task),Model,Mean (Task),Audio Things,Video Things,Mean (TaskType)",
            "1,a,51,50,70,60",
        ),
        ("Rank,Model,Mean (Task)", "1,a,60"),
    ],
)
def test_summaries_of_other_boards(file, header, row):
    with pytest.raises(SummaryExportError, match="Performance per task"):
        read(file(f"{header}\n{row}\n"))


def test_a_summary_without_types_cannot_be_ranked_on(file):
    with pytest.raises(FormatError, match="nothing to rank on"):
        read(file("Rank,Model,Mean (Task)\n1,a,60\n"), summary="task-types")


def test_a_board_with_one_dataset_per_type_is_not_a_summary(file):
    text = "Rank (Borda),Model,Mean (Task),Mean (TaskType),ArguAna,STS12\n1,a,60,60,50,70\n"
    assert list(read(file(text)).scores.columns) == ["ArguAna", "STS12"]


def test_columns_that_are_task_types_are_noted(file, notes):
    matrix = read(file("model,Retrieval,STS\na,0.5,0.6\nb,0.6,0.5\n"))
    assert notes(matrix, "task-type-means").labels == ("Retrieval", "STS")


def test_percent_signs_beside_plain_fractions(file, notes):
    matrix = read(file("model,X,Y\na,72%,0.6\nb,0.5,0.7\n"))
    assert matrix.scores.loc["a", "X"] == 0.72
    assert notes(matrix, "percent-cells").message.startswith("1 score written with %")
    percent = read(file("model,X,Y\na,72%,60\nb,50,70\n"))
    assert percent.scores.loc["a", "X"] == 0.72
    alone = file("model,X\na,0.72%\nb,0.5%\n")
    assert read(alone, scale="unit").scores.loc["a", "X"] == pytest.approx(0.0072)
    assert read(alone, scale="percent").scores.loc["a", "X"] == pytest.approx(0.0072)


def test_percent_signs_beside_negative_percentages():
    """What makes a matrix one in percent makes it so for cells with a sign as well."""
    board = pd.DataFrame({"model": ["a", "b"], "X": ["-3%", "-4"], "Y": [-5.0, -4.0]})
    assert read(board).scores.to_numpy().tolist() == [[-0.03, -0.05], [-0.04, -0.04]]


def right_and_wrong(models: int, items: int) -> pd.DataFrame:
    answers = np.arange(models * items).reshape(models, items) % 3 % 2
    labels = [f"q{item}" for item in range(items)]
    return pd.DataFrame(answers, index=[f"m{model}" for model in range(models)], columns=labels)


@pytest.mark.parametrize("shape", [(2, 5), (7, 40)])
def test_a_table_of_right_and_wrong_answers_is_noted(notes, shape):
    answers = right_and_wrong(*shape)
    for board in (answers, answers.T.reset_index(names="dataset"), answers.replace(0, np.nan)):
        matrix = read(board)
        assert matrix.shape == shape
        message = notes(matrix, "binary-scores").message
        assert message.startswith(f"Every score is 0 or 1: if the {shape[1]} datasets are")
        assert "fit_2pl_instances" in message


@pytest.mark.parametrize(
    "board",
    [
        right_and_wrong(2, 4),
        right_and_wrong(1, 5),
        right_and_wrong(5, 4),
        right_and_wrong(2, 5).replace(1, 0.5),
        right_and_wrong(2, 5) * 100,
        right_and_wrong(2, 5) * np.nan,
        right_and_wrong(2, 5).assign(q5=[0.5, 1.0]),
    ],
)
def test_other_tables_are_none_of_answers(board):
    assert "binary-scores" not in [note.code for note in read(board).notes]


def test_thousands_of_columns(file):
    values = np.round(np.random.default_rng(0).uniform(size=(20, 1500)), 4)
    table = pd.DataFrame(values, index=[f"m{i}" for i in range(20)])
    table.columns = [f"d{j}" for j in range(1500)]
    np.testing.assert_array_equal(read(file(table.to_csv())).scores, values)


def test_direction_and_scale_pass_through(file):
    path = file("model,X,WER\na,0.5,0.2\nb,0.6,0.9\n")
    matrix = read(path, direction={"WER": "min"})
    assert list(matrix.scores["WER"]) == pytest.approx([0.8, 0.1])
    assert matrix.datasets.loc["WER", "direction"] == "min"
    assert read(path, scale="percent").scores.loc["a", "X"] == 0.005


def test_a_matrix_is_returned_as_it_is():
    matrix = ScoreMatrix(EXPECTED)
    assert read(matrix) is matrix
    assert read(matrix, direction={"X": None}).shape == (2, 1)
    with pytest.raises(ParameterError, match="where a file or table is read"):
        read(matrix, tasks=pd.DataFrame({"task": ["X"]}))


def test_an_array_gets_labels():
    matrix = read(np.array([[50.0, 20.0], [30.0, 10.0]]), direction={"d2": "min"})
    assert list(matrix.scores.index) == ["m1", "m2"]
    assert matrix.scores["d2"].tolist() == pytest.approx([0.8, 0.9])


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        (
            "model,X,Y\na,0.5,0.6\nb,pending,0.7\n",
            NonNumericError,
            ["'pending'", "row 2", "'b'", "'X'", "leave the cell empty"],
        ),
        ("task_name,m\nX,0.5\nY,bad\n", NonNumericError, ["'bad'", "dataset 'Y'", "'m'"]),
        ("model,X,Y\na,0.5\n", FormatError, ["Row 1", "'a'", "2 cells", "3", "again"]),
        ("model,X\na,0.5,0.6\n", FormatError, ["Row 1", "3 cells"]),
        ("model\na\n", FormatError, ["single column", "separated by"]),
        ("model,team\na,red\n", FormatError, ["no column of scores", "one column per dataset"]),
        ("X,Y\n1,2\n", FormatError, ["no column of model names", "Name it 'model'"]),
        ("model,X\na,inf\n", NonNumericError, ["'a'", "'X'", "infinite"]),
        ("model,X\n,0.5\nb,0.4\n", InputError, ["row 1", "name"]),
        ("model,X\n", InputError, ["download has no rows"]),
        ("", FormatError, ["download is empty", "again"]),
        (" \n\n", FormatError, ["is empty"]),
        ('{"a": {"X": 0.5}', FormatError, ["download is not valid JSON", "line 1", "cut off"]),
        ('{"a": 1}', FormatError, ["not of a shape", '"model", "dataset" and "score"']),
        ("[]", FormatError, ["not of a shape"]),
        ("<!DOCTYPE html><html></html>", FormatError, ["web page", "download button"]),
        ("\x00\x01\x02binary", FormatError, ["binary file", "CSV, TSV, parquet or JSON"]),
        ("\n\n\n", FormatError, ["is empty"]),
        ("PK\x03\x04rest", FormatError, ["Excel workbook", "as CSV"]),
        ("PAR1 but damaged", FormatError, ["damaged parquet", "again"]),
        (
            "version https://git-lfs.github.com/spec/v1\noid 1",
            FormatError,
            ["Git LFS", "git lfs pull"],
        ),
    ],
)
def test_bad_files_say_where_and_what_to_do(file, text, error, says):
    with pytest.raises(error) as caught:
        read(file(text))
    for part in says:
        assert part in str(caught.value)


def test_a_model_without_a_name_in_a_frame():
    with pytest.raises(InputError, match=r"model in row 2 of the table.*'who'.*drop the row"):
        read(pd.DataFrame({"who": ["a", None], "X": [0.5, 0.6]}))


def test_missing_paths_and_other_sources(tmp_path):
    missing = tmp_path / "nothing.csv"
    with pytest.raises(InputError, match="no file or folder") as error:
        read(missing)
    assert str(missing) in str(error.value)
    with pytest.raises(InputError, match="no file or folder"):
        read(str(missing))
    for source, says in (
        (None, "got NoneType"),
        (7, "got int"),
        ({"a": 1}, "make it a DataFrame"),
        ([1, 2], r"reshape\(-1, 1\)"),
    ):
        with pytest.raises(FormatError, match=rf"2 dimensions.*(?i:{says})"):
            read(source)
    with pytest.raises(FormatError, match="2 levels"):
        read(pd.DataFrame([[1.0]], columns=pd.MultiIndex.from_tuples([("a", "b")])))
    with pytest.raises(ParameterError, match="summary must be one of error, task-types; got 'x'"):
        read(EXPECTED, summary="x")


def test_reading_prints_nothing_and_tells_progress(file, capsys):
    told = []
    read(file(json.dumps([{"model": "a", "dataset": "X", "score": 0.5}])), progress=told.append)
    assert told == ["Reading download", "Averaging 1 rows"]
    assert capsys.readouterr() == ("", "")


def test_scores_in_a_column_called_model_are_not_taken_for_names():
    scores = {"model": [0.1, 0.25, 0.3], "b": [0.3, 0.2, 0.1]}
    with pytest.raises(FormatError, match=r"column 'model' with numbers such as 0\.1.*rename"):
        read(pd.DataFrame(scores, index=["X", "Y", "Z"]))
    numbered = pd.DataFrame({"model": [1.5, 2.5], "b": [0.3, 0.2]})
    assert list(read(numbered).scores.index) == ["1.5", "2.5"]
