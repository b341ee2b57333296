from __future__ import annotations

from itertools import product

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustrank.errors import EmptyMatrixError, NonNumericError, ParameterError
from robustrank.resampling import sign_flip as module
from robustrank.resampling import sign_flip_floor, sign_flip_test
from robustrank.resampling.sign_flip import sign_flip_max_t


def enumerated(row):
    """Share of all assignments of signs with a sum at least as far from 0."""
    row = np.nan_to_num(row)
    reached = abs(row.sum()) - 1e-9
    sums = [abs(np.dot(signs, row)) for signs in product((1, -1), repeat=len(row))]
    return np.mean([s >= reached for s in sums])


cells = st.one_of(st.integers(-6, 6).map(lambda k: k / 20), st.just(np.nan))


@given(hnp.arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 8)), elements=cells))
def test_exact_test_equals_enumeration(table):
    found = sign_flip_test(table)
    np.testing.assert_allclose(found, [enumerated(row) for row in table], atol=1e-12)
    np.testing.assert_array_equal(sign_flip_test(-table), found)
    np.testing.assert_allclose(sign_flip_test(100 * table), found, atol=1e-12)


def test_fisher_on_darwins_maize():
    """Fisher (1935), The Design of Experiments, §21: 863 sums of 2^15 are at least 314."""
    darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    both_sides = 2 * 863 / 2**15
    assert sum(darwin) == 314
    assert float(sign_flip_test(np.array(darwin) / 1000)) == pytest.approx(both_sides)


@pytest.mark.parametrize("n", [1, 2, 5, 22, 26])
def test_constant_lead_has_the_smallest_p_value(n):
    assert float(sign_flip_test(np.full(n, 0.05))) == pytest.approx(2 / 2**n)
    assert sign_flip_floor(n) == 2 / 2**n


def test_differences_of_nothing_are_certain_to_be_nothing():
    assert sign_flip_test(np.zeros((2, 6))).tolist() == [1.0, 1.0]
    assert float(sign_flip_test([np.nan, np.nan, 0.0])) == 1.0


def test_draws_are_near_the_exact_count(monkeypatch):
    rng = np.random.default_rng(0)
    table = rng.normal(0.1, 0.4, (300, 20))  # more rows than fit a block
    exact = sign_flip_test(table)
    monkeypatch.setattr(module, "EXACT_UP_TO", 5)
    drawn = sign_flip_test(table, n_resamples=20_000, seed=3)
    np.testing.assert_allclose(drawn, exact, atol=4 * np.sqrt(0.25 / 20_000))
    np.testing.assert_array_equal(drawn, sign_flip_test(table, n_resamples=20_000, seed=3))
    assert sign_flip_floor(20, 20_000) == 1 / 20_001


def test_the_floor_of_drawn_signs():
    assert float(sign_flip_test(np.full(40, 0.1), n_resamples=999)) == 1 / 1000
    assert sign_flip_floor(40, 999) == 1 / 1000


@pytest.mark.parametrize("shape", [(0,), (2, 0), (), (2, 2, 2)])
def test_shapes_without_datasets(shape):
    with pytest.raises(EmptyMatrixError, match="one column per dataset"):
        sign_flip_test(np.zeros(shape))


def test_settings_out_of_range():
    with pytest.raises(ParameterError, match="n_resamples must be a whole number of at least 1"):
        sign_flip_test([0.1], n_resamples=0)
    with pytest.raises(ParameterError, match="seed must be"):
        sign_flip_test([0.1], seed=-1)
    with pytest.raises(ParameterError, match="n_datasets must be"):
        sign_flip_floor(0)
    with pytest.raises(NonNumericError, match="infinite"):
        sign_flip_test([0.1, np.inf])


def max_t_by_enumeration(table):
    """Westfall & Young's single-step p-values over all assignments of signs."""
    size = np.sqrt((table**2).sum(axis=1))
    observed = np.abs(table.sum(axis=1)) / size
    largest = [
        max(np.abs(table @ np.array(signs)) / size)
        for signs in product((1, -1), repeat=table.shape[1])
    ]
    return np.array([np.mean(np.array(largest) >= t - 1e-9) for t in observed])


def test_max_t_equals_enumeration():
    models = np.random.default_rng(4).normal(0, 0.1, (4, 9)) + 0.05 * np.arange(4)[:, None]
    a, b = np.triu_indices(4, k=1)
    table = models[a] - models[b]
    found = sign_flip_max_t(table, n_resamples=40_000, seed=0)
    np.testing.assert_allclose(found, max_t_by_enumeration(table), atol=0.011)
    assert (found >= sign_flip_test(table) - 0.011).all()


def test_max_t_of_one_pair_is_the_plain_test():
    row = np.random.default_rng(5).normal(0.1, 0.3, (1, 12))
    found = sign_flip_max_t(row, n_resamples=40_000, seed=0)
    np.testing.assert_allclose(found, sign_flip_test(row), atol=0.011)


def test_max_t_is_over_all_blocks():
    table = np.random.default_rng(6).normal(0.02, 0.1, (600, 12))
    found = sign_flip_max_t(table, n_resamples=300, seed=1)
    np.testing.assert_array_equal(
        sign_flip_max_t(table[::-1], n_resamples=300, seed=1)[::-1], found
    )
    strongest = np.argmax(np.abs(table.sum(axis=1)) / np.sqrt((table**2).sum(axis=1)))
    assert found[strongest] == found.min()
    assert found[strongest] > sign_flip_test(table[strongest])


def test_max_t_of_alike_and_of_constantly_different_models():
    found = sign_flip_max_t(np.array([np.zeros(30), np.full(30, 0.1)]), n_resamples=999, seed=0)
    assert found.tolist() == [1.0, 1 / 1000]
    assert sign_flip_max_t(np.empty((0, 5)), n_resamples=9, seed=0).shape == (0,)
