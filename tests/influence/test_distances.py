from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from robustrank._numeric import average_ranks
from robustrank.influence.distances import distances_from


def by_pairs(a, b) -> float:
    """The definition, pair by pair."""
    total = pairs = 0
    for i, j in combinations(range(len(a)), 2):
        if np.isnan([a[i], a[j], b[i], b[j]]).any():
            continue
        pairs += 1
        total += abs(np.sign(a[i] - a[j]) - np.sign(b[i] - b[j])) / 2
    return total / pairs if pairs else float("nan")


def test_known_cases():
    ranks = np.array([1.0, 2.0, 3.0, 4.0])
    others = np.array([[1, 2, 3, 4], [4, 3, 2, 1], [2, 1, 3, 4], [1.5, 1.5, 3, 4], [2.5] * 4]).T
    distance, tau = distances_from(ranks, others.astype(float))
    # One of six pairs; a pair that only one of them ties is half a pair; all pairs tied.
    np.testing.assert_allclose(distance, [0, 1, 1 / 6, 1 / 12, 1 / 2])
    np.testing.assert_allclose(tau, [1, -1, 2 / 3, 5 / np.sqrt(30), np.nan])


def test_models_without_a_rank_are_no_pairs():
    ranks = np.array([1.0, 2.0, 3.0])
    others = np.array([[1.0, np.nan, 2.0], [2.0, np.nan, 1.0], [1.0, np.nan, np.nan]]).T
    distance, tau = distances_from(ranks, others)
    np.testing.assert_array_equal(distance, [0.0, 1.0, np.nan])
    np.testing.assert_array_equal(tau, [1.0, -1.0, np.nan])


@settings(max_examples=40)
@given(st.integers(2, 9), st.integers(0, 10_000))
def test_agrees_with_the_definition_and_with_scipy(models, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (models, 4)).astype(float)  # ties
    values[rng.random(values.shape) < 0.1] = np.nan
    ranks = average_ranks(values)
    distance, tau = distances_from(ranks[:, 0], ranks[:, 1:])
    for column in range(3):
        a, b = ranks[:, 0], ranks[:, column + 1]
        assert distance[column] == pytest.approx(by_pairs(a, b), nan_ok=True)
        held = ~np.isnan(a) & ~np.isnan(b)
        # With fewer than two different values scipy has NaN, and warns.
        untied = all(len(np.unique(side[held])) > 1 for side in (a, b))
        expected = kendalltau(a[held], b[held]).statistic if untied else np.nan
        assert tau[column] == pytest.approx(expected, nan_ok=True)
