from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

from robustrank.winners.projection import draw_errors, largest_difference_t, largest_t
from robustrank.winners.selection import sample_means


@pytest.fixture
def sample():
    return sample_means(np.random.default_rng(0).random((7, 9)), np.arange(9))


def test_the_largest_differences_are_those_of_all_pairs_one_by_one(sample):
    errors = draw_errors(sample.residuals, 50, np.random.default_rng(1))
    slow = np.zeros(50)
    for a in range(7):
        for b in range(a):
            gap = sample.residuals[a] - sample.residuals[b]
            slow = np.maximum(slow, np.abs(errors[a] - errors[b]) / np.sqrt(gap @ gap))
    assert largest_difference_t(errors, sample.residuals) == pytest.approx(slow, rel=1e-5)


def test_one_model_has_students_distribution(sample):
    errors = draw_errors(sample.residuals[:1], 40_000, np.random.default_rng(2))
    drawn = np.quantile(largest_t(errors, sample.residuals[:1]), [0.5, 0.95])
    assert drawn == pytest.approx(t.ppf([0.75, 0.975], df=8), rel=0.02)


def test_copies_and_constant_models_change_nothing(sample):
    errors = draw_errors(sample.residuals, 20, np.random.default_rng(3))
    more = np.vstack([sample.residuals, sample.residuals[:2], np.zeros((1, 9))])
    wider = np.vstack([errors, errors[:2], np.zeros((1, 20))])
    assert (largest_t(wider, more) == largest_t(errors, sample.residuals)).all()
    copied = largest_difference_t(wider[:-1], more[:-1])
    assert copied == pytest.approx(largest_difference_t(errors, sample.residuals), rel=1e-5)
