from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    FormatError,
    InputError,
    NonNumericError,
    ParameterError,
)
from robustrank.instances import InstanceScores, read_instances
from tests.instances.boards import board


def long(instances: InstanceScores, **columns: str) -> pd.DataFrame:
    """Every score as a row, its columns named as asked."""
    parts = [
        instances.table(dataset)
        .reset_index()
        .melt(id_vars="model", var_name="instance", value_name="score")
        .assign(dataset=dataset)
        for dataset in instances.datasets
    ]
    return pd.concat(parts, ignore_index=True).rename(columns=columns)


def same(a: InstanceScores, b: InstanceScores) -> None:
    assert set(a.datasets) == set(b.datasets)
    for dataset in a.datasets:
        pd.testing.assert_frame_equal(
            a.table(dataset), b.table(dataset).loc[a.models, a.table(dataset).columns]
        )


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"model": "Model Name", "dataset": "task", "instance": "query-id", "score": "value"},
        {"model": "model_id", "dataset": "Task Name", "instance": "QID", "score": "correct"},
        {"instance": "id", "score": "ndcg_at_10"},
    ],
)
def test_long_tables_whatever_their_columns_are_called(columns):
    table = long(board(), **columns)
    same(board(), read_instances(table))
    same(board(), read_instances(table.sample(frac=1.0, random_state=0)))


def test_a_long_table_with_its_labels_in_the_index():
    same(board(), read_instances(long(board()).set_index(["model", "dataset", "instance"])))


@pytest.mark.parametrize("suffix", ["parquet", "csv", "tsv"])
def test_files(tmp_path, suffix):
    path = tmp_path / f"scores.{suffix}"
    table = long(board())
    if suffix == "parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, index=False, sep="\t" if suffix == "tsv" else ";")
    same(board(), read_instances(path))
    same(board(), read_instances(str(path)))


def test_right_and_wrong_and_numbered_instances(tmp_path):
    table = pd.DataFrame(
        {"model": ["x", "x", "y"], "dataset": "d", "id": [7, 8, 7], "correct": [True, False, True]}
    )
    table.to_parquet(tmp_path / "scores.parquet")
    instances = read_instances(tmp_path / "scores.parquet")
    assert list(instances.table("d").columns) == ["7", "8"]
    assert instances.scores()["d"].to_dict() == {"x": 0.5, "y": 1.0}


