from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats import kendalltau

import robustrank as rr
from robustrank.errors import EmptyMatrixError, InputError, ParameterError, UnknownLabelError
from tests.conftest import frame, note_codes, random_scores, score_frames
from tests.influence.boards import KINDS, TYPES, typed

NUMBERS = ["distance", "tau", "n_moved", "largest_move", "margin", "margin_change"]


def ranked_without(scores: pd.DataFrame, gone: list[str], aggregate: str) -> pd.DataFrame:
    """Rank a smaller board on its own: the naive way."""
    rest = typed(scores)
    rest = rest.arrange(
        models=list(scores.index), datasets=[name for name in scores.columns if name not in gone]
    )
    found = rr.compare_aggregations(rest, [aggregate])
    return pd.DataFrame({"value": found.scores[aggregate], "rank": found.ranks[aggregate]})


@pytest.mark.parametrize(
    ("aggregate", "by"),
    [
        *((name, "mapping") for name in KINDS),
        *product(("mean", "task-type-mean"), ("datasets", "task_type")),
    ],
)
def test_every_ranking_is_that_of_the_smaller_board(aggregate, by):
    scores = random_scores(9, 6, noise=0.2)
    groups = {
        "datasets": {name: name for name in scores.columns},
        "task_type": dict(zip(scores.columns, TYPES, strict=True)),
        "mapping": dict(zip(scores.columns, "aabbca", strict=True)),
    }[by]
    asked = groups if by == "mapping" else by
    found = rr.dataset_influence(typed(scores), aggregate=aggregate, by=asked, top_k=3)
    full = ranked_without(scores, [], aggregate)
    assert list(found.models.index) == list(full.sort_values("value", ascending=False).index)
    np.testing.assert_array_equal(found.models["rank"], full["rank"][found.models.index])
    leader = full["value"].idxmax()
    all_ranks = [full["rank"]]
    for group in set(groups.values()):
        gone = [name for name, own in groups.items() if own == group]
        left = ranked_without(scores, gone, aggregate)
        if aggregate == "discrimination-weighted-mean":  # weighs by the fit to the whole board
            weights = rr.fit_2pl(scores, n_refits=0).discrimination.drop(gone)
            left["value"] = scores[weights.index] @ weights / weights.sum()
            left["rank"] = left["value"].rank(ascending=False)
        all_ranks.append(left["rank"])
        change = left["rank"] - full["rank"]
        np.testing.assert_array_equal(
            found.rank_changes.loc[group], change[found.rank_changes.columns]
        )
        row = found.table.loc[group]
        assert row["tau"] == pytest.approx(kendalltau(full["rank"], left["rank"]).statistic)
        assert row["n_datasets"] == len(gone)
        assert row["n_moved"] == (change != 0).sum()
        assert abs(row["largest_move"]) == change.abs().max()
        assert row["leader"] == left["value"].idxmax()
        assert row["leader_changes"] == (row["leader"] != leader)
        margin = left["value"][leader] - left["value"].drop(leader).max()
        assert row["margin"] == pytest.approx(margin, abs=1e-6)
        before, after = (set(side.index[side["rank"] <= 3]) for side in (full, left))
        for column, expected in (("top_entering", after - before), ("top_leaving", before - after)):
            named = row[column].split(", ") if isinstance(row[column], str) else []
            assert set(named) == expected
    spread = pd.concat(all_ranks, axis=1)
    order = found.models.index
    np.testing.assert_array_equal(found.models["rank_low"], spread.min(axis=1)[order])
    np.testing.assert_array_equal(found.models["rank_high"], spread.max(axis=1)[order])
    moving = (spread.iloc[:, 1:].ne(spread.iloc[:, 0], axis=0)).sum(axis=1)
    np.testing.assert_array_equal(found.models["n_moving"], moving[order])
    assert list(found.table["distance"]) == sorted(found.table["distance"], reverse=True)


