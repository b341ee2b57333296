from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from robustrank._numeric import (
    average_ranks,
    content_order,
    correlation_matrix,
    kendall_tau,
    varies,
)
from tests.conftest import frame

tied = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 9), st.integers(1, 4)), elements=st.integers(0, 4)
)


@given(tied)
def test_average_ranks_equal_scipy(values):
    expected = scipy.stats.rankdata(-values, axis=0)
    np.testing.assert_array_equal(average_ranks(values), expected)
    np.testing.assert_array_equal(
        average_ranks(values, higher_is_better=False), scipy.stats.rankdata(values, axis=0)
    )


def test_average_ranks_of_a_vector_with_holes():
    ranks = average_ranks([3.0, np.nan, 1.0, 3.0])
    np.testing.assert_array_equal(ranks, [1.5, np.nan, 3.0, 1.5])


def test_untied_order_is_not_an_argsort():
    np.testing.assert_array_equal(
        average_ranks([3, 1, 1.5, 2], higher_is_better=False), [4, 1, 2, 3]
    )


def test_rounding_noise_does_not_break_ties():
    assert 0.1 + 0.2 != 0.3
    np.testing.assert_array_equal(average_ranks([0.1 + 0.2, 0.3, 0.1]), [1.5, 1.5, 3])
    np.testing.assert_array_equal(average_ranks([0.3 + 1e-9, 0.3, 0.1]), [1, 2, 3])


def test_varies_ignores_holes_and_noise():
    table = np.array([[1, 0.5, np.nan, 0.3, 1], [1, 0.7, np.nan, 0.1 + 0.2, np.nan]])
    assert varies(table).tolist() == [False, True, False, False, False]


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_correlation_equals_scipy(method):
    values = np.random.default_rng(3).integers(0, 6, (12, 5)).astype(float)
    oracle = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr}[method]
    result = correlation_matrix(values, method)
    for a in range(5):
        for b in range(5):
            assert result[a, b] == pytest.approx(oracle(values[:, a], values[:, b])[0], abs=1e-12)


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_correlation_with_holes_uses_the_shared_rows(method):
    values = np.random.default_rng(4).normal(size=(12, 4))
    values[[0, 3], 0] = np.nan
    values[[3, 5, 6], 2] = np.nan
    oracle = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr}[method]
    result = correlation_matrix(values, method)
    both = ~np.isnan(values[:, 0]) & ~np.isnan(values[:, 2])
    assert result[0, 2] == pytest.approx(oracle(values[both, 0], values[both, 2])[0], abs=1e-12)
    assert np.isnan(correlation_matrix(values, method, min_rows=10)[0, 2])


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_columns_that_are_constant_where_they_overlap_are_undefined(method):
    values = np.array([[0.1, 0.3], [0.2, 0.3], [0.4, 0.3], [0.9, np.nan], [np.nan, 0.7]])
    result = correlation_matrix(values, method)
    assert np.isnan(result[0, 1])
    assert result[1, 1] == 1.0


def test_correlation_of_a_constant_column_is_undefined():
    values = np.array([[1.0, 0.5], [2.0, 0.5], [3.0, 0.5]])
    result = correlation_matrix(values)
    assert result[0, 0] == 1.0
    assert np.isnan([result[0, 1], result[1, 0], result[1, 1]]).all()


@given(tied, st.randoms())
def test_content_order_does_not_depend_on_arrangement(values, random):
    table = frame(values)
    rows, columns = list(table.index), list(table.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    shuffled = table.loc[rows, columns]
    for axis, (before, after) in enumerate(
        zip(content_order(table), content_order(shuffled), strict=True)
    ):
        assert list(table.axes[axis][before]) == list(shuffled.axes[axis][after])


def test_content_order_tells_columns_apart_that_hold_the_same_values():
    rng = np.random.default_rng(0)
    table = frame(np.column_stack([rng.permutation(20) for _ in range(5)]) / 20)
    renamed = table.rename(columns=dict(zip(table, "vwxyz"[::-1], strict=True)))
    np.testing.assert_array_equal(content_order(table)[1], content_order(renamed)[1])


with_holes = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 9), st.integers(1, 4)),
    elements=st.one_of(st.integers(0, 4).map(float), st.just(np.nan)),
)


@given(with_holes)
def test_kendall_tau_equals_scipy(values):
    tau = kendall_tau(values)
    for a, first in enumerate(values.T):
        for b, second in enumerate(values.T):
            both = ~np.isnan(first) & ~np.isnan(second)
            wanted = np.nan
            if both.any() and varies(values[both][:, [a, b]]).all():
                wanted = scipy.stats.kendalltau(first[both], second[both]).statistic
            np.testing.assert_allclose(tau[a, b], wanted, atol=1e-12)


def test_kendall_tau_by_hand():
    values = np.array([[1, 4, 1, 7], [2, 3, 1, 7], [3, 2, 2, 7], [4, 1, 3, 7.0]])
    tau = kendall_tau(values)
    assert tau[0, 0] == 1.0
    assert tau[0, 1] == -1.0
    assert tau[0, 2] == pytest.approx(5 / np.sqrt(6 * 5))  # of six pairs one is tied
    assert np.isnan(tau[3]).all()  # a column without order agrees with nothing, itself included


def test_kendall_tau_takes_rounding_noise_for_a_tie():
    assert kendall_tau(np.array([[0.1 + 0.2, 1.0], [0.3, 2.0], [0.5, 3.0]]))[0, 1] < 1.0


def test_no_rows():
    assert average_ranks(np.empty(0)).shape == (0,)
    assert average_ranks(np.empty((0, 3))).shape == (0, 3)
    assert np.isnan(correlation_matrix(np.empty((0, 2)), "spearman")).all()
    assert np.isnan(kendall_tau(np.empty((0, 2)))).all()
