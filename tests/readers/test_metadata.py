from __future__ import annotations

import pandas as pd
import pytest

from robustrank.errors import DuplicateError, FormatError, InputError
from robustrank.readers import read

SCORES = pd.DataFrame({"X": [0.5, 0.6, 0.7], "Y": [0.1, 0.2, 0.3]}, index=["org/a", "b", "c"])


def models(**columns):
    return read(SCORES, models=pd.DataFrame(columns)).models


def test_fields_of_datasets(file):
    path = file(
        "task;task_type;languages;main_score;n_samples;domain\n"
        "X;STS;eng-Latn,fra-Latn;cosine_spearman;1379;news\n"
    )
    matrix = read(SCORES, tasks=path)
    row = matrix.datasets.loc["X"]
    assert (row["task_type"], row["languages"]) == ("STS", ("eng", "fra"))
    assert (row["metric"], row["n_instances"], row["domain"]) == ("cosine_spearman", 1379, "news")
    assert matrix.datasets.loc["Y", "languages"] == ()
    assert pd.isna(matrix.datasets.loc["Y", "task_type"])
    assert [note.labels for note in matrix.notes] == [("Y",)]
    assert matrix.notes[0].code == "unmatched-metadata"


@pytest.mark.parametrize(
    ("column", "cells", "field", "expected"),
    [
        ("n_parameters", [7e9, 1e8, None], "n_parameters", [7e9, 1e8, None]),
        ("Total Parameters (B)", ["7.0", "0,1", "Unknown"], "n_parameters", [7e9, 1e8, None]),
        ("Model Size (Million Parameters)", [7000, 100, None], "n_parameters", [7e9, 1e8, None]),
        ("zero_shot", ["72%", "⚠️ NA", "100%"], "zero_shot", [0.72, None, 1.0]),
        ("Zero-shot", [72, None, 100], "zero_shot", [0.72, None, 1.0]),
        ("zero_shot", [0.72, None, 1.0], "zero_shot", [0.72, None, 1.0]),
        ("zero_shot", [True, False, True], "zero_shot", [1.0, 0.0, 1.0]),
        ("zero_shot_pct_multilingual_v2", [72.0, None, 100.0], "zero_shot", [0.72, None, 1.0]),
        ("open_weights", ["True", "no", "?"], "open_weights", [True, False, None]),
        ("open_weights", [True, False, None], "open_weights", [True, False, None]),
        ("price", ["0.02", "—", "1"], "price", [0.02, None, 1.0]),
    ],
)  # fmt: skip
def test_fields_of_models(column, cells, field, expected):
    found = models(**{"model": ["org/a", "b", "c"], column: cells})[field]
    assert [None if pd.isna(cell) else cell for cell in found] == pytest.approx(expected)


def test_total_before_active_parameters():
    found = models(**{"Model": ["b"], "Active Parameters (B)": [1], "Total Parameters (B)": [2]})
    assert found.loc["b", "n_parameters"] == 2e9
    assert found.loc["b", "n_active_parameters"] == 1e9


def test_short_names_match_where_unambiguous(notes):
    table = pd.DataFrame({"name": ["a", "x/b", "x/c", "y/c", "z/unused"], "price": [1, 2, 3, 4, 5]})
    matrix = read(SCORES, models=table)
    assert matrix.models["price"].tolist()[:2] == [1, 2]
    assert pd.isna(matrix.models.loc["c", "price"])
    assert notes(matrix, "ambiguous-metadata").labels == ("c",)


def test_full_names_of_other_organisations_do_not_match(notes):
    matrix = read(SCORES, models=pd.DataFrame({"name": ["other/a", "b", "c"], "price": [1, 2, 3]}))
    assert pd.isna(matrix.models.loc["org/a", "price"])
    assert notes(matrix, "unmatched-metadata").labels == ("org/a",)


def test_one_short_name_for_two_models_is_ambiguous(notes):
    scores = SCORES.rename(index={"b": "other/a"})
    matrix = read(scores, models=pd.DataFrame({"name": ["a", "c"], "price": [1, 2]}))
    assert matrix.models["price"].isna().tolist() == [True, True, False]
    assert notes(matrix, "ambiguous-metadata").labels == ("org/a", "other/a")


def test_an_index_names_the_rows():
    table = pd.DataFrame({"task_type": ["STS", "Retrieval"]}, index=["Y", "X"])
    assert read(SCORES, tasks=table).datasets["task_type"].tolist() == ["Retrieval", "STS"]


def test_given_metadata_come_before_those_of_the_source(file):
    path = file("model,Max Tokens,License,X\nb,512,mit,0.5\n")
    matrix = read(path, models=pd.DataFrame({"model": ["b"], "max_tokens": [8192]}))
    assert matrix.models.loc["b", "max_tokens"] == 8192
    assert matrix.models.loc["b", "License"] == "mit"


def test_bad_metadata(file, tmp_path):
    with pytest.raises(DuplicateError, match="'b' in rows 1, 2"):
        models(model=["b", "b"], price=[1, 2])
    with pytest.raises(
        FormatError, match=r"no column of model names; columns: who, price.*'model'"
    ):
        models(who=["b"], price=[1])
    with pytest.raises(InputError, match="no file or folder"):
        read(SCORES, tasks=tmp_path / "tasks.csv")
    with pytest.raises(FormatError, match="one row per item"):
        read(SCORES, tasks=file('{"X": "STS"}'))
    with pytest.raises(FormatError, match="is a folder; pass a file"):
        read(SCORES, models=tmp_path)