def test_one_decisive_dataset_is_found():
    """m0 is behind on all datasets but the last, which alone puts it first."""
    values = np.tile([[0.60], [0.62], [0.55]], (1, 8)) + np.linspace(0, 0.1, 8)
    values[0, 7] += 0.3
    found = rr.dataset_influence(frame(values))
    assert found.leaders == ("m0",)
    row = found.table.iloc[0]
    assert found.table.index[0] == "d7"
    assert (row["leader"], row["leader_changes"], row["n_moved"]) == ("m1", True, 2)
    assert row["margin"] == pytest.approx(-0.02)
    # It gives .28 of a lead of (.28 - 7 × .02) / 8: twice the lead.
    assert row["margin_share"] == pytest.approx(2.0)
    assert not found.table["leader_changes"].iloc[1:].any()
    first = found.neighbours.iloc[0]
    assert (first["n_holding"], first["held_apart_by"], first["least_without"]) == (1, "d7", "d7")
    assert found.headline == (
        "m0 leads m1 by 0.0175 (mean; jackknife standard error 0.0375). Without d7, m1 leads; no "
        "other of 8 datasets changes who is first. The ranking depends most on d7: without it, 2 "
        "of 3 models change rank, by up to 1 place."
    )


def test_copies_hide_each_other_and_a_cluster_does_not():
    """Three copies of what puts m0 first: leaving out one leaves two."""
    values = np.tile([[0.60], [0.62], [0.55]], (1, 8)) + np.linspace(0, 0.1, 8)
    values[0, 7] += 0.3
    scores = frame(values).assign(d8=values[:, 7], d9=values[:, 7])
    assert not rr.dataset_influence(scores).table["leader_changes"].any()
    groups = {name: "copied" if name in ("d7", "d8", "d9") else name for name in scores.columns}
    found = rr.dataset_influence(scores, by=pd.Series(groups))
    assert found.noun == "group"
    assert found.table.index.name == "group"
    assert list(found.table.index[found.table["leader_changes"]]) == ["copied"]
    assert found.groups.to_dict() == groups


def test_a_constant_lead_hangs_on_no_dataset():
    base = np.linspace(0.3, 0.7, 6)
    found = rr.dataset_influence(frame([base, base - 0.05, base - 0.1]))
    np.testing.assert_allclose(found.table["margin"], 0.05)
    np.testing.assert_array_equal(found.table["margin_change"], 0.0)
    np.testing.assert_allclose(found.table["margin_share"], 1 / 6)
    assert found.margin_standard_error == pytest.approx(0.0, abs=1e-12)
    assert (found.table["distance"] == 0.0).all()
    assert found.table["moves_most"].isna().all()
    assert found.neighbours["least_without"].isna().all()
    assert found.headline == (
        "m0 leads m1 by 0.05 (mean; jackknife standard error 0). It stays first whichever of 6 "
        "datasets is left out, and its lead is never smaller then. No dataset, left out, changes "
        "any rank."
    )


def test_identical_models_tie():
    row = [0.5, 0.6, 0.7, 0.8, 0.55]
    found = rr.dataset_influence(frame([row, row, np.subtract(row, 0.1)]))
    assert set(found.leaders) == {"m0", "m1"}
    assert found.margin == 0.0
    assert found.table["margin_share"].isna().all()
    assert not found.table["leader_changes"].any()
    assert set(found.table["leader"].iloc[0].split(" = ")) == {"m0", "m1"}
    assert found.neighbours["n_holding"].tolist() == [0, 0]
    assert "m0 and m1 tie for first by mean. The tie stays whichever of 5 " in found.headline


def test_all_models_equal():
    found = rr.dataset_influence(frame(np.full((4, 3), 0.5)))
    assert (found.table["distance"] == 0.0).all()
    assert found.table["tau"].isna().all()
    assert "undefined-tau" in note_codes(found)
    assert len(found.leaders) == 4
    assert found.summary().startswith("m0, m1, m2 and 1 more tie for first by mean.")


