"""`smaa` against published numbers, closed forms and a loop over the draws; and small cases."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robustrank as rr
from robustrank._groups import Groups
from robustrank.acceptability import smaa
from robustrank.acceptability.evaluation import Evaluation
from robustrank.acceptability.result import centroid_weights
from robustrank.acceptability.tally import tally
from robustrank.errors import (
    EmptyMatrixError,
    InputError,
    MissingScoresError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.mcdm.schemes import METHODS
from tests.conftest import frame, note_codes, random_scores, score_frames


def test_published_example_with_errors_of_the_measurements():
    """Heparin and enoxaparin, as in the documentation of the R package smaa 0.3 (10,000 draws).

    Risks are beta distributions there, and normal ones of the same mean and deviation here.
    """
    counts = {
        "Heparin": [(20, 116), (40, 96), (1, 135)],
        "Enoxaparin": [(8, 121), (32, 97), (5, 124)],
    }
    criteria = ["Prox DVT", "Dist DVT", "Bleed"]
    worst, width = np.array([0.25, 0.4, 0.1]), np.array([0.25, 0.25, 0.1])
    a, b = np.moveaxis(np.array(list(counts.values()), dtype=float), 2, 0)
    risk, spread = a / (a + b), np.sqrt(a * b / (a + b + 1)) / (a + b)
    values = pd.DataFrame((worst - risk) / width, list(counts), criteria)
    errors = pd.DataFrame(spread / width, list(counts), criteria)
    found = smaa(values, noise=errors)
    ranks = found.rank_acceptability.loc[["Heparin", "Enoxaparin"]].to_numpy()
    assert ranks == pytest.approx(np.array([[0.3504, 0.6496], [0.6496, 0.3504]]), abs=0.015)
    assert found.central_weights.loc["Heparin"].to_numpy() == pytest.approx(
        [0.1865, 0.2772, 0.5363], abs=0.015
    )
    assert found.central_weights.loc["Enoxaparin"].to_numpy() == pytest.approx(
        [0.4073, 0.3641, 0.2285], abs=0.01
    )
    assert found.confidence_factor["Heparin"] == pytest.approx(0.6682, abs=0.015)
    assert found.confidence_factor["Enoxaparin"] == pytest.approx(0.8956, abs=0.015)


def test_two_groups_in_closed_form():
    # The lines w · x + (1 - w) · y cross at w = 0.2 (c, b) and 0.4 (b, a), and a and c at 0.3.
    board = pd.DataFrame([[0.9, 0.3], [0.6, 0.5], [0.2, 0.6]], list("abc"), ["x", "y"])
    found = smaa(board, n_draws=40_000)
    shares = [[0.6, 0.1, 0.3], [0.2, 0.8, 0.0], [0.2, 0.1, 0.7]]
    ranks = found.rank_acceptability.loc[list("abc")].to_numpy()
    assert ranks == pytest.approx(np.array(shares), abs=found.error + 0.003)
    assert found.central_weights.loc[list("abc"), "x"].to_numpy() == pytest.approx(
        [0.7, 0.3, 0.1], abs=0.005
    )
    wins = [[0.5, 0.6, 0.7], [0.4, 0.5, 0.8], [0.3, 0.2, 0.5]]
    pairwise = found.pairwise.loc[list("abc"), list("abc")].to_numpy()
    assert pairwise == pytest.approx(np.array(wins), abs=0.01)
    assert (found.confidence_factor == 1.0).all()
    # Rank-order-centroid weights of three ranks: 11/18, 5/18 and 2/18.
    assert found.holistic["a"] == pytest.approx((ranks[0] * [1.0, 5 / 11, 2 / 11]).sum())
    assert found.table.loc["b", ["rank_low", "rank_high"]].tolist() == [1, 2]
    assert found.table.loc["a", "expected_rank"] == pytest.approx(1.7, abs=0.01)


def test_three_groups_are_equal_areas():
    # Each model is best where its own weight is the largest: a third of the triangle.
    found = smaa(np.eye(3) * 0.5 + 0.2, n_draws=20_000)
    assert found.p_best.to_numpy() == pytest.approx(np.full(3, 1 / 3), abs=0.012)
    # The largest of three weights has mean 11/18.
    assert np.diag(found.central_weights.loc[["m1", "m2", "m3"]]) == pytest.approx(
        np.full(3, 11 / 18), abs=0.005
    )


@pytest.mark.parametrize("method", METHODS)
def test_counts_are_those_of_a_loop(method):
    rng = np.random.default_rng(3)
    scores = rng.integers(1, 5, (6, 5)) / 10.0
    scores[3] = scores[1]
    groups = Groups("group", ("p", "q", "r"), np.array([0, 0, 1, 2, 2]))
    normalization = {"wsm": "none", "topsis": "minmax"}.get(method)
    evaluation = Evaluation(scores, tuple("abcde"), groups, method, normalization, scores * 0.0)
    weights = rng.dirichlet(np.ones(3), 300)
    weights[:100] = np.eye(3)[rng.integers(0, 3, 100)]  # these make ties
    counted = tally(evaluation, weights, rng)
    shares, wins = np.zeros((6, 6)), np.zeros((6, 6))
    favour, times = np.zeros((6, 3)), np.zeros(6)
    for w in weights:
        each = (w / [2, 1, 2])[groups.codes]
        total = evaluation.decision.preferences(method, each).round(10)
        ahead = [sum(other > mine for other in total) for mine in total]
        size = Counter(ahead)
        for i in range(6):
            for rank in range(ahead[i], ahead[i] + size[ahead[i]]):
                shares[i, rank] += 1 / size[ahead[i]]
            for j in range(6):
                wins[i, j] += 0.5 + 0.5 * np.sign(total[i] - total[j])
            if ahead[i] == 0:
                favour[i] += w / size[0]
                times[i] += 1 / size[0]
    assert counted.acceptability == pytest.approx(shares / 300)
    assert counted.pairwise == pytest.approx(wins / 300)
    assert counted.central[times > 0] == pytest.approx(favour[times > 0] / times[times > 0, None])
    assert np.isnan(counted.central[times == 0]).all()


@given(score_frames(min_datasets=2), st.sampled_from(list(METHODS)))
@settings(max_examples=8)
def test_shares_add_up(scores, method):
    found = smaa(scores, method=method, n_draws=60)
    m = len(scores)
    assert found.rank_acceptability.sum(axis=0).to_numpy() == pytest.approx(np.ones(m))
    assert found.rank_acceptability.sum(axis=1).to_numpy() == pytest.approx(np.ones(m))
    both = found.pairwise.to_numpy() + found.pairwise.to_numpy().T
    assert both == pytest.approx(np.ones((m, m)))
    assert found.central_weights.sum(axis=1).to_numpy() == pytest.approx(1.0)
    # Mean rank = 1 + number of models expected ahead.
    ahead = (1.0 - found.pairwise).sum(axis=1) - 0.5
    assert found.table["expected_rank"].to_numpy() == pytest.approx(1.0 + ahead.to_numpy())
    assert not found.table.drop(columns=["confidence_factor", "can_be_first"]).isna().any().any()


@given(score_frames(min_datasets=2, max_models=8))
@settings(max_examples=8)
def test_who_is_first_in_a_draw_can_be_first(scores):
    found = smaa(scores, n_draws=60)
    first = found.p_best == found.p_best.max()
    assert found.confidence_factor.dropna().to_numpy() == pytest.approx(
        found.confidence_factor.dropna().clip(upper=1.0).to_numpy()
    )
    for model, weights in found.first_weights.iterrows():
        totals = scores.to_numpy() @ weights[scores.columns].to_numpy()
        totals = pd.Series(totals, scores.index).round(10)
        assert totals[model] == totals.max()
        copies = (scores == scores.loc[model]).all(axis=1)
        assert (totals[~copies] < totals[model]).all()
    assert first.any()


@pytest.mark.parametrize("method", METHODS)
def test_arrangement_and_names_change_nothing(method):
    scores = random_scores(7, 6, seed=4)
    kinds = {f"d{j}": "xyz"[j % 3] for j in range(6)}
    found = smaa(scores, method=method, by=kinds, n_draws=500, order=["x", "z"])
    mixed = scores.iloc[::-1, [3, 0, 5, 1, 4, 2]]
    renamed = mixed.rename(index=lambda name: f"<{name}>", columns=lambda name: f"a${name}$")
    other = smaa(
        renamed,
        method=method,
        by={f"a${name}$": kind for name, kind in kinds.items()},
        n_draws=500,
        order=["x", "z"],
    )
    back = other.table.rename(index=lambda name: name.strip("<>"))
    pd.testing.assert_frame_equal(found.table, back)
    pd.testing.assert_frame_equal(
        found.central_weights[["x", "y", "z"]],
        other.central_weights.rename(index=lambda name: name.strip("<>"))[["x", "y", "z"]],
        check_names=False,
    )
    pd.testing.assert_frame_equal(
        found.table,
        smaa(100 * scores, method=method, by=kinds, n_draws=500, order=["x", "z"]).table,
    )


def test_copies_of_datasets_within_their_group_change_nothing():
    scores = random_scores(6, 4, seed=2)
    twice = pd.concat([scores, scores.add_suffix("-copy")], axis=1)
    found = smaa(scores, by={name: name for name in scores}, n_draws=500)
    other = smaa(twice, by={name: name[:2] for name in twice}, n_draws=500)
    pd.testing.assert_frame_equal(found.table, other.table)


def test_the_same_seed_gives_the_same_bytes():
    scores = random_scores(5, 4)
    one, two = (smaa(scores, n_draws=300, noise=0.02, seed=7).to_dict() for _ in range(2))
    assert one == two
    other = smaa(scores, n_draws=300, noise=0.02, seed=8)
    assert one["rank_acceptability"] != other.to_dict()["rank_acceptability"]
    generator = smaa(scores, n_draws=300, noise=0.02, seed=np.random.default_rng(7))
    assert generator.to_dict()["table"] == one["table"]


def test_copies_of_a_model_share_its_ranks():
    scores = frame([[0.9, 0.2], [0.9, 0.2], [0.1, 0.8], [0.0, 0.0]])
    found = smaa(scores)
    assert found.p_best["m0"] == found.p_best["m1"]
    assert found.rank_acceptability.loc["m3"].tolist() == [0, 0, 0, 1]
    assert found.pairwise.loc["m0", "m1"] == 0.5
    assert found.p_best["m2"] + 2 * found.p_best["m0"] == pytest.approx(1.0)
    assert found.can_be_first.to_dict() == {"m0": True, "m1": True, "m2": True, "m3": False}
    assert found.headline.startswith(
        "m2 is first in 43% of 10,000 weightings of 2 datasets drawn at random."
    )


@pytest.mark.parametrize("method", METHODS)
def test_models_that_are_all_alike_share_everything(method):
    scores = frame(np.tile([0.5, 0.6, 0.7], (3, 1)))
    found = smaa(scores, method=method, n_draws=50)
    assert found.rank_acceptability.to_numpy() == pytest.approx(np.full((3, 3), 1 / 3))
    assert (found.table["rank"] == 2.0).all()
    assert found.headline == (
        "m0, m1 and 1 more are each first in 33% of 50 weightings of 3 datasets drawn at random, "
        "ties shared."
    )
    assert "constant-datasets" in note_codes(found)
    found.summary()


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_lead_cannot_be_weighed_away(method):
    lead = np.linspace(0.3, 0.8, 20)
    found = smaa(frame([lead, lead - 0.05]), method=method, n_draws=200)
    assert found.p_best.tolist() == [1.0, 0.0]
    assert found.pairwise.loc["m0", "m1"] == 1.0
    assert found.table["p_best_error"].tolist() == [3 / 200] * 2
    if method in ("topsis", "vikor"):
        assert found.can_be_first.isna().all()
        assert found.first_weights is None
        assert found.headline.endswith("No other model is first in any draw.")
    else:
        assert found.can_be_first.tolist() == [True, False]
        assert found.headline.endswith("No weighting puts another model first.")


@pytest.mark.parametrize("method", METHODS)
def test_one_dataset_is_its_own_ranking(method):
    found = smaa(frame([[0.1], [0.3], [0.2], [0.2]]), method=method, n_draws=20)
    assert found.table.index.tolist() == ["m1", "m2", "m3", "m0"]
    assert found.table["rank"].tolist() == [1.0, 2.5, 2.5, 4.0]
    assert found.p_best.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_a_constant_dataset_moves_no_model():
    scores = random_scores(5, 3)
    groups = {"d0": "a", "d1": "b", "d2": "c", "flat": "c"}
    found = smaa(scores.assign(flat=0.5), by=groups, n_draws=100)
    assert "constant-datasets" in note_codes(found)
    assert not found.p_best.isna().any()


def test_models_with_missing_scores_are_set_aside():
    scores = random_scores(5, 3)
    scores.loc["m2", "d1"] = np.nan
    found = smaa(scores, n_draws=50)
    assert "m2" not in found.table.index
    assert "dropped-models" in note_codes(found)
    pd.testing.assert_frame_equal(found.table, smaa(scores.drop("m2"), n_draws=50).table)


def test_a_sure_loser_under_the_mean_can_be_first_where_it_is_best():
    # m0 leads everywhere but on d2, which an order can keep small.
    scores = frame([[0.9, 0.9, 0.3], [0.5, 0.5, 0.9], [0.8, 0.8, 0.2]])
    free = smaa(scores, n_draws=2000)
    assert free.can_be_first.to_dict() == {"m0": True, "m1": True, "m2": False}
    ordered = smaa(scores, n_draws=2000, order=["d0", "d1", "d2"])
    assert ordered.p_best["m0"] == 1.0
    assert ordered.headline == (
        "m0 is first in all 2,000 allowed weightings of 3 datasets drawn at random. "
        "No allowed weighting puts another model first."
    )
    assert smaa(scores, n_draws=2000, lower={"d2": 0.6}).headline == (
        "m1 is first in all 2,000 allowed weightings of 3 datasets drawn at random. "
        "No allowed weighting puts another model first."
    )


def test_errors_of_scores_go_through_the_value_function():
    scores = frame([[0.6, 0.5], [0.5, 0.6]])
    errors = {"d0": 0.1, "d1": 0.0}
    found = smaa(scores, noise=errors, lower={"d0": 0.5, "d1": 0.5}, n_draws=20_000)
    assert found.p_best["m0"] == pytest.approx(0.5, abs=0.02)
    skewed = smaa(scores, noise=errors, lower={"d0": 0.8, "d1": 0.2}, n_draws=20_000)
    # Lead 0.06; each total has standard error 0.08: Phi(0.06 / (0.08 sqrt 2)) = 0.7021.
    assert skewed.p_best["m0"] == pytest.approx(0.7021, abs=0.01)
    assert skewed.confidence_factor["m0"] == pytest.approx(0.7021, abs=0.01)
    # Min-max maps 0.5..0.6 to 0..1, errors too: nothing changes but the unit.
    mapped = smaa(
        scores,
        noise=errors,
        normalization="minmax",
        lower={"d0": 0.8, "d1": 0.2},
        n_draws=20_000,
    )
    assert mapped.p_best["m0"] == pytest.approx(0.7021, abs=0.01)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "wsm"])
def test_errors_of_scores_reach_every_method(method):
    scores = frame([[0.6, 0.55], [0.5, 0.5]])
    sure = smaa(scores, method=method, n_draws=200)
    unsure = smaa(scores, method=method, n_draws=200, noise=0.1)
    assert sure.p_best["m0"] == 1.0
    assert 0.5 < unsure.p_best["m0"] < 0.95
    assert 0.5 < unsure.confidence_factor["m0"] < 0.95


def test_no_error_is_no_noise():
    scores = random_scores(4, 3)
    table = smaa(scores, n_draws=100, noise=0.0).table
    pd.testing.assert_frame_equal(table, smaa(scores, n_draws=100).table)


def test_the_default_ranks_by_the_mean_of_the_scores_as_they_are():
    board = rr.load_example().resolve_missing()
    few = board.scores.iloc[:20]
    found = smaa(few, n_draws=50)
    means = few.mean(axis=1).round(10).rank(ascending=False)
    assert found.table["rank"].to_dict() == means.to_dict()
    assert found.settings["normalization"] == "none"
    types = smaa(board, by="task_type", n_draws=50)
    kinds = board.scores.T.groupby(board.datasets["task_type"]).mean().mean()
    assert types.table["rank"].to_dict() == kinds.round(10).rank(ascending=False).to_dict()


def test_a_lead_beyond_doubt_of_the_weights_is_told_from_one_beyond_errors():
    lead = np.array([0.5, 0.6, 0.7])
    noisy = smaa(frame([lead, lead - 0.05]), n_draws=500, noise=0.1).headline
    assert "and scores drawn with their errors. Next is m1" in noisy
    assert noisy.endswith("No weighting of the scores as observed puts another model first.")


def test_one_group_leaves_one_weighting():
    found = smaa(frame([[0.1, 0.2], [0.3, 0.3]]), by={"d0": "g", "d1": "g"}, n_draws=20)
    assert found.headline == "m1 is first in all 20 draws with 1 group, and so one weighting."


def test_many_groups_have_a_note():
    assert "many-groups" in note_codes(smaa(random_scores(3, 25), n_draws=20))
    assert "many-groups" not in note_codes(smaa(random_scores(3, 5), n_draws=20))


def test_centroid_weights():
    assert centroid_weights(3) == pytest.approx([1.0, 5 / 11, 2 / 11])
    assert centroid_weights(1).tolist() == [1.0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"method": "wms"}, UnknownLabelError, "Unknown method 'wms': did you mean 'wsm'"),
        ({"method": "vikor", "normalization": "sum"}, ParameterError, "vikor takes no norm"),
        ({"method": "topsis", "normalization": "sum"}, ParameterError, "'minmax', 'vector'; got"),
        ({"normalization": "z"}, ParameterError, "wsm takes"),
        ({"n_draws": 0}, ParameterError, "n_draws must be a whole number of at least 1; got 0"),
        ({"seed": -1}, ParameterError, "seed"),
        ({"by": "kinds"}, ParameterError, "kinds"),
        ({"by": "task_type"}, InputError, "task type"),
        ({"lower": {"d9": 0.1}}, UnknownLabelError, "Unknown dataset 'd9'"),
        ({"noise": -0.1}, ParameterError, "on 0..1; found -0.1"),
        ({"noise": 2.0}, ParameterError, "Divide those of percentages by 100"),
        ({"noise": {"d0": 0.1}}, MissingScoresError, "for 8 scores, of d1, d2"),
        ({"noise": {f"d{j}": "x" for j in range(3)}}, InputError, "Standard errors must be num"),
        ({"noise": "much"}, ParameterError, "noise must be a standard error"),
        ({"noise": True}, ParameterError, "noise must be a standard error"),
        ({"noise": np.zeros(3)}, ParameterError, "noise must be a standard error"),
        ({"noise": pd.Series([0.1, 0.1], ["d0", "d0"])}, ParameterError, "names d0 more than"),
        ({"method": ["wsm"]}, UnknownLabelError, "Unknown method"),
        ({"normalization": np.zeros(2)}, ParameterError, "wsm takes"),
        ({"noise": pd.DataFrame({"d0": [0.1]}, index=["m0"])}, MissingScoresError, "d0, d1, d2"),
    ],
)
def test_bad_settings_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        smaa(random_scores(4, 3), **arguments)


def test_a_single_model_is_no_ranking():
    with pytest.raises(EmptyMatrixError):
        smaa(random_scores(1, 3))
