"""Profiles: naive means, Student's intervals, planted drops, and what must not matter."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from robustrank.errors import ParameterError
from robustrank.evaluators.hteb.statistics import profiles, read_scores
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from tests.evaluators.hteb.statistics.boards import planted

PARTS = [*TRANSFORMATIONS, *AXES, "total", "total without Language"]
COLUMNS = ["score", "original", "delta", "low", "high", "relative", "n_datasets"]


@pytest.fixture(scope="module")
def board():
    return planted(4, 7, runs=3)


@pytest.fixture(scope="module")
def found(board):
    return profiles(board).table


def naive(board, model, names):
    """The delta of a part per dataset: means over runs, transformations, axes, by loops."""
    rows = board[board["model"] == model]
    deltas = {}
    for dataset, some in rows.groupby("dataset"):
        mean = some.groupby("transformation")["score"].mean()
        by_axis = [np.mean([mean[name] for name in axis]) - mean["original"] for axis in names]
        deltas[dataset] = np.mean(by_axis)
    return np.array(list(deltas.values()))


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("expansion", [["expansion"]]),
        ("Length", [AXES["Length"]]),
        ("total", AXES.values()),
        ("total without Language", [AXES["Lexical/Stylistic"], AXES["Length"]]),
    ],
)
def test_deltas_and_intervals_are_those_of_loops(board, found, part, names):
    for model in board["model"].unique():
        deltas = naive(board, model, names)
        row = found.loc[(model, part)]
        assert row["delta"] == pytest.approx(deltas.mean())
        low, high = stats.t.interval(0.95, len(deltas) - 1, deltas.mean(), stats.sem(deltas))
        assert (row["low"], row["high"]) == pytest.approx((low, high))
        assert row["n_datasets"] == 7


def test_the_columns_belong_together(found):
    assert list(found.columns) == COLUMNS
    np.testing.assert_allclose(found["score"] - found["original"], found["delta"], atol=1e-12)
    np.testing.assert_allclose(found["relative"], found["delta"] / found["original"])
    by_part = found["delta"].unstack()
    np.testing.assert_allclose(by_part["total"], by_part[list(AXES)].mean(axis=1))
    np.testing.assert_allclose(
        3 * by_part["total"], 2 * by_part["total without Language"] + by_part["Language"]
    )


def test_models_are_ordered_by_total_and_parts_by_axis(board, found):
    totals = found.xs("total", level="part")["score"]
    assert list(totals) == sorted(totals, reverse=True)
    assert list(found.index.unique("part")) == PARTS


def test_models_that_tie_stay_in_their_order(board):
    first = board[board["model"] == "model 2"]
    both = pd.concat([first.assign(model="z"), first.assign(model="a"), board])
    order = list(profiles(both).table.index.unique("model"))
    assert order.index("z") + 1 == order.index("a")
    assert order.index("a") + 1 == order.index("model 2")


def test_a_planted_drop_is_found():
    exact = planted(3, 5, noise=0.0, runs=1)
    plain = exact.copy()
    drops = {"original": 0.0} | {name: 0.01 * place for place, name in enumerate(TRANSFORMATIONS)}
    plain["score"] = 0.7 - plain["transformation"].map(drops)
    found = profiles(plain).table["delta"].unstack().iloc[0]
    np.testing.assert_allclose(
        found[list(TRANSFORMATIONS)], [-0.01 * k for k in range(8)], atol=1e-12
    )
    np.testing.assert_allclose(found[list(AXES)], [-0.01, -0.04, -0.065], atol=1e-12)
    assert found["total"] == pytest.approx(-0.115 / 3)
    assert found["total without Language"] == pytest.approx(-0.025)


def test_a_higher_level_is_wider(board, found):
    wider = profiles(board, confidence_level=0.99).table
    assert (wider["high"] > found["high"]).all()
    assert (wider["low"] < found["low"]).all()


@pytest.mark.parametrize("level", [0, 1, 95, "0.95"])
def test_a_level_out_of_range(board, level):
    with pytest.raises(ParameterError, match="confidence_level must lie between 0 and 1"):
        profiles(board, confidence_level=level)


def test_missing_scores_that_were_kept(board):
    gone = (
        (board["model"] == "model 1")
        & (board["dataset"] == "data 3")
        & (board["transformation"] == "expansion")
    )
    scores = read_scores(board[~gone], missing="keep")
    kept = profiles(scores).table
    full = profiles(board).table
    for part in PARTS:
        lost = part in ("expansion", "Length", "total", "total without Language")
        assert kept.loc[("model 1", part), "n_datasets"] == (6 if lost else 7)
    others = board[board["dataset"] != "data 3"]
    expected = profiles(others).table.loc[("model 1", "total")]
    pd.testing.assert_series_equal(kept.loc[("model 1", "total")], expected)
    pd.testing.assert_frame_equal(kept.loc[["model 0"]], full.loc[["model 0"]])


def test_a_missing_original_counts_as_missing_in_the_scores(board):
    lacks = board[board["dataset"] != "data 3"]
    gone = (board["dataset"] == "data 3") & (board["transformation"] == "original")
    gone &= board["model"] == "model 1"
    kept = profiles(read_scores(board[~gone], missing="keep")).table.loc["model 1"]
    pd.testing.assert_frame_equal(kept, profiles(lacks).table.loc["model 1"])


@pytest.mark.parametrize(("models", "datasets", "runs"), [(1, 5, 2), (4, 1, 1), (1, 1, 1)])
def test_the_least_that_can_be_described(models, datasets, runs):
    found = profiles(planted(models, datasets, runs)).table
    assert found["delta"].notna().all()
    assert found[["low", "high"]].notna().to_numpy().all() == (datasets > 1)


def test_one_axis(board):
    one = profiles(read_scores(board).without("Length", "Language")).table
    assert list(one.index.unique("part")) == [
        *AXES["Lexical/Stylistic"],
        "Lexical/Stylistic",
        "total",
    ]
    alone = profiles(read_scores(board).without("Length", "Lexical/Stylistic")).table
    assert "total without Language" not in alone.index.unique("part")
    pd.testing.assert_frame_equal(
        one.xs("total", level="part"), one.xs("Lexical/Stylistic", level="part")
    )


def test_no_share_of_nothing(board):
    table = board.copy()
    table.loc[table["transformation"] == "original", "score"] = 0.0
    assert profiles(table).table["relative"].isna().all()


# What must not matter


def test_the_order_of_rows(board, found):
    mixed = profiles(board.sample(frac=1.0, random_state=3)).table
    pd.testing.assert_frame_equal(mixed, found, check_exact=True)


def test_names(board, found):
    names = {f"model {i}": f"<b>{9 - i}$&\n" + "長" * 80 for i in range(4)}
    renamed = profiles(board.replace({"model": names, "dataset": {"data 1": "$x$"}})).table
    back = {name.strip(): old for old, name in names.items()}
    pd.testing.assert_frame_equal(renamed.rename(index=back), found, check_exact=True)


def test_the_scale(board, found):
    pd.testing.assert_frame_equal(profiles(board.assign(score=board["score"] * 100)).table, found)


def test_copies_of_all_datasets_change_intervals_alone(board, found):
    twice = profiles(pd.concat([board, board.assign(dataset=board["dataset"] + "'")])).table
    same = ["score", "original", "delta", "relative"]
    pd.testing.assert_frame_equal(twice[same], found[same])
    assert (twice["n_datasets"] == 14).all()
    assert (twice["high"] < found["high"]).all()


def test_settings_notes_and_files_are_those_of_the_call(board, tmp_path):
    gone = board["model"].eq("model 1") & board["dataset"].eq("data 2")
    found = profiles(board[~gone], confidence_level=0.975)
    assert [note.code for note in found.notes] == ["dropped-models"]
    assert found.to_dict()["confidence_level"] == 0.975
    assert {path.name for path in found.save(tmp_path)} == {
        "summary.txt",
        "results.json",
        "profiles.csv",
    }
    total = found.of_part("total")
    assert "model 1" not in total.index
    assert f"{100 * total['delta'].iloc[0]:+.1f}" in found.summary()
