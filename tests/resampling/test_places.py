from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from robustrank.resampling import places as module
from robustrank.resampling.places import take_places
from tests.resampling import oracle

cells = st.one_of(st.integers(0, 4).map(float), st.just(np.nan))
tied = hnp.arrays(float, st.tuples(st.integers(1, 7), st.integers(1, 9)), elements=cells)
scale = st.sampled_from([1e-6, 1.0, 100.0, 1e6, -1.0])


def ranked(values, method):
    return np.nan_to_num(scipy.stats.rankdata(-values, method, axis=0, nan_policy="omit"))


@given(tied, scale)
def test_places_equal_scipy(values, factor):
    found = take_places(values * factor)
    np.testing.assert_array_equal(found.first, ranked(values * factor, "min"))
    np.testing.assert_array_equal(found.last, ranked(values * factor, "max"))
    np.testing.assert_array_equal(found.doubled, 2 * ranked(values * factor, "average"))


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 9, (5, 60)) / 8
    values[:, :30] = rng.random((5, 30))  # the first blocks are without ties
    values[2, 50:] = np.nan
    whole = take_places(values)
    monkeypatch.setattr(module, "_BLOCK_CELLS", 35)
    blocks = take_places(values)
    np.testing.assert_array_equal(whole.first, blocks.first)
    np.testing.assert_array_equal(whole.last, blocks.last)


def test_one_array_serves_where_nothing_ties():
    found = take_places(np.random.default_rng(0).random((6, 40)))
    assert found.last is found.first


def test_values_equal_to_ten_decimals_are_tied():
    found = take_places(np.array([[0.1 + 0.2], [0.3], [0.3 + 1e-9], [0.1]]))
    assert found.first[:, 0].tolist() == [2, 2, 1, 4]
    assert found.last[:, 0].tolist() == [3, 3, 1, 4]


@given(tied, st.integers(1, 8))
def test_share_within_splits_ties(values, k):
    values = values[:, ~np.isnan(values).all(axis=0)]
    if values.shape[1]:
        share = take_places(values).share_within(k)
        np.testing.assert_allclose(share, oracle.chance_of_places(values, k), atol=1e-12)


def test_shares_leave_out_resamples_that_rank_nobody():
    values = np.array([[0.5, np.nan, np.nan], [0.4, np.nan, 0.3]])
    assert take_places(values).share_within(1).tolist() == [0.5, 0.5]
    assert take_places(np.full((2, 3), np.nan)).share_within(1).tolist() == [0.0, 0.0]


@given(tied, st.sampled_from([0.025, 0.1, 0.25]))
def test_rank_quantiles_equal_numpy(values, tail):
    low, high = take_places(values).rank_quantiles(tail, 1 - tail)
    for i, line in enumerate(oracle.ranks(values)):
        ranks = line[~np.isnan(line)]
        if not len(ranks):
            assert np.isnan([low[i], high[i]]).all()
            continue
        assert low[i] == np.quantile(ranks, tail, method="inverted_cdf")
        # 1 - tail is a rounding error away from the share that is meant.
        assert high[i] == np.quantile(ranks, 1 - tail - 1e-9, method="inverted_cdf")


@pytest.mark.parametrize("tied", [False, True])
def test_the_outermost_quantiles_are_ranks(tied):
    values = np.random.default_rng(0).random((3, 50))
    values[1] = values[0] if tied else values[1]
    low, high = take_places(values).rank_quantiles(1e-14, 1 - 1e-14)
    ranks = oracle.ranks(values)
    np.testing.assert_array_equal(low, ranks.min(axis=1))
    np.testing.assert_array_equal(high, ranks.max(axis=1))
