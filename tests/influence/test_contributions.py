from __future__ import annotations

import numpy as np
import pytest

import robustrank as rr
from robustrank.aggregation import AGGREGATES
from robustrank.influence.contributions import contributions
from tests.conftest import note_codes, random_scores
from tests.influence.boards import KINDS, typed

#: Those that are a weighted sum over datasets, once the weights are known.
SUMS = [
    name
    for name in AGGREGATES
    if not name.startswith(("topsis", "vikor")) and name != "bradley-terry"
]


@pytest.fixture
def board():
    scores = random_scores(8, 6)
    scores["d4"] = 0.5  # tells nobody apart
    return scores


@pytest.mark.parametrize("name", AGGREGATES)
def test_parts_sum_to_the_aggregate(board, name):
    kernel = AGGREGATES[name].prepare(typed(board))
    parts = contributions(kernel)
    if name not in SUMS:
        assert parts is None
        return
    np.testing.assert_allclose(parts.sum(axis=1), kernel(np.ones((1, 6)))[:, 0], atol=1e-12)


@pytest.mark.parametrize("name", ["borda", "borda-mteb"])
def test_parts_of_models_with_holes_sum_too(board, name):
    board.iloc[2, 1] = board.iloc[5, :4] = np.nan
    kernel = AGGREGATES[name].prepare(rr.ScoreMatrix(board))
    parts = contributions(kernel)
    np.testing.assert_allclose(parts.sum(axis=1), kernel(np.ones((1, 6)))[:, 0], atol=1e-12)
    assert (parts[5, :4] == 0.0).all()


def test_shares_of_the_lead_are_those_of_the_differences(board):
    found = rr.dataset_influence(board)
    lead = board.loc[found.leaders[0]] - board.loc[found.runner_up]
    shares = found.table["margin_share"]
    np.testing.assert_allclose(shares, (lead / lead.sum()).loc[shares.index], atol=1e-12)
    # Of the mean, leaving out a dataset that gives more than 1/n of the lead makes it smaller.
    two = rr.dataset_influence(board.loc[[found.leaders[0], found.runner_up]]).table
    np.testing.assert_array_equal(two["margin_change"] < -1e-9, two["margin_share"] > 1 / 6 + 1e-9)


@pytest.mark.parametrize("name", [name for name in KINDS if name in SUMS])
def test_shares_sum_to_one(board, name):
    found = rr.dataset_influence(typed(board), aggregate=name, by="task_type")
    assert found.table["margin_share"].sum() == pytest.approx(1.0)
    assert "not-additive" not in note_codes(found)


def test_what_is_no_sum_has_no_shares_and_says_so(board):
    found = rr.dataset_influence(board, aggregate="topsis/critic")
    assert found.table["margin_share"].isna().all()
    assert "not-additive" in note_codes(found)
    assert "share of lead" not in found.summary()
