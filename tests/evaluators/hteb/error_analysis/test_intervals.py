"""Intervals of totals: where little is wrong or all texts are alike, and how often they hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from robustrank.evaluators.hteb.error_analysis.counting import Counts
from robustrank.evaluators.hteb.error_analysis.intervals import total_intervals
from robustrank.evaluators.hteb.error_analysis.resampling import resample_totals


def bounds(errors: np.ndarray, outputs: np.ndarray | None = None, level: float = 0.95):
    """Intervals for errors of shape (texts, generators, transformations)."""
    outputs = np.ones_like(errors) if outputs is None else outputs
    names = [[str(n) for n in range(size)] for size in errors.shape[1:]]
    return total_intervals(Counts(outputs, errors, *names), level)


def one_by_one(order: np.ndarray, n_texts: int, n_transformations: int) -> np.ndarray:
    """Errors with 0, 1, 2, … of the outputs wrong, a generator for each number."""
    wrong = np.zeros((len(order) + 1, n_texts * n_transformations), dtype=np.int64)
    for number, place in enumerate(order, 1):
        wrong[number:, place] = 1
    return wrong.reshape(-1, n_texts, n_transformations).swapaxes(0, 1)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_one_output_per_text_gives_the_interval_of_agresti_and_coull(level):
    n, z = 30, norm.ppf(0.5 + level / 2)
    low, high = bounds(one_by_one(np.arange(n), n, 1), level=level)
    share = (np.arange(n + 1) + z**2 / 2) / (n + z**2)
    reach = z * np.sqrt(share * (1 - share) / (n + z**2))
    np.testing.assert_allclose(low, np.clip(share - reach, 0, 1), atol=1e-9)
    np.testing.assert_allclose(high, np.clip(share + reach, 0, 1), atol=1e-9)


@pytest.mark.parametrize("order", ["spread", "text by text", "at random"])
def test_more_errors_never_lower_the_upper_bound_nor_right_outputs_raise_the_lower(order):
    n_texts, n_transformations = 42, 8
    places = np.arange(n_texts * n_transformations)
    if order == "spread":
        places = places.reshape(n_texts, n_transformations).T.ravel()
    elif order == "at random":
        places = np.random.default_rng(3).permutation(places)
    low, high = bounds(one_by_one(places, n_texts, n_transformations))
    shares = np.arange(len(places) + 1) / len(places)
    assert (np.diff(high[shares <= 0.5]) > 0).all()
    assert (np.diff(low[shares >= 0.5]) > 0).all()
    assert ((low <= shares) & (shares <= high)).all()


def test_errors_and_right_outputs_may_change_places():
    rng = np.random.default_rng(1)
    outputs = rng.integers(1, 4, (20, 5, 3))
    errors = rng.binomial(outputs, 0.2)
    (low, high), (low_right, high_right) = (
        bounds(errors, outputs),
        bounds(outputs - errors, outputs),
    )
    np.testing.assert_allclose(low, 1 - high_right)
    np.testing.assert_allclose(high, 1 - low_right)


def test_texts_that_are_all_alike_do_not_prove_that_all_are():
    errors = np.zeros((97, 2, 8), dtype=np.int64)
    errors[:, 1, 0] = 1  # always under one transformation, and never under another
    low, high = bounds(errors)
    assert low[0] == 0.0
    assert 0.03 < high[0] < 0.06
    assert 0.09 < low[1] < 0.12
    assert 0.14 < high[1] < 0.18


def test_outputs_of_one_text_are_no_other_texts():
    rng = np.random.default_rng(2)
    errors = rng.binomial(1, 0.3, (25, 1, 2))
    once, twice = bounds(errors), bounds(2 * errors, np.full_like(errors, 2))
    np.testing.assert_allclose(once, twice)


def test_texts_without_outputs_of_a_generator_do_not_count_for_it():
    errors = np.random.default_rng(2).binomial(1, 0.3, (25, 1, 2))
    more = np.concatenate([errors, np.zeros_like(errors)])
    outputs = np.concatenate([np.ones_like(errors), np.zeros_like(errors)])
    np.testing.assert_allclose(bounds(errors), bounds(more, outputs))


def test_of_many_texts_it_is_the_interval_of_the_bootstrap():
    rng = np.random.default_rng(4)
    hardness = rng.beta(0.5, 2.0, 4000)[:, None, None]
    outputs = rng.integers(0, 3, (4000, 1, 3))
    errors = rng.binomial(outputs, hardness)
    counts = Counts(outputs, errors, ["A"], list("abc"))
    drawn = np.quantile(resample_totals(counts, 2000, rng), [0.025, 0.975])
    np.testing.assert_allclose(np.ravel(total_intervals(counts, 0.95)), drawn, atol=0.001)


@pytest.mark.parametrize("truth", [0.005, 0.02, 0.2])
@pytest.mark.parametrize("n_texts", [40, 150])
def test_intervals_hold_the_truth_as_often_as_they_say(truth, n_texts):
    rng = np.random.default_rng(5)
    repeats, n_transformations = 2000, 4
    # How hard a text is for every transformation: correlated by a third.
    hardness = rng.beta(2 * truth, 2 * (1 - truth), (n_texts, repeats, 1))
    errors = (rng.random((n_texts, repeats, n_transformations)) < hardness).astype(np.int64)
    low, high = bounds(errors)
    held = np.mean((low <= truth) & (truth <= high))
    assert held >= 0.94
    assert truth < 0.1 or held < 0.98
    # Outputs taken to be independent.
    share = errors.mean(axis=(0, 2))
    reach = 1.96 * np.sqrt(share * (1 - share) / (n_texts * n_transformations))
    assert np.mean(abs(share - truth) <= reach) < 0.89


def test_one_text_has_no_interval():
    assert np.isnan(bounds(np.ones((1, 1, 3), dtype=np.int64))).all()
