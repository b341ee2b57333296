from __future__ import annotations

import numpy as np
import pytest

from robustrank.winners.selection import Sample, contrast, sample_means
from robustrank.winners.truncated import Truncation


def test_residuals_give_the_covariance_of_the_means_whatever_the_number_of_models():
    values = np.random.default_rng(0).random((30, 8))
    sample = sample_means(values, np.arange(8))
    assert sample.residuals @ sample.residuals.T == pytest.approx(np.cov(values) / 8)
    assert sample.residuals.sum(axis=1) == pytest.approx(np.zeros(30))


def test_copies_of_datasets_in_one_cluster_add_no_information():
    values = np.random.default_rng(1).random((5, 6))
    once = sample_means(values, np.arange(6))
    copied = sample_means(np.repeat(values, 3, axis=1), np.repeat(np.arange(6), 3))
    assert copied.means == pytest.approx(once.means)
    assert copied.residuals == pytest.approx(once.residuals)


def test_of_two_independent_means_the_second_is_the_limit_of_the_first():
    # Andrews, Kitagawa & McCloskey (2024), two policies: X1 given X1 ≥ X2 is cut off at X2.
    sample = Sample(np.array([0.7, 0.6]), np.array([[0.1, -0.1, 0.0, 0.0], [0.0, 0.0, 0.1, -0.1]]))
    found = contrast(sample, np.array([1.0, 0.0]), np.array([0]), np.array([1]))
    assert found.lower == pytest.approx(0.6)
    assert found.upper == np.inf
    assert found.standard_error == pytest.approx(np.sqrt(0.02))


def test_within_the_limits_the_same_models_are_first_and_second_and_beyond_they_are_not():
    rng = np.random.default_rng(2)
    values = rng.normal(0.5, 0.1, 12) + rng.normal(0.0, 0.05, (9, 12))
    sample = sample_means(values, np.arange(12))
    j, k = np.argsort(-sample.means)[:2]
    rest = np.setdiff1d(np.arange(9), [j, k])
    weights = np.zeros(9)
    weights[[j, k]] = 1.0, -1.0
    better, worse = np.r_[j, np.full(7, k)], np.r_[k, rest]
    found = contrast(sample, weights, better, worse)
    own = weights @ sample.residuals
    direction = sample.residuals @ own / (own @ own)  # of the means as the lead grows by 1
    for limit in (found.lower, found.upper):
        if np.isinf(limit):
            continue
        for share, same in ((0.999, True), (1.001, False)):
            moved = sample.means + direction * (limit - found.estimate) * share
            assert (list(np.argsort(-moved)[:2]) == [j, k]) is same


def test_a_copy_and_a_constant_lead_set_no_limit():
    row = np.array([0.5, 0.6, 0.7, 0.9])
    sample = sample_means(np.array([row, row, row - 0.05]), np.arange(4))
    own = np.array([1.0, 0.0, 0.0])
    found = contrast(sample, own, np.array([0, 0]), np.array([1, 2]))
    assert (found.lower, found.upper) == (-np.inf, np.inf)
    lead = contrast(sample, np.array([1.0, 0.0, -1.0]), np.array([0]), np.array([2]))
    assert (lead.estimate, lead.standard_error) == (pytest.approx(0.05), 0.0)


def test_intervals_are_those_of_the_package_multiple_inference():
    # multiple-inference 1.2.0: RankCondition(means, root @ root.T).get_marginal_distribution(0) at
    # 0.025, 0.5 and 0.975, without and with projection_interval=(-0.09, 0.09).
    means = np.array([0.70, 0.68, 0.66, 0.50])
    root = np.array(
        [
            [0.03, 0.01, 0.0, 0.005],
            [0.02, -0.02, 0.01, 0.0],
            [0.025, 0.0, 0.02, 0.01],
            [0.01, 0.01, -0.01, 0.03],
        ]
    )
    found = contrast(Sample(means, root), np.eye(4)[0], np.zeros(3, dtype=int), np.arange(1, 4))
    for half_width, expected in (
        (np.inf, [0.57671147, 0.69049651, 0.76194624]),
        (0.09, [0.61400106, 0.69066885, 0.76151261]),
    ):
        limits = Truncation(found.estimate, found.lower, found.upper, half_width)
        quantiles = limits.mean([0.975, 0.5, 0.025], np.full(3, found.standard_error))
        assert quantiles == pytest.approx(expected, abs=1e-7)
