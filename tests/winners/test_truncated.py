from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import truncnorm

from robustrank.winners.truncated import Truncation


def scipys(estimate, lower, upper, mean, error):
    a, b = (lower - mean) / error, (upper - mean) / error
    return truncnorm.cdf(estimate, a, b, loc=mean, scale=error)


@pytest.mark.parametrize("mean", [-3.0, -0.5, 0.9, 1.0, 1.2, 4.0])
@pytest.mark.parametrize(("lower", "upper"), [(0.5, np.inf), (-np.inf, 1.4), (0.7, 1.6)])
def test_the_probability_is_scipys(mean, lower, upper):
    found = Truncation(1.0, lower, upper).probability(mean, 0.4)
    assert found == pytest.approx(scipys(1.0, lower, upper, mean, 0.4), rel=1e-9)


def test_it_is_right_far_in_the_tail_where_the_normal_distribution_underflows():
    # P(Y ≤ 1 | Y ≥ 0.9) for a mean at −60 standard errors: nearly exponential.
    share = float(Truncation(1.0, 0.9, np.inf).probability(-60.0, 1.0))
    assert share == pytest.approx(1.0 - np.exp(-0.1 * 61.0), abs=1e-3)
    assert float(Truncation(1.0, -np.inf, 1.1).probability(60.0, 1.0)) == pytest.approx(
        np.exp(-0.1 * 59.0), abs=1e-3
    )


@pytest.mark.parametrize("probability", [0.025, 0.5, 0.975])
@pytest.mark.parametrize(("lower", "upper"), [(0.5, np.inf), (-np.inf, 1.4), (0.7, 1.6)])
def test_the_mean_is_the_root(probability, lower, upper):
    found = float(Truncation(1.0, lower, upper).mean([probability], [0.4])[0])
    root = brentq(lambda mean: scipys(1.0, lower, upper, mean, 0.4) - probability, -9.0, 9.0)
    assert found == pytest.approx(root, abs=1e-6)


def test_without_limits_it_is_the_normal_interval():
    found = Truncation(1.0, -np.inf, np.inf).mean([0.5, 0.975, 0.025], [0.4, 0.4, 0.4])
    assert found == pytest.approx([1.0, 1.0 - 0.4 * 1.959964, 1.0 + 0.4 * 1.959964], abs=1e-6)


def test_the_hybrid_stays_within_its_half_width():
    at_the_limit = Truncation(1.0, 1.0 - 1e-6, np.inf, half_width=0.8)
    found = at_the_limit.mean([0.5, 0.975, 0.025], [0.4, 0.4, 0.4])
    assert (np.abs(found - 1.0) <= 0.8 + 1e-9).all()
    assert found[0] < 0.21
    free = Truncation(1.0, -np.inf, np.inf, half_width=0.8).mean([0.5], [0.4])
    assert free == pytest.approx([1.0], abs=1e-9)


def test_an_estimate_on_its_limit_has_no_mean_and_the_probability_falls_with_it():
    assert Truncation(1.0, 1.0, np.inf).mean([0.5], [0.4])[0] == -np.inf
    assert Truncation(1.0, -np.inf, 1.0).mean([0.5], [0.4])[0] == np.inf
    for half_width in (np.inf, 0.6):
        shares = Truncation(1.0, 0.8, 1.5, half_width).probability(np.linspace(0.3, 1.7, 99), 0.4)
        assert (np.diff(shares) <= 1e-12).all()
