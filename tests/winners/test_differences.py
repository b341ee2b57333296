from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from robustrank.winners.differences import Differences, detectable, limits, p_values


def differences(values) -> Differences:
    table = np.atleast_2d(np.asarray(values, dtype=float))
    return Differences(np.nan_to_num(table), (~np.isnan(table)).astype(float))


def rng():
    return np.random.default_rng(0)


GAPS = np.array([0.11, -0.02, 0.05, 0.08, 0.01, 0.07, -0.03, 0.09])


def test_the_sign_flip_p_value_counts_all_signs_on_one_side():
    signs = np.array(list(product((1, -1), repeat=8)))
    share = np.mean(signs @ GAPS >= GAPS.sum() - 1e-12)
    found = differences(GAPS)
    assert p_values(found, "sign-flip", "greater", 10, rng())[0] == pytest.approx(share)
    assert p_values(found, "sign-flip", "two-sided", 10, rng())[0] == pytest.approx(2 * share)
    assert p_values(found, "sign-flip", "less", 10, rng())[0] == pytest.approx(1 - share)
    mirrored = p_values(differences(-GAPS), "sign-flip", "less", 10, rng())
    assert mirrored[0] == pytest.approx(share)


@pytest.mark.parametrize("alternative", ["greater", "two-sided", "less"])
def test_t_and_signed_rank_are_scipys(alternative):
    found = differences([GAPS, -0.3 * GAPS])
    for row, gaps in enumerate((GAPS, -0.3 * GAPS)):
        expected = stats.ttest_1samp(gaps, 0.0, alternative=alternative).pvalue
        assert p_values(found, "t", alternative, 10, rng())[row] == pytest.approx(expected)
    ranked = p_values(found, "signed-rank", "two-sided", 10, rng())[0]
    assert ranked == pytest.approx(stats.wilcoxon(GAPS).pvalue)
    upper = p_values(found, "signed-rank", "greater", 10, rng())[0]
    assert upper == pytest.approx(stats.wilcoxon(GAPS, alternative="greater").pvalue)


def test_the_interval_of_the_sign_flip_test_is_what_it_does_not_reject():
    tail = 0.05
    _, low, high = limits(differences(GAPS), "sign-flip", tail, 10, rng())
    for limit, way, side in ((low[0], 1e-9, "greater"), (high[0], -1e-9, "less")):
        inside, outside = (
            p_values(differences(GAPS - limit - step), "sign-flip", side, 10, rng())[0]
            for step in (way, -way)
        )
        assert outside <= tail < inside


def test_the_interval_of_the_t_test_is_scipys():
    estimate, low, high = limits(differences(GAPS), "t", 0.025, 10, rng())
    expected = stats.ttest_1samp(GAPS, 0.0).confidence_interval(0.95)
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high))
    assert estimate[0] == pytest.approx(GAPS.mean())


def test_drawn_subsets_agree_with_all_of_them():
    gaps = rng().normal(0.01, 0.03, (2, 13))
    exact = limits(differences(gaps), "sign-flip", 0.05, 10, rng())
    one_more = np.hstack([gaps, np.full((2, 1), np.nan)])  # 14 units are drawn from
    drawn = limits(differences(one_more), "sign-flip", 0.05, 20_000, rng())
    for ours, theirs in zip(exact, drawn, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-3)


def test_an_interval_of_too_few_units_has_no_end():
    found = differences([0.1, 0.2, 0.3])
    for test in ("sign-flip", "signed-rank"):
        _, low, high = limits(found, test, 0.05, 10, rng())
        assert (low[0], high[0]) == (-np.inf, np.inf)
        assert np.isinf(detectable(found, test, 0.05, 0.8, 100)[0])
    assert np.isfinite(limits(found, "t", 0.05, 10, rng())[1][0])


def test_the_detectable_difference_has_the_power_of_the_noncentral_t():
    found = differences(GAPS)
    size = detectable(found, "t", 0.05, 0.8, 10)[0]
    shift = size / (GAPS.std(ddof=1) / np.sqrt(8))
    power = stats.nct.sf(stats.t.ppf(0.95, 7), 7, shift)
    assert power == pytest.approx(0.8, abs=1e-6)


def test_units_weigh_by_their_datasets_and_copies_add_nothing():
    once = differences(GAPS)
    copied = Differences(3.0 * once.sums, 3.0 * once.sizes)
    for test in ("sign-flip", "t", "signed-rank"):
        assert p_values(copied, test, "greater", 10, rng()) == pytest.approx(
            p_values(once, test, "greater", 10, rng())
        )
        ends, expected = (np.ravel(limits(each, test, 0.05, 10, rng())) for each in (copied, once))
        assert ends == pytest.approx(expected)
    assert copied.standard_errors == pytest.approx(GAPS.std(ddof=1) / np.sqrt(8))


def test_no_difference_and_a_constant_one():
    nothing, constant = np.zeros(6), np.full(6, 0.05)
    found = differences([nothing, constant, -constant])
    for test in ("sign-flip", "t", "signed-rank"):
        same, ahead, behind = p_values(found, test, "greater", 10, rng())
        assert same == 1.0
        assert ahead == pytest.approx(0.0 if test == "t" else 1 / 64)
        assert behind == pytest.approx(1.0, abs=0.02)
    assert p_values(differences([[0.1]]), "t", "greater", 10, rng())[0] > 0.05