def test_labels_of_text_files_stay_text(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("\ufeffmodel,id,score\nNA,007,1\nNA,7,0\nnull,007,\nnull,7,NaN\n", "utf-8")
    instances = read_instances(path)
    assert instances.models == ["NA", "null"]
    assert list(instances.table("d").columns) == ["007", "7"]
    assert instances.scores().loc["NA", "d"] == 0.5
    assert np.isnan(instances.scores().loc["null", "d"])


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
@pytest.mark.parametrize("shape", ["models down", "instances down", "index"])
def test_a_folder_with_a_wide_file_per_dataset(tmp_path, suffix, shape):
    for dataset in board().datasets:
        table = board().table(dataset)
        if shape == "instances down":
            table = table.T
        table = table.rename_axis(columns=None)
        table = table.rename_axis(index=None) if shape == "index" else table.reset_index()
        path = tmp_path / f"{dataset}.{suffix}"
        if suffix == "parquet":
            table.to_parquet(path)
        else:
            table.to_csv(path, index=shape == "index")
    same(board(), read_instances(tmp_path))


def test_a_folder_with_a_file_per_model_and_dataset(tmp_path):
    for (model, dataset), rows in long(board()).groupby(["model", "dataset"]):
        folder = tmp_path / f"org__{model}"
        folder.mkdir(exist_ok=True)
        rows[["instance", "score"]].to_parquet(folder / f"{dataset}.parquet", index=False)
    (tmp_path / "README.md").write_text("about")
    (tmp_path / ".hidden.csv").write_text("nothing")
    instances = read_instances(tmp_path)
    assert instances.models == [f"org/{model}" for model in board().models]
    pd.testing.assert_frame_equal(
        instances.scores()[board().datasets].set_axis(board().models),
        board().scores(),
        check_names=False,
    )
    (note,) = instances.notes
    assert (note.code, note.labels) == ("skipped-files", ("README.md",))


def test_wide_files_in_subfolders_keep_their_models(tmp_path):
    for dataset in board().datasets:
        (tmp_path / "STS").mkdir(exist_ok=True)
        board().table(dataset).reset_index().to_csv(
            tmp_path / "STS" / f"{dataset}.csv", index=False
        )
    same(board(), read_instances(tmp_path))


def test_the_one_column_of_a_model_needs_no_known_name(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "d.csv").write_text("query,ndcg\na,0.25\nb,0.75\n")
    assert read_instances(tmp_path).table("d").loc["x"].to_dict() == {"a": 0.25, "b": 0.75}


def test_a_folder_of_parts_of_one_long_table(tmp_path):
    table = long(board())
    for part in range(3):
        table.iloc[part::3].to_parquet(tmp_path / f"part-{part}.parquet")
    same(board(), read_instances(tmp_path))
    table.iloc[:1].to_parquet(tmp_path / "part-3.parquet")
    with pytest.raises(DuplicateError, match="2 scores of 'm0' on instance '1' of 'small'"):
        read_instances(tmp_path)


def test_experiments_are_averaged_on_request_only():
    table = pd.DataFrame(
        {
            "model": ["x"] * 4 + ["y"],
            "dataset": "d",
            "instance": ["a", "a", "a", "b", "a"],
            "score": [0.1, 0.2, 0.3, 1.0, 0.5],
            "seed": [0, 1, 2, 0, 0],
        }
    )
    with pytest.raises(DuplicateError, match=r"3 scores of 'x' on instance 'a' of 'd'.*'mean'"):
        read_instances(table)
    instances = read_instances(table, on_duplicate="mean")
    assert instances.table("d").loc["x"].to_dict() == {"a": pytest.approx(0.2), "b": 1.0}
    assert [note.code for note in instances.notes] == ["duplicates"]
    backwards = read_instances(table[::-1], on_duplicate="mean").table("d")
    assert backwards.loc["x", "a"] == instances.table("d").loc["x", "a"]


def test_a_board_given_by_mistake_is_noticed(tmp_path):
    path = tmp_path / "board.csv"
    pd.DataFrame(0.5, index=["x", "y"], columns=[f"d{i}" for i in range(131)]).to_csv(path)
    instances = read_instances(path)
    (note,) = instances.notes
    assert (note.code, note.labels) == ("one-dataset", ("board",))
    for part in ("board.csv (1 dataset, 'board', of 131 instances)", "robustrank.read."):
        assert part in note.message
    path.rename(tmp_path / "other.csv")
    long(board()).to_csv(tmp_path / "long.csv", index=False)
    (note,) = read_instances(tmp_path).notes
    assert (note.code, note.labels) == ("one-dataset", ("other",))


@pytest.mark.parametrize(
    "text",
    ["model,query,score\nx,a,1\ny,a,0\n", "query,x,y\na,1,0\n", "model,task,query,v\nx,d,a,1\n"],
)
def test_no_board_where_a_column_names_instances(tmp_path, text):
    (tmp_path / "d.csv").write_text(text)
    assert read_instances(tmp_path / "d.csv").notes == ()


def test_all_that_was_done_to_a_folder_is_noted_in_sentences(tmp_path):
    table = long(board()).assign(score=lambda rows: rows["score"] * 100)
    table.to_parquet(tmp_path / "a.parquet")
    table.iloc[:2].to_parquet(tmp_path / "b.parquet")
    table.iloc[:1].assign(instance="unscored", score=np.nan).to_csv(tmp_path / "c.csv")
    board().table("large").reset_index().to_csv(tmp_path / "wide.csv", index=False)
    for name in ("README.md", "scores.json"):
        (tmp_path / name).write_text("{}")
    instances = read_instances(tmp_path, on_duplicate="mean")
    assert {note.code: note.message for note in instances.notes} == {
        "one-dataset": (
            "Without a column of datasets, a file was taken for one dataset called like the file, "
            "and its columns for instances: wide.csv (1 dataset, 'wide', of 200 instances). If the "
            "columns are datasets, read it with robustrank.read."
        ),
        "skipped-files": (
            "2 files of the folder were passed over, as only .parquet, .csv, .tsv are read: "
            "README.md, scores.json."
        ),
        "duplicates": (
            f"2 scores per model and instance of {tmp_path.name} were given more than once and "
            "averaged: 2 on small."
        ),
        "scale": "Scores per instance were on 0..100 and have been divided by 100.",
        "mixed-scale": (
            "The scores per instance of wide do not exceed 1 while the others do: they may be on "
            "another scale. No dataset was rescaled on its own; if they are, multiply or divide "
            "them by 100."
        ),
        "unscored-instances": (
            "1 instance has no score of any model and was set aside: 1 of small."
        ),
    }


def test_a_missing_score_is_no_duplicate():
    table = pd.DataFrame(
        {"model": "x", "dataset": "d", "instance": ["a", "a"], "score": [np.nan, 0.5]}
    )
    assert read_instances(table).scores().loc["x", "d"] == 0.5


def test_instances_of_splits_and_subsets_are_told_apart():
    table = pd.DataFrame(
        {
            "model": "x",
            "dataset": "d",
            "split": ["dev", "test", "test"],
            "subset": ["en", "en", "pt"],
            "id": 1,
            "score": [0.0, 0.5, 1.0],
        }
    )
    expected = {"dev/en/1": 0.0, "test/en/1": 0.5, "test/pt/1": 1.0}
    assert read_instances(table).table("d").loc["x"].to_dict() == expected


def test_a_mapping_is_taken_as_it_is():
    same(board(), read_instances({name: board().table(name) for name in board().datasets}))


ROWS = {"model": ["x", "y"], "dataset": ["d", "d"], "instance": ["a", "a"], "score": [0.5, 1.0]}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"model": None}, FormatError, "hold the model .*columns: dataset"),
        ({"dataset": None}, FormatError, "hold the dataset .*pass a mapping"),
        ({"instance": None}, FormatError, "hold the instance .*robustrank.read"),
        ({"score": None}, FormatError, "candidates: none"),
        ({"score": None, "f1": [0.1, 0.2], "ap": [0.1, 0.2]}, FormatError, "candidates: f1, ap"),
        ({"model": ["x", " "]}, InputError, "Row 2 of the table has no model"),
        ({"dataset": [None, "d"]}, InputError, "Row 1 of the table has no dataset"),
        ({"score": ["0.5", "good"]}, NonNumericError, "Row 2 of the table holds 'good'"),
    ],
)
def test_bad_tables(change, error, message):
    columns = {name: cells for name, cells in (ROWS | change).items() if cells is not None}
    with pytest.raises(error, match=message):
        read_instances(pd.DataFrame(columns))


