from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from robustrank.short_suites._agreement import Reference, enough, tau_of
from robustrank.short_suites._places import leader_kept, top_overlap

COARSE = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=9)


@given(COARSE)
def test_tau_is_scipys_with_ties_on_either_side(rows):
    values = np.array(rows, dtype=float)
    found = Reference.of(values[:, 0]).tau(values[:, 1:])
    expected = [kendalltau(values[:, 0], column).statistic for column in values[:, 1:].T]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("models", [255, 256, 300])
def test_many_models_have_places_of_their_own(models):
    """The places of 256 and more models no longer fit the smallest integers."""
    rng = np.random.default_rng(models)
    values = rng.normal(size=(models, 3))
    found = Reference.of(values[:, 0]).tau(values)
    expected = [kendalltau(values[:, 0], column).statistic for column in values.T]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert found[0] == 1.0


def test_differences_past_ten_decimals_are_ties():
    reference = Reference.of(np.array([0.3, 0.2, 0.2 + 1e-12]))
    assert reference.untied == 2
    net, untied = reference.compare(np.array([[0.3], [0.2], [0.1]]))
    assert (net[0], untied[0]) == (2, 3)


def test_counts_pool_to_a_tau_and_no_pair_has_none():
    assert tau_of(np.array([3.0, 0.0]), np.array([9.0, 0.0])).tolist() == pytest.approx(
        [1.0, np.nan], nan_ok=True
    )
    assert not enough(np.nan, 0.1)
    assert enough(0.95 - 1e-15, 0.95)
    assert not enough(0.9499, 0.95)


def test_a_leader_is_kept_if_one_of_those_that_tie_for_it_is_first():
    full = np.array([0.9, 0.9, 0.5])
    values = np.array([[0.1, 0.2, 0.7], [0.2, 0.1, 0.7], [0.3, 0.1, 0.7]])
    assert leader_kept(full, values).tolist() == [False, True, True]


def test_overlap_of_the_first_ten_counts_ties_with_the_tenth():
    full = np.arange(12.0)
    swapped = full.copy()
    swapped[[0, 11]] = swapped[[11, 0]]
    values = np.column_stack([full, swapped, np.zeros(12)])
    assert top_overlap(full, values).tolist() == pytest.approx([1.0, 0.9, 10 / 12])
    assert top_overlap(full[:4], full[:4, None]).tolist() == [1.0]
