from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from robustrank.aggregation import AGGREGATES, Aggregate, compare_aggregations
from robustrank.errors import InputError, ParameterError, UnknownLabelError
from robustrank.irt import fit_2pl
from robustrank.matrix import ScoreMatrix
from robustrank.mcdm import rank
from robustrank.voting import borda
from tests.conftest import frame, note_codes, random_scores, score_frames

ALL = [*AGGREGATES, "irt-ability"]


def typed(scores):
    types = ["a", "b"] * scores.shape[1]
    column = pd.DataFrame({"task_type": types[: scores.shape[1]]}, index=scores.columns)
    return ScoreMatrix(scores, column)


def test_each_column_is_what_its_function_gives():
    scores = random_scores(8, 9, noise=0.2)
    found = compare_aggregations(typed(scores))
    assert (
        list(found.scores) == list(found.ranks) == list(found.tau) == list(found.first.index) == ALL
    )
    assert found.notes == ()
    wanted = {
        "mean": scores.mean(axis=1),
        "task-type-mean": (scores.iloc[:, ::2].mean(axis=1) + scores.iloc[:, 1::2].mean(axis=1))
        / 2,
        "borda": borda(scores)["points"],
        "borda-mteb": borda(scores, "mteb")["points"] / 9,
        "topsis/critic": rank(scores, "topsis/critic")["preference"],
        "vikor/merec": rank(scores, "vikor/merec")["preference"],
        "irt-ability": fit_2pl(scores, n_refits=0).ability,
    }
    for name, values in wanted.items():
        np.testing.assert_allclose(found.scores[name], values[scores.index], atol=1e-6)
    for name in ALL:
        ranks = scipy.stats.rankdata(-found.scores[name].round(10))
        np.testing.assert_array_equal(found.ranks[name], ranks)
        assert found.first[name] == found.ranks[name].idxmin()


def test_tau_equals_scipy():
    found = compare_aggregations(random_scores(9, 5, noise=0.3).round(1))
    for a in found.tau:
        for b in found.tau:
            wanted = scipy.stats.kendalltau(found.ranks[a], found.ranks[b]).statistic
            assert found.tau.loc[a, b] == pytest.approx(wanted)


def test_without_task_types_their_mean_is_left_out():
    found = compare_aggregations(random_scores(5, 6))
    assert list(found.ranks) == [name for name in ALL if name != "task-type-mean"]
    assert note_codes(found) == ["aggregate-left-out"]
    assert "task type of 6 of 6 datasets is unknown" in found.notes[0].message
    with pytest.raises(InputError, match="task type of 6 of 6 datasets"):
        compare_aggregations(random_scores(5, 6), ["mean", "task-type-mean"])


def test_holes():
    scores = random_scores(6, 6, noise=0.2)
    scores.iloc[2] = scores.max() + 0.01  # the best, so that NaN taken for 0 would show
    scores.iloc[2, 1] = np.nan
    found = compare_aggregations(typed(scores))
    ranking = found.ranks.columns[found.ranks.loc["m2"].notna()]
    assert list(ranking) == ["borda", "borda-mteb", "bradley-terry", "irt-ability"]
    assert "m2" not in " ".join(found.first.drop(ranking))
    note = {note.code: note for note in found.notes}["incomplete-models"]
    assert note.labels == ("m2",)
    assert "(not mean, task-type-mean, z-score-mean and 16 more)" in note.message
    # τ is over the models that both rank.
    both = found.scores[["mean", "borda"]].dropna()
    assert len(both) == 5
    tau = scipy.stats.kendalltau(both["mean"], both["borda"]).statistic
    assert found.tau.loc["mean", "borda"] == pytest.approx(tau)


def test_no_note_where_every_aggregate_ranks_every_model():
    scores = random_scores(4, 6)
    scores.iloc[2, 1] = np.nan
    assert compare_aggregations(scores, ["borda", "borda-mteb"]).notes == ()


def test_ties_at_the_top_share_the_first_place():
    found = compare_aggregations(frame([[0.9, 0.8], [0.9, 0.8], [0.1, 0.2]]), ["mean"])
    assert found.first["mean"] == "m0 = m1"
    assert found.ranks["mean"].tolist() == [1.5, 1.5, 3.0]
    assert repr(found) == "Aggregations(3 models, 1 aggregate; m0 = m1 first in 1 of 1)"


def test_smallest_boards():
    found = compare_aggregations(frame([[0.5], [0.4]]))
    assert pd.isna(found.first["irt-ability"])
    assert (found.first.drop("irt-ability") == "m0").all()
    assert found.tau.drop("irt-ability").drop(columns="irt-ability").eq(1.0).all(axis=None)
    assert (
        repr(found)
        == "Aggregations(2 models, 22 aggregates; tau 1.00 to 1.00; m0 first in 21 of 22)"
    )
    nobody = compare_aggregations(frame([[np.nan, 0.5], [0.4, np.nan]]), ["mean"])
    assert nobody.scores.isna().all(axis=None)
    assert pd.isna(nobody.first["mean"])
    assert repr(nobody) == "Aggregations(2 models, 1 aggregate)"


def test_names_objects_and_a_single_one():
    scores = random_scores(4, 6)
    single = compare_aggregations(scores, "mean")
    pd.testing.assert_frame_equal(single.ranks, compare_aggregations(scores, ["mean"]).ranks)
    own = Aggregate("own", "the mean again", "this test", AGGREGATES["mean"].prepare)
    found = compare_aggregations(scores, (name for name in (own, "mean", own, "irt-ability")))
    assert list(found.ranks) == ["own", "mean", "irt-ability"]
    assert found.tau.loc["own", "mean"] == 1.0
    assert list(compare_aggregations(scores, np.array(["borda"])).ranks) == ["borda"]


@settings(max_examples=6)
@given(score_frames(min_models=3), st.randoms())
def test_arrangement_changes_no_bit(scores, random):
    rows, columns = list(scores.index), list(scores)
    random.shuffle(rows)
    random.shuffle(columns)
    first, second = (compare_aggregations(s) for s in (scores, scores.loc[rows, columns]))
    pd.testing.assert_frame_equal(
        first.scores, second.scores.loc[list(scores.index)], check_exact=True
    )
    pd.testing.assert_frame_equal(
        first.ranks, second.ranks.loc[list(scores.index)], check_exact=True
    )
    pd.testing.assert_frame_equal(first.tau, second.tau, check_exact=True)


def test_errors():
    with pytest.raises(ParameterError, match="leave aggregates out"):
        compare_aggregations(random_scores(3, 3), [])
    with pytest.raises(UnknownLabelError, match="Unknown aggregate 'men': did you mean 'mean'"):
        compare_aggregations(random_scores(3, 3), ["mean", "men"])
