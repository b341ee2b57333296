"""Wilcoxon's signed-rank test and Hodges–Lehmann's shift, against enumeration and SciPy."""

from __future__ import annotations

import math
import re
from itertools import product

import numpy as np
import pytest
from scipy import stats

import robustrank as rr
from robustrank import signed_rank
from robustrank.errors import NonNumericError, ParameterError
from robustrank.signed_rank import EXACT_MOST, SignedRank, signed_rank_test

#: Hollander and Wolfe, *Nonparametric Statistical Methods*, Table 3.1.
BEFORE = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
AFTER = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])


def enumerated(values: np.ndarray, zeros: str) -> float:
    """Two-sided p-value over all 2^n signs of the ranks."""
    values = values[values != 0] if zeros == "wilcoxon" else values
    ranks = stats.rankdata(np.abs(values))[values != 0]
    up = ranks[values[values != 0] > 0].sum()
    sums = np.array([np.dot(signs, ranks) for signs in product((0, 1), repeat=len(ranks))])
    return min(1.0, 2 * min((sums <= up).mean(), (sums >= up).mean()))


def walsh(values: np.ndarray) -> np.ndarray:
    n = len(values)
    return np.sort([(values[i] + values[j]) / 2 for i in range(n) for j in range(i, n)])


def test_hollander_and_wolfe():
    found = rr.signed_rank_test(BEFORE - AFTER)
    assert found.statistic == 40
    assert found.p_value == pytest.approx(0.0391, abs=5e-5)
    assert found.estimate == pytest.approx(0.46)
    assert (found.low, found.high) == pytest.approx((0.010, 0.786))
    assert found.exact
    assert found.notes == ()


def test_two_classifiers_with_ties_and_zeros():
    """J. Demšar, JMLR 7 (2006), Table 2: zeros are ranked, and their ranks split evenly."""
    plain = [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957]
    pruned = [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978]
    values = (np.array(pruned) - np.array(plain)) / 1000
    found = signed_rank_test(values, zeros="pratt")
    of_zeros = 1.5 + 1.5
    assert found.statistic + of_zeros / 2 == 93
    assert 14 * 15 / 2 - found.statistic - of_zeros / 2 == 12
    assert found.p_value == pytest.approx(enumerated(np.round(values, 3), "pratt"))
    assert found.p_value < 0.05
    # Without the zeros, the ranks of the twelve others fall by two each, of ten on top by 20.
    assert signed_rank_test(values).statistic == found.statistic - 20


@pytest.mark.parametrize("zeros", ["wilcoxon", "pratt"])
@pytest.mark.parametrize("seed", range(12))
def test_p_value_is_that_of_all_signs_with_ties_and_zeros(seed, zeros):
    values = np.random.default_rng(seed).integers(-3, 5, 4 + seed % 7).astype(float)
    found = signed_rank_test(values, zeros=zeros)
    assert found.p_value == pytest.approx(enumerated(values, zeros), abs=1e-12)
    assert found.n_zero == (values == 0).sum()
    np.testing.assert_allclose(found.estimate, np.median(walsh(values)), atol=1e-12)


@pytest.mark.parametrize("n", [6, 13, 19, 50])
def test_p_value_is_scipys_without_ties(n):
    values = np.random.default_rng(n).normal(0.3, 1.0, n)
    expected = stats.wilcoxon(values, method="exact")
    found = signed_rank_test(values)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert min(found.statistic, n * (n + 1) / 2 - found.statistic) == expected.statistic


@pytest.mark.parametrize("zeros", ["wilcoxon", "pratt"])
@pytest.mark.parametrize("drawn", ["normal", "tied"])
def test_beyond_the_exact_it_is_the_normal_distribution_of_scipy(drawn, zeros):
    rng = np.random.default_rng(0)
    values = rng.normal(0.1, 1.0, 700) if drawn == "normal" else rng.integers(-9, 11, 700) / 1.0
    theirs = zeros.removesuffix("on")  # "wilcox" in SciPy
    expected = stats.wilcoxon(values, method="approx", zero_method=theirs).pvalue
    found = signed_rank_test(values, zeros=zeros)
    assert not found.exact
    assert found.p_value == pytest.approx(expected, rel=1e-6)


def test_exact_and_normal_agree_where_one_ends(monkeypatch):
    values = np.random.default_rng(1).normal(0.12, 1.0, EXACT_MOST)
    exact = signed_rank_test(values)
    monkeypatch.setattr(signed_rank, "EXACT_MOST", EXACT_MOST - 1)
    normal = signed_rank_test(values)
    assert exact.exact
    assert not normal.exact
    assert normal.p_value == pytest.approx(exact.p_value, rel=0.02)
    assert (normal.low, normal.high) == pytest.approx((exact.low, exact.high), abs=1e-3)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_the_interval_is_what_the_test_does_not_reject(level):
    values = np.random.default_rng(3).normal(0.0, 1.0, 12)
    found = signed_rank_test(values, confidence_level=level)
    alpha = 1 - level
    for end, out in ((found.low, -1), (found.high, 1)):
        assert signed_rank_test(values - end - out * 1e-6).p_value <= alpha
        assert signed_rank_test(values - end + out * 1e-6).p_value > alpha


