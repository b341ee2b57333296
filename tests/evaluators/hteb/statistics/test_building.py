"""Long tables into `Scores`: scales, originals, task types, copies."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import (
    DuplicateError,
    ScaleError,
)
from robustrank.evaluators.hteb.statistics import read_scores
from tests.evaluators.hteb.statistics.boards import small


def codes(scores):
    return [note.code for note in scores.notes]


@pytest.mark.parametrize("factor", [100.0, 99.0])
def test_points_become_shares(factor):
    table = small()
    points = table.assign(score=table["score"] * factor)
    scores = read_scores(points)
    np.testing.assert_allclose(scores.transformed, read_scores(table).transformed * factor / 100)
    (note,) = scores.notes
    assert note.code == "scale"
    assert "divided by 100" in note.message


def test_points_in_a_column_of_originals():
    wide = small()[lambda table: table["transformation"] != "original"]
    scores = read_scores(wide.assign(score=wide["score"] * 100, original=60.0))
    np.testing.assert_allclose(scores.baseline, 0.6)
    np.testing.assert_allclose(scores.transformed, read_scores(small()).transformed)


def test_rounding_beyond_1_is_no_per_cent():
    scores = read_scores(small(original=1.0000000002))
    assert scores.notes == ()
    np.testing.assert_allclose(scores.baseline, 1.0)


def test_originals_on_another_scale_are_refused():
    with pytest.raises(ScaleError, match=r"reach 0\.5, those of originals 60: one seems"):
        read_scores(small(original=60.0))


@pytest.mark.parametrize(("score", "shown"), [(4000.0, "4000"), (np.inf, "inf"), (-101.0, "-101")])
def test_scores_beyond_100_are_refused(score, shown):
    with pytest.raises(
        ScaleError, match=rf"The score of a on x \(expansion\) is {shown}"
    ) as caught:
        read_scores(small(scores=(50.0, score, 30.0), original=60.0))
    assert caught.value.labels == ("a on x (expansion)",)


def test_negative_scores_stay():
    scores = read_scores(small(scores=(-0.5, -0.4, 0.3), original=-0.1))
    assert scores.transformed.to_numpy().min() == -0.5
    assert scores.notes == ()


def test_task_types_are_those_of_the_boards():
    table = small().assign(task_type=["sts"] * 4 + ["str"] * 4 + [None] * 8)
    assert list(read_scores(table).task_types) == ["STS", "STS"]
    other = small().assign(task_type="My type")
    assert set(read_scores(other).task_types) == {"My type"}


def test_two_protocols():
    table = pd.concat([small(), small(models=("c",)).assign(protocol="v2")]).fillna("v1")
    with pytest.raises(DuplicateError, match=r"2 protocols \(v1, v2\).* Keep the rows of one"):
        read_scores(table)


def test_a_score_that_is_there_twice():
    table = pd.concat([small(), small().iloc[[1]]])
    with pytest.raises(DuplicateError) as caught:
        read_scores(table)
    message = str(caught.value)
    assert "more than one score for a on x (paraphrasing) (run 1); 1 score too many" in message
    assert "Tell runs apart by a column run, or drop the copies" in message


@pytest.mark.parametrize(("level", "name"), [("model", "b"), ("dataset", "y")])
def test_one_of_them_on_another_scale_is_refused(level, name):
    table = small()
    table["score"] *= np.where(table[level] == name, 1.0, 100.0)
    with pytest.raises(ScaleError) as caught:
        read_scores(table)
    message = str(caught.value)
    assert f"The scores of this {level} do not exceed 1, not even of original texts" in message
    assert f"while others reach 60: {name}." in message
    assert "Bring all to one scale" in message
    assert caught.value.labels == (name,)


def test_several_on_another_scale_are_named():
    table = small(models=("a", "b", "c"))
    table["score"] *= np.where(table["model"] == "b", 100.0, 1.0)
    with pytest.raises(ScaleError, match=r"The scores of these models .* others reach 60: a, c\."):
        read_scores(table)


def test_a_model_of_zeros_is_on_every_scale():
    table = small()
    table["score"] *= np.where(table["model"] == "b", 0.0, 100.0)
    assert (read_scores(table).transformed.loc["b"] == 0.0).all(axis=None)


def test_cells_with_a_sign_for_per_cent_are_on_the_scale_of_the_others():
    table = small()
    points = 100.0 * table["score"]
    some = table["model"] == "b"
    expected = read_scores(table).transformed
    for others in (table["score"], points):
        mixed = others.astype(object).where(~some, points.map("{:.1f}%".format))
        found = read_scores(table.assign(score=mixed)).transformed
        np.testing.assert_allclose(found, expected)
    every = read_scores(table.assign(score=points.map("{:.1f}%".format))).transformed
    np.testing.assert_allclose(every, expected)


def test_a_column_and_rows_of_originals_that_differ_are_noted():
    table = small(models=("a",)).assign(original=0.6)
    assert read_scores(table).notes == ()
    at = (table["dataset"] == "y") & (table["transformation"] == "expansion")
    table.loc[at, "original"] = 0.9
    (note,) = read_scores(table).notes
    assert (note.code, note.labels) == ("unlike-originals", ("a on y (expansion)",))
    assert "differs from the rows of originals" in note.message
    assert read_scores(table).baseline.loc[("a", "y"), "expansion"] == 0.9
    points = table.assign(score=100 * table["score"], original=100 * table["original"])
    assert codes(read_scores(points)) == ["scale", "unlike-originals"]


def test_originals_of_fewer_items_may_differ():
    table = small(models=("a",)).assign(original=0.6, fallback_rate=0.0)
    at = (table["dataset"] == "y") & (table["transformation"] == "expansion")
    table.loc[at, ["original", "fallback_rate"]] = [0.9, 0.1]
    assert read_scores(table).notes == ()


def test_two_task_types_of_a_dataset():
    table = small().assign(task_type="STS")
    table.loc[table["model"] == "b", "task_type"] = "sts"  # the board's word and the evaluator's
    assert (read_scores(table).task_types == "STS").all()
    table.loc[3, "task_type"] = "Clustering"
    with pytest.raises(DuplicateError, match=r"'x' has the task types STS, Clustering\. Give it"):
        read_scores(table)
