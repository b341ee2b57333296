"""The fewest groups to drop, against all subsets of small boards."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robustrank as rr
from robustrank.aggregation import resolve_aggregate
from tests.conftest import frame, random_scores, score_frames

#: Sums, type means, and what is searched.
AGGREGATES = ["mean", "promethee2-usual/equal"]
SEARCHED = ["topsis/equal", "wsm/merec"]


def board(scores: pd.DataFrame, types: list[str] | None = None) -> rr.ScoreMatrix:
    kinds = types or ["A"] * scores.shape[1]
    return rr.ScoreMatrix(scores, pd.DataFrame({"task_type": kinds}, index=scores.columns))


@cache
def _aggregates(matrix: rr.ScoreMatrix, aggregate: str, kept: tuple[str, ...]) -> pd.Series:
    rest = matrix.arrange(models=list(matrix.scores.index), datasets=list(kept))
    values = resolve_aggregate(aggregate).prepare(rest)(np.ones((1, len(kept))))[:, 0]
    return pd.Series(values.round(10), index=rest.scores.index)


def aggregates(matrix: rr.ScoreMatrix, aggregate: str, kept: list[str]) -> pd.Series:
    """The aggregate of the board that has no other datasets, prepared anew."""
    return _aggregates(matrix, aggregate, tuple(sorted(kept)))


def by_brute_force(matrix, aggregate, groups, reached):
    """The size of the smallest set of groups without which something is so; None if none is."""
    for size in range(len(groups)):
        for dropped in combinations(range(len(groups)), size):
            kept = [d for g, names in enumerate(groups) if g not in dropped for d in names]
            if reached(aggregates(matrix, aggregate, kept)):
                return size
    return None


def passes(model, over):
    return lambda values: values[model] > values[over] + 1e-10


def first(model):
    return lambda values: values[model] > values.drop(model).max() + 1e-10


def dethroned(over):
    return lambda values: values.max() > values[over] + 1e-10


def size_of(found, kind):
    """The size if it is proven, None if there is proven to be none."""
    row = found.table.loc[kind]
    assert row["exact"]
    return None if pd.isna(row["size"]) else int(row["size"])


def check(found, kind, expected, matrix, aggregate, reached):
    """Compare a size with the one by brute force, and the set with what it is to do."""
    assert size_of(found, kind) == expected
    if expected:
        gone = set(found.dropped.loc[kind].index)
        of = (
            matrix.datasets["task_type"]
            if kind == "task_type"
            else pd.Series(matrix.scores.columns, index=matrix.scores.columns)
        )
        kept = [d for d in matrix.scores.columns if of[d] not in gone]
        assert len(gone) == expected
        assert reached(aggregates(matrix, aggregate, kept))


@pytest.mark.parametrize("aggregate", [*AGGREGATES, *SEARCHED, "task-type-mean"])
def test_every_goal_by_brute_force(aggregate):
    types = ["A", "A", "A", "B", "B", "C"]
    matrix = board(random_scores(5, 6, seed=1, noise=0.2), types)
    singles = [[d] for d in matrix.scores.columns]
    kinds = [list(part.index) for _, part in matrix.datasets.groupby("task_type")]
    order = aggregates(matrix, aggregate, list(matrix.scores.columns)).sort_values().index[::-1]
    asked = [
        ({}, dethroned(order[0])),
        ({"model": order[2]}, passes(order[2], order[0])),
        ({"model": order[4], "over": order[1]}, passes(order[4], order[1])),
        ({"model": order[1], "goal": "first"}, first(order[1])),
        ({"model": order[3], "goal": "first"}, first(order[3])),
    ]
    for options, reached in asked:
        found = rr.smallest_change(
            matrix, aggregate=aggregate, change=["datasets", "task_type"], **options
        )
        for kind, groups in (("datasets", singles), ("task_type", kinds)):
            row = found.table.loc[kind]
            expected = by_brute_force(matrix, aggregate, groups, reached)
            if row["exact"]:
                check(found, kind, expected, matrix, aggregate, reached)
            else:  # types that count the same, and one model above all at once
                assert row["lower_bound"] <= expected <= row["size"]


@settings(max_examples=8)
@given(score_frames(max_models=5, max_datasets=5), st.data())
def test_ties_and_constant_columns_by_brute_force(scores, data):
    matrix = board(scores)
    model, over = data.draw(st.permutations(list(scores.index)))[:2]
    singles = [[d] for d in scores.columns]
    pair = rr.smallest_change(matrix, model=model, over=over, change="datasets")
    expected = by_brute_force(matrix, "mean", singles, passes(model, over))
    check(pair, "datasets", expected, matrix, "mean", passes(model, over))
    level = by_brute_force(
        matrix, "mean", singles, lambda values: values[model] >= values[over] - 1e-10
    )
    tie = pair.table.loc["datasets", "to_tie"]
    assert (None if pd.isna(tie) else int(tie)) == level
    top = rr.smallest_change(matrix, model=model, goal="first", change="datasets")
    expected = by_brute_force(matrix, "mean", singles, first(model))
    check(top, "datasets", expected, matrix, "mean", first(model))
    level = by_brute_force(
        matrix,
        "mean",
        singles,
        lambda values: values[model] >= values.drop(model).max() - 1e-10,
    )
    tie = top.table.loc["datasets", "to_tie"]
    assert (None if pd.isna(tie) else int(tie)) == level


@settings(max_examples=8)
@given(score_frames(min_datasets=2, max_models=4, max_datasets=6), st.data())
def test_types_that_count_the_same_by_brute_force(scores, data):
    n = scores.shape[1]
    types = data.draw(st.lists(st.sampled_from("ABC"), min_size=n, max_size=n))
    matrix = board(scores, types)
    model, over = data.draw(st.permutations(list(scores.index)))[:2]
    found = rr.smallest_change(
        matrix, model=model, over=over, change="datasets", aggregate="task-type-mean"
    )
    reached = passes(model, over)
    expected = by_brute_force(matrix, "task-type-mean", [[d] for d in scores.columns], reached)
    check(found, "datasets", expected, matrix, "task-type-mean", reached)


def test_margins_are_what_each_rival_takes_alone():
    scores = random_scores(8, 9, seed=4, noise=0.15)
    for aggregate in ("mean", "task-type-mean", "topsis/equal"):
        matrix = board(scores, list("AABBBCCCC"))
        found = rr.smallest_change(matrix, aggregate=aggregate, change=["datasets"])
        for rival, row in found.margins.iterrows():
            alone = rr.smallest_change(
                matrix, model=rival, aggregate=aggregate, change=["datasets"]
            )
            np.testing.assert_equal(row["datasets"], alone.table.loc["datasets", "size"])
        assert found.margins["datasets"].min() == found.table.loc["datasets", "size"]


def test_a_search_that_is_cut_short_reports_bounds(monkeypatch):
    monkeypatch.setattr("robustrank.flips.search._CELLS", 0)
    scores = random_scores(6, 10, seed=2, noise=0.25)
    order = scores.mean(axis=1).sort_values(ascending=False).index
    cut = rr.smallest_change(board(scores), model=order[3], aggregate="topsis/equal")
    monkeypatch.undo()
    full = rr.smallest_change(board(scores), model=order[3], aggregate="topsis/equal")
    row, true = cut.table.loc["datasets"], full.table.loc["datasets"]
    assert true["exact"]
    assert true["size"] > 2
    assert not row["exact"]
    assert row["lower_bound"] == 2
    assert row["lower_bound"] <= true["size"] <= row["size"]
    assert row["gap"] == row["size"] - 2
    assert {"not-proven", "margins-in-part"} <= {note.code for note in cut.notes}
    assert f"{row['size']:.0f} (perhaps as few as 2) of 10 datasets" in cut.headline


def test_a_program_without_time_reports_bounds():
    scores = random_scores(40, 60, seed=3, noise=0.3)
    model = scores.mean(axis=1).sort_values(ascending=False).index[4]
    limited = rr.smallest_change(
        scores, model=model, goal="first", change="datasets", time_limit=1e-9
    ).table.loc["datasets"]
    solved = rr.smallest_change(
        scores, model=model, goal="first", change="datasets", time_limit=60.0
    ).table.loc["datasets"]
    assert solved["exact"]
    assert limited["lower_bound"] <= solved["size"] <= limited["size"]


def test_bradley_terry_orders_as_borda_does_on_every_subset():
    scores = random_scores(5, 6, seed=2, noise=0.3)
    matrix = board(scores)
    order = aggregates(matrix, "bradley-terry", list(scores.columns)).sort_values().index[::-1]
    found = rr.smallest_change(matrix, aggregate="bradley-terry", change="datasets")
    singles = [[d] for d in scores.columns]
    expected = by_brute_force(matrix, "bradley-terry", singles, dethroned(order[0]))
    assert size_of(found, "datasets") == expected
    assert "counted-as-borda" in [note.code for note in found.notes]


def test_copies_count_one_by_one_but_as_one_cluster():
    """A lead that rests on one dataset, which the board holds four times."""
    rng = np.random.default_rng(0)
    values = rng.uniform(0.3, 0.6, (12, 9))
    values[0] = values[1:].max(axis=0).mean() - 0.02
    values[1] = values[0] + 0.01
    values[0, 8] = 0.95
    scores = frame(np.column_stack([values, values[:, 8:], values[:, 8:], values[:, 8:]]))
    found = rr.smallest_change(scores, model="m1", over="m0")
    assert found.table.loc["datasets", "size"] == 4
    assert found.table.loc["clusters", "size"] == 1
    assert set(found.dropped.loc["datasets"].index) == {"d8", "d9", "d10", "d11"}
    assert found.table.loc["clusters", "n_datasets"] == 4


def test_one_decisive_dataset_is_found_and_named():
    values = np.tile([[0.50], [0.51], [0.40]], (1, 10))
    values[0, 6] = 0.90
    found = rr.smallest_change(frame(values), change="datasets")
    assert found.over == "m0"
    assert found.dropped.loc["datasets"].index.tolist() == ["d6"]
    assert found.headline == "m0 leads by mean; m1 passes it once 1 of 10 datasets is dropped (d6)."
    assert found.dropped["lead_after"].tolist() == pytest.approx([-0.01])
    assert found.table.loc["datasets", "leader_after"] == "m1"