def test_shift_and_interval_at_many_differences_are_those_of_all_averages(monkeypatch):
    rng = np.random.default_rng(2)
    for values in (rng.normal(size=60), rng.integers(-2, 3, 61) / 1.0, np.zeros(9), np.arange(8.0)):
        whole = signed_rank_test(values)
        monkeypatch.setattr(signed_rank, "_MOST_PAIRS", 0)
        found = signed_rank_test(values)
        monkeypatch.undo()
        assert (found.estimate, found.low, found.high) == pytest.approx(
            (whole.estimate, whole.low, whole.high), abs=1e-9
        )


@pytest.mark.parametrize("step", [None, 0.5, 2.0])
def test_intervals_cover_with_at_least_their_level(step):
    """Rounding to a step makes ties and zeros; the closed interval covers nonetheless."""
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        values = rng.normal(0.0, 1.0, 11)
        values = values if step is None else np.round(values / step) * step
        found = signed_rank_test(values)
        held += found.low <= 0.0 <= found.high
    assert held / 400 > 0.94


def test_shift_moves_and_scales_with_the_differences_and_turns_with_their_sign():
    values = np.random.default_rng(5).normal(0.2, 1.0, 15)
    found = signed_rank_test(values)
    moved, large, turned = map(signed_rank_test, (values + 3, 100 * values, -values))
    assert moved.estimate == pytest.approx(found.estimate + 3)
    assert (large.estimate, large.p_value) == pytest.approx((100 * found.estimate, found.p_value))
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))
    assert turned.p_value == pytest.approx(found.p_value)


def test_order_and_rounding_noise_change_nothing():
    values = np.array([0.3, 0.1, -0.1, 0.2, 0.0, 0.4, 0.6, 0.1])
    noisy = values[::-1] + 1e-14
    assert signed_rank_test(noisy) == signed_rank_test(values)


@pytest.mark.parametrize(
    ("values", "code", "words"),
    [
        ([], "no-differences", "There is no difference to test."),
        ([np.nan], "no-differences", "There is no difference to test."),
        ([0.1], "too-few-differences", "1 difference cannot give an interval at 0.95: .* 6"),
        ([0.1, 0.2, 0.3, 0.4, 0.5], "too-few-differences", "5 differences cannot"),
    ],
)
def test_too_few_differences_have_no_interval_and_say_so(values, code, words):
    found = signed_rank_test(values)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    note = {note.code: note.message for note in found.notes}[code]
    assert re.search(words, note)


def test_six_differences_suffice_for_95_per_cent_and_missing_ones_are_counted():
    found = signed_rank_test([1.0, 2.0, np.nan, 3.0, 4.0, 5.0, 6.0])
    assert (found.low, found.high, found.n) == (1.0, 6.0, 6)
    assert found.p_value == 2 / 2**6
    assert [note.message for note in found.notes] == ["Left out: 1 missing difference."]


def test_no_difference_anywhere_is_no_evidence():
    found = signed_rank_test(np.zeros(8))
    assert (found.estimate, found.low, found.high) == (0.0, 0.0, 0.0)
    assert (found.p_value, found.n, found.n_zero) == (1.0, 8, 8)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"differences": ["a"]}, NonNumericError, "differences must be numbers"),
        ({"differences": [[1.0]]}, ParameterError, "one row of finite numbers"),
        ({"differences": [np.inf]}, ParameterError, "finite numbers, or NaN"),
        (
            {"differences": [1], "zeros": "drop"},
            ParameterError,
            "or 'pratt'; got 'drop'",
        ),
        ({"differences": [1], "confidence_level": 95}, ParameterError, "such as 0.95; got 95"),
    ],
)
def test_bad_input_is_named(given, error, words):
    with pytest.raises(error, match=words):
        signed_rank_test(**given)


def test_repr_is_one_line():
    assert isinstance(signed_rank_test(BEFORE - AFTER), SignedRank)
    assert repr(signed_rank_test(BEFORE - AFTER)) == (
        "SignedRank: shift 0.46 [0.01, 0.786], p = 0.0391, T+ = 40, 9 differences"
    )


@pytest.mark.parametrize("factor", [1e-300, 1e-9, 1e8, 1e300, 1.7e307])
def test_no_unit_is_too_small_or_too_large(factor):
    values = np.array([0.31, -0.12, 0.45, 0.12, 0.27, 0.05, 0.81, 0.0])
    found, scaled = signed_rank_test(values), signed_rank_test(factor * values)
    assert (scaled.p_value, scaled.statistic, scaled.n_zero) == (
        found.p_value,
        found.statistic,
        found.n_zero,
    )
    expected = factor * np.array([found.estimate, found.low, found.high])
    np.testing.assert_allclose([scaled.estimate, scaled.low, scaled.high], expected, rtol=1e-9)


def test_the_interval_of_many_zeros_is_normal_though_the_p_value_is_exact():
    found = signed_rank_test(np.r_[np.zeros(EXACT_MOST), np.linspace(-1.0, 2.0, 50)])
    assert found.exact
    assert found.n - found.n_zero == 50
    assert found.n > EXACT_MOST
    assert (found.low, found.high) == (0.0, 0.0)
