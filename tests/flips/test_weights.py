"""The least weight to move, against linear programs and boards whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import robustrank as rr
from tests.conftest import frame, random_scores, score_frames


def by_program(advantages: np.ndarray, own: np.ndarray) -> float:
    """½‖w - own‖₁ at least, such that no advantage is negative; infinite without such w."""
    r, n = advantages.shape
    none = np.zeros((r, n))
    gap = np.eye(n)
    solved = linprog(
        np.r_[np.zeros(n), np.full(n, 0.5)],
        A_ub=np.vstack(
            [np.hstack([-advantages, none]), np.hstack([gap, -gap]), np.hstack([-gap, -gap])]
        ),
        b_ub=np.r_[np.zeros(r), own, -own],
        A_eq=np.r_[np.ones(n), np.zeros(n)][None],
        b_eq=[1.0],
    )
    return solved.fun if solved.status == 0 else np.inf


@settings(max_examples=15)
@given(score_frames(max_models=5), st.data())
def test_a_pair_by_linear_program(scores, data):
    model, over = data.draw(st.permutations(list(scores.index)))[:2]
    row = rr.smallest_change(scores, model=model, over=over, change="weights").table.loc["weights"]
    difference = (scores.loc[model] - scores.loc[over]).to_numpy()
    if difference.max() <= 0:
        assert np.isnan(row["size"])
        assert row["reason"] == f"{over} scored at least as high as {model} on every dataset"
    else:
        own = np.full(len(difference), 1.0 / len(difference))
        assert row["size"] == pytest.approx(by_program(difference[None], own), abs=1e-8)


@pytest.mark.parametrize("seed", range(2))
def test_first_of_all_by_linear_program(seed):
    scores = random_scores(7, 6, seed=seed, noise=0.25)
    own = np.full(6, 1.0 / 6)
    for model in scores.index:
        found = rr.smallest_change(scores, model=model, goal="first", change="weights")
        size = found.table.loc["weights", "size"]
        advantages = (scores.loc[model] - scores.drop(model)).to_numpy()
        expected = by_program(advantages, own)
        if np.isnan(size):
            assert expected == np.inf
            assert found.weights is None
        else:
            assert size == pytest.approx(expected, abs=1e-7)
            after = found.weights["after"].to_numpy()
            assert after.sum() == pytest.approx(1.0)
            assert (after >= 0).all()
            assert (advantages @ after).min() >= -1e-7


def test_any_step_further_passes_and_any_less_does_not():
    scores = random_scores(9, 12, seed=5, noise=0.2)
    found = rr.smallest_change(scores, change="weights")
    before, after = found.weights["before"], found.weights["after"]
    assert before.tolist() == pytest.approx([1 / 12] * 12)
    passer = found.table.loc["weights", "passes"]
    for step, sign in ((1.001, 1.0), (0.999, -1.0)):
        weights = before + step * (after - before)
        lead = (scores.loc[passer] - scores.loc[found.over]) @ weights
        assert np.sign(lead) == sign
    rivals = scores.drop(found.over) - scores.loc[found.over]
    assert (rivals @ (before + 0.999 * (after - before)) < 0).all()


def test_a_leader_that_no_weighting_dethrones():
    scores = random_scores(6, 8, seed=1)
    scores.loc["m0"] = scores.max() + 0.001
    found = rr.smallest_change(scores)
    assert found.table["size"].isna().all()
    assert found.table["exact"].all()
    assert found.headline == (
        "m0 leads by mean. No choice of datasets and no weighting can put another model above m0: "
        "m0 scored at least as high as every other model on every dataset."
    )
    assert found.weights is None
    assert (found.margins["better_on"] == 0).all()


def test_below_the_hull_each_can_be_passed_but_not_all_at_once():
    """Best on no weighting: between two specialists, below their mixture."""
    scores = frame([[0.9, 0.1], [0.1, 0.9], [0.4, 0.4]])
    found = rr.smallest_change(scores, model="m2", goal="first", change=["datasets", "weights"])
    assert found.table["size"].isna().all()
    assert found.table["exact"].all()
    assert found.table["reason"].tolist() == [
        "no datasets that can be kept put it above all others at once",
        "not all others can be passed at once",
    ]
    for over in ("m0", "m1"):
        assert rr.smallest_change(scores, model="m2", over=over).table["size"].notna().all()


def test_weights_by_task_type_start_from_the_aggregate():
    matrix = rr.ScoreMatrix(
        frame([[0.9, 0.5, 0.5], [0.5, 0.6, 0.6]]),
        frame([[0]] * 3).assign(task_type=["A", "B", "B"]).set_axis(["d0", "d1", "d2"]),
    )
    found = rr.smallest_change(matrix, aggregate="task-type-mean", change="weights")
    assert found.weights["before"].tolist() == pytest.approx([0.5, 0.25, 0.25])
    # ½ · 0.4 - ½ · 0.1 = 0.15, and 0.5 per unit moved from d0.
    assert found.table.loc["weights", "size"] == pytest.approx(0.3)


def test_weights_of_a_scheme_are_its_own():
    scores = random_scores(6, 5, seed=3, noise=0.2)
    found = rr.smallest_change(scores, aggregate="wsm/critic", change="weights")
    own = rr.rank_schemes(scores, schemes="wsm/critic").weights["all"]["critic"]
    assert found.weights["before"].tolist() == pytest.approx(own.tolist())