@pytest.mark.parametrize("aggregate", KINDS)
def test_the_only_dataset_leaves_nothing_to_rank_by(aggregate):
    found = rr.dataset_influence(typed(frame([[0.9], [0.8], [0.7]])), aggregate=aggregate)
    assert found.leaders == ("m0",)
    assert found.table[NUMBERS].isna().all(axis=None)
    assert not found.table["leader_changes"].any()
    assert np.isnan(found.margin_standard_error)
    assert found.models[["rank_low", "rank_high"]].eq(found.models["rank"], axis=0).all(axis=None)
    assert "nothing-to-leave-out" in note_codes(found)
    assert "a single dataset, so that none can be left out" in found.headline
    assert "–" in found.summary()


def test_two_models_and_a_constant_column():
    found = rr.dataset_influence(frame([[0.5, 0.9], [0.5, 0.8]]), top_k=1)
    assert found.table.loc["d0", NUMBERS].tolist() == pytest.approx([0, 1, 0, 0, 0.1, 0.05])
    without = found.table.loc["d1"]
    assert without["distance"] == 0.5  # the only pair is tied then
    assert np.isnan(without["tau"])
    assert (without["leader"], without["leader_changes"]) == ("m0 = m1", True)
    assert "Without d1, m0 and m1 tie for first; no other of 2 datasets" in found.headline


def test_a_name_with_a_sign_of_equality_is_no_tie():
    models, datasets = ["z", "a = b", "q"], ["d0", "d1", "d2"]
    scores = pd.DataFrame([[0.6, 0.7, 0.1], [0.5, 0.5, 0.9], [0.2, 0.2, 0.2]], models, datasets)
    found = rr.dataset_influence(scores, aggregate="borda")
    assert "z and a = b tie for first by borda. Without d0, a = b leads; 3 of 3" in found.headline


def test_what_matters_as_much_is_counted():
    """Without d0, m1 catches up with m2; without d2, m2 with m1: either is half a pair."""
    found = rr.dataset_influence(frame([[0.9, 0.9, 0.9], [0.5, 0.6, 0.7], [0.7, 0.6, 0.5]]))
    first = found.table.index[0]
    assert found.headline.endswith(
        f"The ranking depends most on {first} and as much on 1 other: without {first}, 2 of 3 "
        "models change rank, by up to 0.5 places."
    )


def test_groups_of_one_name_are_one():
    found = rr.dataset_influence(random_scores(4, 3), by={"d0": 1, "d1": "1", "d2": 2})
    assert found.table["n_datasets"].to_dict() == {"1": 2, "2": 1}
    assert "without 1" in found.headline.lower()
    assert found.summary()


def test_standard_errors_of_a_maximum_are_remarked():
    scores = random_scores(5, 4)
    assert "not-smooth" in note_codes(rr.dataset_influence(scores, aggregate="vikor/equal"))
    assert "not-smooth" not in note_codes(rr.dataset_influence(scores, aggregate="topsis/equal"))


def test_incomplete_models_are_left_out_or_ranked_as_the_aggregate_does():
    scores = random_scores(12, 5)
    scores.iloc[0, 1] = scores.iloc[1, 1:] = np.nan
    dropped = rr.dataset_influence(scores)
    assert len(dropped.models) == 10
    assert "dropped-models" in note_codes(dropped)
    complete = rr.dataset_influence(scores.dropna())
    np.testing.assert_array_equal(dropped.table[NUMBERS], complete.table[NUMBERS])
    kept = rr.dataset_influence(scores, aggregate="borda")
    assert len(kept.models) == 12
    assert np.isnan(kept.rank_changes.loc["d0", "m1"])
    assert np.isnan(kept.models.loc["m1", "jackknife_standard_error"])
    notes = {note.code: note for note in kept.notes}
    assert notes["unranked-without"].labels == ("m1",)
    assert "m1 (1), m0 (4)" in notes["partly-ranked-models"].message
    left = rr.compare_aggregations(scores.drop(columns="d0"), ["borda"]).ranks["borda"]
    full = rr.compare_aggregations(scores, ["borda"]).ranks["borda"]
    change = kept.rank_changes.loc["d0"]
    np.testing.assert_array_equal(change, (left - full)[change.index])


