from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.resampling.pairs import ByDataset, count_outcomes, shared_datasets
from robustrank.resampling.places import take_places
from tests.resampling import oracle

cells = st.one_of(st.integers(0, 3).map(float), st.just(np.nan))
tied = hnp.arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 8)), elements=cells)


@given(tied, st.data())
def test_outcomes_equal_a_loop(values, data):
    m = len(values)
    comparable = np.array(data.draw(st.lists(st.booleans(), min_size=m, max_size=m)))
    found = count_outcomes(take_places(values), comparable)
    probability, p = found.probability, found.p_values
    for a in range(m):
        for b in range(m):
            wanted = oracle.outcome(values[a] - values[b])
            if not (comparable[a] and comparable[b]):
                wanted = (np.nan, np.nan)
            np.testing.assert_allclose([probability[a, b], p[a, b]], wanted, atol=1e-12)


def by_dataset(values, counts, units=None):
    n = values.shape[1]
    weights = counts / counts.sum(axis=1, keepdims=True)
    return ByDataset(values, np.full(n, 1 / n), weights, np.arange(n) if units is None else units)


@pytest.mark.parametrize("comparable", [[False] * 5, [True, False, True, False, True]])
def test_pairs_are_compared_over_the_datasets_that_both_ran(comparable):
    rng = np.random.default_rng(0)
    values = rng.integers(1, 9, (5, 6)) / 10
    values[rng.random((5, 6)) < 0.35] = np.nan
    values[3] = values[1]  # alike: ties
    counts = rng.multinomial(6, np.full(6, 1 / 6), size=300).astype(float)
    comparable = np.array(comparable)
    outcomes = count_outcomes(take_places(np.full((5, 300), np.nan)), comparable)
    by_dataset(values, counts).add_outcomes(outcomes, comparable)
    for a in range(5):
        for b in range(5):
            if comparable[a] and comparable[b]:
                assert outcomes.decided[a, b] == 0
                continue
            gaps = oracle.resampled_means((values[a] - values[b])[None], counts)[0]
            wanted = oracle.outcome(gaps)
            if np.sum(~np.isnan(values[a] - values[b])) == 1:
                wanted = (np.nan, np.nan)
            if a == b:
                wanted = (0.5, 1.0)
            found = outcomes.probability[a, b], outcomes.p_values[a, b]
            np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_many_shared_datasets_may_all_be_missed_if_drawn_as_a_cluster():
    """25 datasets in two clusters of 12 and 13, beside four that one of the models did not run."""
    rng = np.random.default_rng(1)
    units = np.r_[np.zeros(12, int), np.ones(13, int), 2 + np.arange(4)]
    values = np.vstack([np.full(29, 0.5), np.full(29, 0.6)])
    values[0, 25:] = np.nan
    drawn = rng.multinomial(6, np.full(6, 1 / 6), size=500).astype(float)
    outcomes = count_outcomes(take_places(np.full((2, 500), np.nan)), np.zeros(2, bool))
    by_dataset(values, drawn[:, units], units).add_outcomes(outcomes, np.zeros(2, bool))
    assert outcomes.decided[0, 1] == ((drawn[:, :2].sum(axis=1)) > 0).sum() < 500
    assert outcomes.probability[1, 0] == 1.0


def test_one_shared_unit_says_nothing():
    units = np.array([0, 0, 0, 1, 2])
    values = np.array([[0.5, 0.5, 0.5, np.nan, np.nan], [0.4] * 5, [np.nan] * 3 + [0.4] * 2])
    counts = np.ones((9, 5))
    held = by_dataset(values, counts, units)
    assert held.shared_units.tolist() == [[1, 1, 0], [1, 3, 2], [0, 2, 2]]
    outcomes = count_outcomes(take_places(np.full((3, 9), np.nan)), np.zeros(3, bool))
    held.add_outcomes(outcomes, np.zeros(3, bool))
    assert outcomes.decided.tolist() == [[9, 0, 0], [0, 9, 9], [0, 9, 9]]


def test_differences_add_up_to_that_of_the_means():
    values = np.array([[0.5, 0.7, 0.2, 0.4], [0.4, 0.1, 0.3, np.nan], [0.1, 0.2, 0.3, 0.4]])
    held = by_dataset(values, np.ones((1, 4)), np.array([0, 1, 1, 0]))
    gaps = held.differences(np.array([0, 0]), np.array([2, 1]))
    np.testing.assert_allclose(gaps, [[0.1, 0.1], [0.025, 0.125]])


def test_shared_datasets():
    values = np.array([[1, np.nan, 1], [1, 1, np.nan], [np.nan] * 3])
    assert shared_datasets(values).tolist() == [[2, 1, 0], [1, 2, 0], [0, 0, 0]]
