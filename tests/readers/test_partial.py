from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.readers import read

COLUMNS = ["model", "task", "split", "subset", "score"]


def rows(model, task, n, split="test", score=0.5):
    return [(model, task, split, f"s{i}", score) for i in range(n)]


@pytest.fixture
def table():
    return pd.DataFrame(
        rows("full", "X", 10)
        + rows("some", "X", 3, score=0.9)
        + rows("few", "X", 1)
        + rows("full", "Y", 2)
        + rows("few", "Y", 1),
        columns=COLUMNS,
    )


def test_the_largest_set_seen_is_the_whole(table, notes):
    matrix = read(table)
    note = notes(matrix, "partial-scores")
    assert note.labels == ("few", "some")
    assert "X 1 of 10 subsets (few), Y 1 of 2 subsets (few)" in note.message
    assert note.message.startswith("As read, 3 scores of 2 models on 2 datasets")
    assert matrix.models["partial_scores"].to_dict() == {
        "full": (),
        "some": ("X: 3 of 10 subsets",),
        "few": ("X: 1 of 10 subsets", "Y: 1 of 2 subsets"),
    }
    assert matrix.scores.loc["some", "X"] == pytest.approx(0.9)
    assert notes(matrix, "partial-leads").labels == ("X",)


def test_dropping_makes_them_missing(table, notes):
    matrix = read(table, partial="drop")
    assert np.isnan(matrix.scores.loc[["some", "few"], "X"]).all()
    assert matrix.scores.loc["full"].tolist() == [0.5, 0.5]
    assert "set to missing" in notes(matrix, "partial-scores").message
    assert "partial-leads" not in [note.code for note in matrix.notes]


def test_the_metadata_know_better(table):
    tasks = pd.DataFrame(
        {"task": ["X", "Y"], "eval_splits": ["test", "test"], "n_subsets": [20, 2]}
    )
    matrix = read(table, tasks=tasks)
    assert matrix.models.loc["full", "partial_scores"] == ("X: 10 of 20 subsets",)


def test_splits_multiply(notes):
    table = pd.DataFrame(
        rows("a", "X", 2) + rows("a", "X", 2, "dev") + rows("b", "X", 2), columns=COLUMNS
    )
    tasks = pd.DataFrame({"task": ["X"], "eval_splits": ["test;dev"], "n_subsets": [2]})
    matrix = read(table, tasks=tasks)
    assert matrix.models.loc["b", "partial_scores"] == ("X: 2 of 4 splits × subsets",)
    assert "mixed-splits" not in [note.code for note in matrix.notes]
    alone = read(table)
    assert alone.models.loc["b", "partial_scores"] == ("X: 2 of 4 splits × subsets",)
    assert notes(alone, "mixed-splits").labels == ("X",)


def test_splits_that_are_not_evaluated_are_left_out(notes):
    table = pd.DataFrame(
        rows("a", "X", 1) + rows("a", "X", 1, "dev", 0.9) + rows("b", "X", 1, "dev"),
        columns=COLUMNS,
    )
    tasks = pd.DataFrame({"task": ["X"], "eval_splits": ["test"], "n_subsets": [1]})
    matrix = read(table, tasks=tasks)
    assert matrix.scores.loc["a", "X"] == 0.5
    assert np.isnan(matrix.scores.loc["b", "X"])
    assert notes(matrix, "left-out-splits").labels == ("X",)


def test_splits_of_revisions_that_are_not_used_do_not_mix():
    columns = ["model", "task", "split", "revision", "mteb_version", "score"]
    table = pd.DataFrame(
        [
            ("a", "X", "test", "r2", "2.0.0", 0.5),
            ("a", "X", "dev", "r1", "1.0.0", 0.5),
            ("b", "X", "test", "r1", "1.0.0", 0.6),
        ],
        columns=columns,
    )
    assert [note.code for note in read(table).notes] == ["revisions"]


def test_a_score_that_is_missing_does_not_count(notes):
    table = pd.DataFrame(
        rows("a", "X", 3) + rows("b", "X", 2) + [("b", "X", "test", "s2", None)], columns=COLUMNS
    )
    assert read(table).models.loc["b", "partial_scores"] == ("X: 2 of 3 subsets",)


def test_complete_tables_have_neither_note_nor_column(table):
    matrix = read(table[table["model"] == "full"])
    assert matrix.notes == ()
    assert "partial_scores" not in matrix.models.columns


def test_a_table_of_means_is_not_partial():
    """Without splits or subsets in the table, a number of subsets says nothing about its rows."""
    table = pd.DataFrame([("a", "X", 0.5), ("b", "X", 0.6)], columns=["model", "task", "score"])
    tasks = pd.DataFrame({"task": ["X"], "eval_splits": ["test"], "n_subsets": [376]})
    assert read(table, tasks=tasks).notes == ()


def test_selecting_keeps_what_is_known_of_a_model(table):
    chosen = read(table).select(models=["some", "full"], datasets="X")
    assert chosen.models.loc["some", "partial_scores"] == ("X: 3 of 10 subsets",)
