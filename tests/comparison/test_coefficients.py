from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

from robustrank.comparison.coefficients import NAMES, _draws, _Pair, coefficients

ORACLES = {"spearman": spearmanr, "pearson": pearsonr, "kendall": kendalltau}


def resampled(x, y, counts, oracle) -> float:
    """One resample, with its copies written out; NaN where a side does not vary."""
    models = np.repeat(np.arange(len(x)), counts.astype(int))
    if np.ptp(x[models]) == 0 or np.ptp(y[models]) == 0:
        return float("nan")
    return float(oracle(x[models], y[models]).statistic)


#: Scores on a coarse grid, so that ties within a board are common.
COARSE = st.lists(st.integers(0, 5), min_size=3, max_size=15)


@given(COARSE, st.data())
def test_each_resample_equals_scipy_on_its_models(first, data):
    m = len(first)
    x = np.array(first) / 10.0
    y = np.array(data.draw(st.lists(st.integers(0, 5), min_size=m, max_size=m))) / 10.0
    counts = next(_draws(m, 20, seed=3))
    assert (counts.sum(axis=1) == m).all()
    found = _Pair(x, y).correlate(counts)
    for name in NAMES:
        expected = [resampled(x, y, row, ORACLES[name]) for row in counts]
        np.testing.assert_allclose(found[name], expected, atol=1e-12)


def test_estimates_and_intervals_equal_a_naive_loop():
    rng = np.random.default_rng(1)
    x = rng.uniform(size=25)
    y = (x + rng.normal(0, 0.3, 25)).round(1)  # with ties
    found = coefficients(x, y, n_resamples=400, confidence_level=0.9, seed=7)
    counts = np.concatenate(list(_draws(25, 400, seed=7)))
    for name, oracle in ORACLES.items():
        loop = [resampled(x, y, row, oracle) for row in counts]
        assert found[name].estimate == pytest.approx(oracle(x, y).statistic, abs=1e-12)
        expected = np.quantile(loop, [0.05, 0.95])
        assert (found[name].low, found[name].high) == pytest.approx(tuple(expected), abs=1e-12)


def test_blocks_do_not_change_the_interval(monkeypatch):
    rng = np.random.default_rng(2)
    x, y = rng.uniform(size=(2, 12))
    settings = {"n_resamples": 100, "confidence_level": 0.95, "seed": 0}
    whole = coefficients(x, y, **settings)
    monkeypatch.setattr("robustrank.comparison.coefficients._BLOCK", 12 * 7)
    assert coefficients(x, y, **settings) == whole


def test_resamples_of_one_model_are_counted_and_left_out():
    x = np.array([0.1, 0.2, 0.3])
    found = coefficients(x, x**2, n_resamples=3000, confidence_level=0.95, seed=0)["spearman"]
    assert found.undefined == pytest.approx(3000 / 9, rel=0.15)
    assert (found.estimate, found.low, found.high) == (1.0, 1.0, 1.0)


def test_a_constant_score_has_no_correlation():
    x = np.full(5, 0.3)
    found = coefficients(x, np.arange(5.0), n_resamples=50, confidence_level=0.95, seed=0)
    for name in NAMES:
        assert np.isnan([found[name].estimate, found[name].low, found[name].high]).all()
        assert str(found[name]) == "undefined"


def test_noise_below_ten_decimals_breaks_no_tie():
    x = np.array([0.1, 0.2, 0.2 + 1e-13, 0.4])
    y = np.array([0.4, 0.1, 0.3, 0.2])
    expected = spearmanr(x.round(10), y).statistic
    found = coefficients(x, y, n_resamples=10, confidence_level=0.95, seed=0)
    assert found["spearman"].estimate == pytest.approx(expected, abs=1e-12)


def test_the_interval_covers_the_correlation_of_the_population():
    """Nominal 90% on bivariate normal scores of 60 models; a wrong tail or level would show."""
    rng = np.random.default_rng(5)
    truth, inside = 0.7, 0
    for trial in range(200):
        x, noise = rng.normal(size=(2, 60))
        y = truth * x + np.sqrt(1 - truth**2) * noise
        found = coefficients(x, y, n_resamples=300, confidence_level=0.9, seed=trial)["pearson"]
        inside += found.low <= truth <= found.high
    assert 0.82 <= inside / 200 <= 0.95
