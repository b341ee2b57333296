"""The order: the metadata's revision, an mteb version, a real revision, the newest version."""

from __future__ import annotations

import pandas as pd
import pytest

from robustrank.readers import read
from robustrank.readers.revisions import version_order

COLUMNS = ["model", "task", "revision", "mteb_version", "score"]


def chosen(rows, models=None):
    frame = pd.DataFrame([("a", "X", *row) for row in rows], columns=COLUMNS)
    results = {
        read(frame.iloc[order], models=models).scores.loc["a", "X"] for order in orders(frame)
    }
    assert len(results) == 1, "depends on the order of rows"
    return results.pop()


def orders(frame):
    return [list(range(len(frame))), list(range(len(frame)))[::-1]]


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        ([("r1", "1.0.0", 0.1), ("r2", "2.0.0", 0.2)], 0.2),
        ([("r1", "2.9.0", 0.1), ("r2", "2.10.0", 0.2)], 0.2),  # as numbers, not as text
        ([("r1", "1.0.3.dev0", 0.1), ("r2", "1.0.3", 0.2)], 0.2),
        ([("external", "2.0.0", 0.1), ("r2", None, 0.2)], 0.1),  # a version counts first
        ([("external", None, 0.1), ("r2", None, 0.2)], 0.2),
        ([("no_revision_available", None, 0.1), ("r2", None, 0.2)], 0.2),
        ([("external", "2.0.0", 0.1), ("r2", "1.0.0", 0.2)], 0.2),  # real before new
        ([("r1", "1.0.0", 0.1), ("r2", None, 0.2)], 0.1),
        ([("r1", "1.0.0", 0.1), ("r2", "2.0.0", None)], 0.1),  # without a score there is no choice
    ],
)
def test_order_without_metadata(rows, score):
    assert chosen(rows) == score


def test_the_metadata_decide_first():
    rows = [("r1", None, 0.1), ("r2", "2.0.0", 0.2)]
    assert chosen(rows, pd.DataFrame({"name": ["a"], "revision": ["r1"]})) == 0.1
    assert chosen(rows, pd.DataFrame({"name": ["a"], "revision": ["r3"]})) == 0.2


def test_the_text_of_the_revision_decides_last_and_not_the_order_of_rows():
    frame = pd.DataFrame(
        [("a", "X", "r1", "1.0", 0.1), ("a", "X", "r2", "1.0", 0.2)], columns=COLUMNS
    )
    assert read(frame).scores.loc["a", "X"] == 0.2
    assert read(frame.iloc[::-1]).scores.loc["a", "X"] == 0.2


def test_each_task_has_its_own_revision(notes):
    rows = [
        ("a", "X", "r1", "1.0.0", 0.1),
        ("a", "Y", "r1", "1.0.0", 0.3),
        ("a", "X", "r2", "2.0.0", 0.2),
    ]
    matrix = read(pd.DataFrame([*rows, ("b", "X", "r9", "1.0.0", 0.5)], columns=COLUMNS))
    assert list(matrix.scores.loc["a"]) == [0.2, 0.3]
    note = notes(matrix, "revisions")
    assert note.labels == ("a",)
    assert note.message.startswith("1 score of 1 model (a)")


def test_a_revision_is_taken_whole():
    """Subsets of two revisions are never mixed."""
    rows = [("a", "X", "r1", "en", 0.1), ("a", "X", "r1", "de", 0.3), ("a", "X", "r2", "en", 0.9)]
    frame = pd.DataFrame(rows, columns=["model", "task", "revision", "subset", "score"])
    matrix = read(frame, models=pd.DataFrame({"name": ["a"], "revision": ["r1"]}))
    assert matrix.scores.loc["a", "X"] == pytest.approx(0.2)


def test_versions_alone_tell_runs_apart():
    frame = pd.DataFrame(
        [("a", "X", "1.0", 0.1), ("a", "X", "1.1", 0.2)],
        columns=["model", "task", "mteb_version", "score"],
    )
    assert read(frame).scores.loc["a", "X"] == 0.2


def test_version_order():
    assert version_order(["1.12.85", None, "2.1.0", "1.2.0", "2.1.0", "odd"]).tolist() == [
        2,
        0,
        3,
        1,
        3,
        0,
    ]
    assert version_order(["1.0", "1.0.0.dev1"]).tolist() == [2, 1]