def test_an_index_beside_a_column_of_the_same_name():
    table = pd.DataFrame(ROWS, index=pd.Index(["p", "q"], name="model"))
    with pytest.raises(DuplicateError, match="index and a column"):
        read_instances(table)


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("d.csv", b"model,id,score\nx,1,high\n", NonNumericError, "Row 1 of d.csv holds 'high'"),
        ("d.csv", b"model,id,id,score\n", DuplicateError, "d.csv has 1 column name more than once"),
        ("d.csv", b"model,id,score\n", FormatError, "d.csv has no rows"),
        ("d.csv", b"", FormatError, "d.csv has a single column"),
        ("d.csv", b"model,id,score\nx,\xff\xfe,1\n", FormatError, "d.csv is no parquet"),
        ("d.parquet", b"PAR1 cut off", FormatError, "d.parquet is no parquet"),
        ("d.csv", b"model,f1,ap\nx\n", InputError, "'d' holds no score of any model"),
        ("notes.txt", b"model", FormatError, "holds no table"),
    ],
)
def test_bad_files(tmp_path, name, content, error, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(error, match=message):
        read_instances(tmp_path)


def test_bad_sources(tmp_path):
    with pytest.raises(InputError, match="no file or folder"):
        read_instances(tmp_path / "absent.parquet")
    with pytest.raises(FormatError, match="got int"):
        read_instances(5)
    with pytest.raises(ParameterError, match="'error' or 'mean'"):
        read_instances(pd.DataFrame(ROWS), on_duplicate="latest")
