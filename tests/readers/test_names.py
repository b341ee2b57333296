"""What a column or a row is by its name: a dataset in any script, an index, a mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import FormatError
from robustrank.readers import read
from robustrank.readers.columns import is_derived, is_model_metadata, is_unnamed

SCRIPTS = ["Классификация", "हिन्दी", "分类", "تصنيف", "αβγ index", "中文 mean", "Δ rank", "🏆"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_names_in_any_script(file, name):
    wide = pd.DataFrame({name: [0.5, 0.6], "STS": [0.7, 0.8]}, index=["a", "b"])
    assert list(read(wide).scores.columns) == [name, "STS"]
    assert list(read(file(wide.to_csv())).scores.columns) == [name, "STS"]
    turned = wide.rename_axis(index="task").rename(index={"a": "x"})
    assert list(read(turned.reset_index()).scores.index) == [name, "STS"]
    assert list(read(file(f"task,m\n{name},0.5\nSTS,0.6\n")).scores.columns) == [name, "STS"]
    long = read(file(f"model,task,score\n{name} 1,{name},0.5\n"))
    assert (long.scores.index[0], long.scores.columns[0]) == (f"{name} 1", name)


@pytest.mark.parametrize("name", ["Index", "index", "level_0", "#"])
def test_scores_named_like_an_index_do_not_vanish(file, notes, name):
    matrix = read(file(f"model,X,{name}\na,0.5,0.6\nb,0.7,0.8\n"))
    assert list(matrix.scores.columns) == ["X"]
    assert notes(matrix, "set-aside").labels == (name,)
    assert "rename what holds scores" in notes(matrix, "set-aside").message


@pytest.mark.parametrize("numbers", [(0, 1), (1, 2), ("", "")])
def test_counters_and_empty_columns_go_in_silence(file, numbers):
    text = "model,X,\na,0.5,{}\nb,0.7,{}\n".format(*numbers)
    assert read(file(text)).notes == ()


def test_an_empty_header_over_scores(file, notes):
    with pytest.raises(FormatError, match=r"Column 3 of download .* empty header.*name of its"):
        read(file("model,X,,Y\na,0.5,0.6,0.7\nb,0.1,0.2,0.3\n"))
    for name in ("", None):
        frame = pd.DataFrame([[0.5, 0.6], [0.1, 0.2]], columns=["X", name], index=["a", "b"])
        with pytest.raises(FormatError, match="empty header"):
            read(frame)
    words = read(file("model,X,\na,0.5,good\nb,0.1,bad\n"))
    assert notes(words, "set-aside").labels == ("Unnamed: 2",)


MEANS = [
    "Average",
    "Average score",
    "Average ⬆️",
    "Average (56 datasets)",
    "Classification Average (12 datasets)",
    "Summarization Average (1 dataset)",
    "Avg. score",
    "Macro avg",
    "Mean (Task)",
    "Overall score",
    "Overall average",
    "Total",
    "best_rank",
]


@pytest.mark.parametrize("name", MEANS)
def test_means_are_not_datasets(file, notes, name):
    for text in (
        f"model,X,{name}\na,0.5,0.6\nb,0.7,0.8\n",
        f"task,a,b\nX,0.5,0.7\n{name},0.6,0.8\n",
        f"model,task,score\na,X,0.5\nb,X,0.7\na,{name},0.6\nb,{name},0.8\n",
    ):
        matrix = read(file(text))
        assert matrix.scores["X"].to_dict() == {"a": 0.5, "b": 0.7}
        assert matrix.shape == (2, 1)
        assert notes(matrix, "set-aside").labels == (name,)


def test_real_datasets_are_no_means(shared):
    datasets = pd.read_csv(shared / "data" / "tasks_multilingual_v2_aug2026.csv")["task"]
    others = ["MeanReversion", "Mean Reversion", "TotalRecall", "Total Recall", "AverageWord"]
    others += ["mean_average_precision", "Rankings", "IndexTest", "OverallSentiment", "ZS_Task"]
    for name in [*datasets, *others]:
        assert not any(is_it(name) for is_it in (is_derived, is_unnamed, is_model_metadata)), name


def test_nothing_but_means(file):
    with pytest.raises(FormatError, match=r"nothing but means or ranks .*Average"):
        read(file("model,task,score\na,Average,0.5\n"))


def test_the_summary_of_an_old_board(file, notes):
    path = file(
        "Rank,Model,Average (56 datasets),Classification Average (12 datasets),"
        "STS Average (10 datasets)\n1,a,55.5,60.1,70.2\n2,b,50,60,71\n"
    )
    with pytest.raises(FormatError, match=r"Summary table.*--summary task-types"):
        read(path)
    matrix = read(path, summary="task-types")
    assert matrix.scores.loc["a"].tolist() == pytest.approx([0.601, 0.702])
    assert notes(matrix, "task-type-means").labels == tuple(matrix.scores.columns)


@pytest.mark.parametrize("header", ["LLM", "Encoder", "embedder"])
def test_the_first_column_may_be_called_otherwise(file, header):
    numbers = read(file(f"{header},X\n7,0.5\n13,0.6\n"))
    assert numbers.scores["X"].to_dict() == {"7": 0.5, "13": 0.6}
    long = read(file(f"{header},dataset,acc\na,X,0.5\na,Y,0.6\n"))
    assert long.scores.loc["a"].to_dict() == {"X": 0.5, "Y": 0.6}
    elsewhere = read(file(f"who,X,{header}\na,0.5,0.6\n"))
    assert list(elsewhere.scores.columns) == ["X", header]


def test_names_that_look_missing_are_the_names(file):
    matrix = read(file("who,X,Y\nNA,0.5,0.6\nNone,0.1,0.2\n"))
    assert list(matrix.scores.index) == ["NA", "None"]
    with pytest.raises(FormatError, match=r"no column of model names.*rename that to 'model'"):
        read(file("who,X\n1,0.5\n"))
    described = read(file("license,who,X\nmit,a,0.5\nmit,b,0.6\n"))
    assert list(described.scores.index) == ["a", "b"]


@pytest.mark.parametrize(
    ("header", "renamed"),
    [
        ("encoder,corpus", "rename 'encoder' to 'model' and 'corpus' to 'dataset'"),
        ("model,corpus", "rename 'corpus' to 'dataset'"),
        ("who,dataset", "rename 'who' to 'model'"),
    ],
)
def test_long_tables_with_other_headers(file, header, renamed):
    with pytest.raises(FormatError, match=f"long table, .*If so, {renamed}; if each row"):
        read(file(f"{header},acc\na,X,0.5\na,Y,0.6\nb,X,0.1\nb,Y,0.2\n"))


def test_frames_with_levels():
    seeds = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["model", "seed"])
    frame = pd.DataFrame({"X": np.arange(4) / 4, "Y": 0.5}, index=seeds)
    with pytest.raises(FormatError, match=r"2 levels \(model, seed\); a model needs one name"):
        read(frame)
    levels = frame.rename_axis(index=["model", "dataset"])[["X"]]
    assert read(levels).shape == (2, 2)
