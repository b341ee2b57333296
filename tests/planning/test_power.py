from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from robustrank.planning.power import (
    MOST,
    effect_interval,
    fewest,
    p_values,
    sample_size,
    t_test_power,
)


def test_power_as_in_cohen():
    """Cohen (1988), exercise 2.5, as R's pwr computes it: pwr.t.test(d=.2, n=60, sig.level=.1)."""
    assert t_test_power(0.2, 60, 0.1) == pytest.approx(0.4555818, abs=1e-7)


@pytest.mark.parametrize(("effect", "expected"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_sizes_for_cohens_small_medium_and_large_effects(effect, expected):
    """G*Power and R's pwr give these for a paired test at 0.05 with power 0.8."""
    assert sample_size(effect, 0.05, 0.8) == sample_size(-effect, 0.05, 0.8) == expected


def test_interval_as_mbess_gives_it():
    """R's MBESS: conf.limits.nct(ncp=2.83, df=126) is 0.8337502 to 4.815359."""
    low, high = effect_interval(2.83 / np.sqrt(127), 127, 0.95)
    assert low * np.sqrt(127) == pytest.approx(0.8337502, abs=1e-5)
    assert high * np.sqrt(127) == pytest.approx(4.815359, abs=1e-5)


@pytest.mark.parametrize("n", [2, 3, 8, 40, 500])
@pytest.mark.parametrize("effect", [0.0, 0.1, 0.5, 2.0])
def test_power_is_that_of_the_noncentral_distribution(effect, n):
    critical = stats.t.ppf(0.99, n - 1)
    shifted = stats.nct(n - 1, effect * np.sqrt(n)) if effect else stats.t(n - 1)
    # scipy gives NaN for a far tail that underflows.
    expected = shifted.sf(critical) + np.nan_to_num(shifted.cdf(-critical))
    assert t_test_power(effect, n, 0.02) == pytest.approx(expected, abs=1e-9)


def test_power_has_no_gaps_where_tails_underflow():
    power = t_test_power(0.3, np.geomspace(2, 1e6, 40), 0.05)
    assert not np.isnan(power).any()
    assert (np.diff(power) >= -1e-12).all()
    assert power[-1] == 1.0


@pytest.mark.parametrize("effect", [0.02, 0.07, 0.3, 0.9])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.001, 0.8), (0.05, 0.95), (0.3, 0.4)])
def test_a_size_is_the_first_with_enough_power(effect, alpha, power):
    n = sample_size(effect, alpha, power)
    assert t_test_power(effect, n, alpha) >= power
    assert n == fewest(alpha) or t_test_power(effect, n - 1, alpha) < power


def test_there_is_no_size_without_an_effect():
    assert sample_size(0.0, 0.05, 0.8) is None
    assert sample_size(np.nan, 0.05, 0.8) is None
    assert sample_size(2.8 / np.sqrt(2 * MOST), 0.05, 0.8) is None
    assert sample_size(np.inf, 0.05, 0.8) == fewest(0.05) == 6


def test_the_interval_holds_zero_exactly_if_the_test_does_not_reject():
    for t in (1.9, 2.0, 2.04, 2.05, 2.1, 2.5):
        low, high = effect_interval(t / np.sqrt(30), 30, 0.95)
        assert (low > 0.0) == (p_values(t, 30) < 0.05)
        assert low < t / np.sqrt(30) < high


def test_p_values_are_those_of_scipy():
    rows = np.random.default_rng(0).normal(0.3, 1.0, (5, 12))
    t = rows.mean(axis=1) / rows.std(axis=1, ddof=1) * np.sqrt(12)
    np.testing.assert_allclose(p_values(t, 12), stats.ttest_1samp(rows, 0.0, axis=1).pvalue)