def test_a_leader_without_scores_then_has_no_margin():
    scores = random_scores(4, 3)
    scores.loc["alone"] = [1.0, np.nan, np.nan]
    found = rr.dataset_influence(scores, aggregate="borda", top_k=2)
    assert found.leaders == ("alone",)
    row = found.table.loc["d0"]
    assert np.isnan(row["margin"])
    assert row["leader_changes"]
    assert row["top_leaving"] == "alone"
    assert found.headline.startswith("alone leads")
    assert found.summary()


@settings(max_examples=8)
@given(score_frames(min_datasets=2))
def test_arrangement_names_and_scale_change_no_number(scores):
    given_order = rr.dataset_influence(scores)
    shuffled = scores.iloc[::-1, ::-1]
    renamed = shuffled.set_axis([f"z{name}" for name in shuffled.index], axis=0)
    other = rr.dataset_influence(renamed * 100.0)
    a, b = given_order.table, other.table.loc[given_order.table.index]
    np.testing.assert_allclose(a[NUMBERS], b[NUMBERS], atol=1e-12)
    for name, row in given_order.models.iterrows():
        np.testing.assert_allclose(row, other.models.loc[f"z{name}"], atol=1e-12)
    same_scale = rr.dataset_influence(renamed)
    assert np.array_equal(a[NUMBERS], same_scale.table.loc[a.index, NUMBERS], equal_nan=True)


def test_top_k_beyond_the_models_is_remarked():
    found = rr.dataset_influence(random_scores(5, 4), top_k=5)
    assert found.table["top_entering"].isna().all()
    assert "top-k" in note_codes(found)
    assert len(found.neighbours) == 4


def test_repeated_datasets_are_named():
    scores = random_scores(12, 4, noise=0.3)
    scores["copy"] = scores["d2"]
    notes = {note.code: note for note in rr.dataset_influence(scores).notes}
    assert notes["repeated-datasets"].labels == ("d2", "copy")
    found = rr.dataset_influence(scores, by="clusters")
    assert "repeated-datasets" not in note_codes(found)
    assert found.noun == "cluster"
    assert found.table["n_datasets"].max() == 2


def test_a_standard_error_from_few_groups_is_remarked():
    scores = random_scores(4, 12)
    groups = {name: place % 5 for place, name in enumerate(scores.columns)}
    assert "few-groups" in note_codes(rr.dataset_influence(scores, by=groups))
    groups["d5"] = "alone"
    assert "few-groups" not in note_codes(rr.dataset_influence(scores, by=groups))


@pytest.mark.parametrize(
    ("given_settings", "error", "said"),
    [
        ({"by": "languages"}, ParameterError, "'languages'"),
        ({"by": {"d0": 1}}, InputError, "no group for 2 of 3 datasets"),
        ({"by": "task_type"}, InputError, "task type of 3 of 3"),
        ({"aggregate": "meen"}, UnknownLabelError, "did you mean 'mean'"),
        ({"top_k": 0}, ParameterError, "top_k"),
        ({"top_k": 2.5}, ParameterError, "top_k"),
    ],
)
def test_bad_settings_are_named(given_settings, error, said):
    with pytest.raises(error) as caught:
        rr.dataset_influence(random_scores(4, 3), **given_settings)
    assert said in str(caught.value)


def test_too_few_models():
    with pytest.raises(EmptyMatrixError):
        rr.dataset_influence(frame([[0.5, 0.6]]))
    apart = frame([[0.5, np.nan], [np.nan, 0.6], [0.7, np.nan]])
    assert len(rr.dataset_influence(apart, aggregate="borda").models) == 2
    with pytest.raises(EmptyMatrixError, match="borda can rank 0 of 2 models"):
        rr.dataset_influence(apart.iloc[:2], aggregate="borda")
