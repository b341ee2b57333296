"""The fast kernels against slow loops, and properties that hold for every scheme."""

from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from robustrank.mcdm import SCHEMES, rank_schemes
from robustrank.mcdm.flows import (
    _terms_needed,
    _transform_by_pairs,
    _transform_by_series,
    gaussian_flows,
    usual_flows,
)
from robustrank.mcdm.methods import normalize, vikor, weighted_sum
from tests.conftest import frame
from tests.mcdm import oracle


@st.composite
def boards(draw, low=0.01, min_models=2, max_models=9, max_datasets=5):
    """Two decimals, so that ties, equal rows and collinear columns occur; no constant column."""
    shape = (draw(st.integers(min_models, max_models)), draw(st.integers(1, max_datasets)))
    cells = st.integers(round(100 * low), 100).map(lambda k: k / 100)
    x = draw(hnp.arrays(float, shape, elements=cells))
    assume((np.ptp(x, axis=0) > 0).all())
    return x


def undefined(x):
    """Whether CRITIC is 0 / 0: no two columns disagree."""
    return x.shape[1] == 1 or np.min(np.corrcoef(x.T)) > 1 - 1e-10


def oracle_weights(x, weighting):
    if weighting == "critic" and undefined(x):
        return oracle.equal(x)
    if weighting == "merec":
        x = np.where((x <= 0).any(axis=0), (x + 1) / 2, x)
    return oracle.WEIGHTINGS[weighting](x)


def oracle_preference(x, scheme, w):
    if scheme.method == "wsm":
        x = np.column_stack([oracle.minmax(c[:, None])[:, 0] if min(c) <= 0 else c for c in x.T])
    return oracle.METHODS[scheme.method](x, w)


@given(boards())
def test_every_scheme_on_positive_scores(x):
    result = rank_schemes(x)
    for name, scheme in SCHEMES.items():
        w = oracle_weights(x, scheme.weighting)
        np.testing.assert_allclose(result.weights["all", scheme.weighting], w, atol=1e-12)
        preference = oracle_preference(x, scheme, w)
        np.testing.assert_allclose(result.preferences["all", name], preference, atol=1e-12)
        # Away from the edge of rounding, where a difference of one bit may split a tie.
        if (np.abs(preference * 1e10 % 1 - 0.5) > 1e-3).all():
            np.testing.assert_array_equal(result.ranks["all", name], oracle.ranks(preference))


@given(boards(low=-0.99))
def test_every_scheme_with_scores_of_zero_and_below(x):
    for engine in ("numpy", "pymcdm"):
        result = rank_schemes(x, engine=engine)
        for name, scheme in SCHEMES.items():
            w = oracle_weights(x, scheme.weighting)
            np.testing.assert_allclose(result.weights["all", scheme.weighting], w, atol=1e-12)
            np.testing.assert_allclose(
                result.preferences["all", name], oracle_preference(x, scheme, w), atol=1e-11
            )


@given(boards(low=-0.99), st.randoms(use_true_random=False))
def test_order_names_and_scale_change_nothing(x, random):
    rows = random.sample(range(x.shape[0]), x.shape[0])
    columns = random.sample(range(x.shape[1]), x.shape[1])
    base = rank_schemes(frame(x))
    moved = rank_schemes(frame(x).iloc[rows, columns])
    np.testing.assert_allclose(
        moved.preferences.loc[base.preferences.index], base.preferences, atol=1e-12
    )
    np.testing.assert_allclose(moved.weights.loc[base.weights.index], base.weights, atol=1e-12)
    np.testing.assert_array_equal(moved.ranks.loc[base.ranks.index], base.ranks)
    renamed = rank_schemes(frame(x, prefix="z"))
    np.testing.assert_array_equal(renamed.ranks, base.ranks)
    if x.max() > 0.011:  # else 100 x is on 0..1 as well
        np.testing.assert_array_equal(rank_schemes(frame(100 * x)).ranks, base.ranks)


@given(boards(low=-0.99, max_models=7), st.data())
def test_equal_rows_tie_exactly(x, data):
    twin = data.draw(st.integers(0, x.shape[0] - 1))
    result = rank_schemes(np.vstack([x, x[twin]]))
    np.testing.assert_array_equal(
        result.preferences.iloc[twin].to_numpy(), result.preferences.iloc[-1].to_numpy()
    )
    np.testing.assert_array_equal(
        result.ranks.iloc[twin].to_numpy(), result.ranks.iloc[-1].to_numpy()
    )


@given(boards(low=-0.99), st.sampled_from([-0.5, 0.0, 0.37, 1.0]), st.integers(0, 5))
def test_constant_column_changes_no_ranking(x, level, place):
    base = rank_schemes(x)
    wider = rank_schemes(np.insert(x, min(place, x.shape[1]), level, axis=1))
    np.testing.assert_array_equal(wider.preferences, base.preferences)
    np.testing.assert_array_equal(wider.ranks, base.ranks)
    assert "constant-datasets" in {note.code for note in wider.notes}
    assert "constant-datasets" not in {note.code for note in base.notes}


@given(boards(low=-0.99))
def test_one_dataset_gives_the_plain_ranking(x):
    plain = oracle.ranks(x[:, 0])
    found = rank_schemes(x[:, :1]).ranks
    for name in found:
        np.testing.assert_array_equal(found[name], plain)


@given(boards(low=-0.99))
def test_better_everywhere_is_never_ranked_lower(x):
    result = rank_schemes(x)
    for i in range(len(x)):
        for k in range(len(x)):
            if (x[i] >= x[k]).all():
                assert (result.ranks.iloc[i] <= result.ranks.iloc[k]).all()


def sorted_columns(m, n, seed=0):
    z = np.sort(np.random.default_rng(seed).normal(size=(m, n)), axis=0)
    z -= (z[0] + z[-1]) / 2
    return z / z.std(axis=0)


@pytest.mark.parametrize("half_range", [0.5, 1.7, 3.0, 5.0])
def test_series_equals_pairs(half_range):
    z = sorted_columns(150, 6)
    z *= half_range / z[-1]
    np.testing.assert_allclose(
        _transform_by_series(z, _terms_needed(half_range)), _transform_by_pairs(z), atol=1e-12
    )


def test_series_cut_short_is_wrong():
    z = sorted_columns(150, 2)
    short = _transform_by_series(z, _terms_needed(float(z[-1].max())) // 2)
    assert np.abs(short - _transform_by_pairs(z)).max() > 1e-9


@pytest.mark.parametrize("m", [90, 300])
def test_gaussian_flows_of_large_boards(m):
    rng = np.random.default_rng(1)
    x = np.column_stack(
        [
            rng.normal(0.6, 0.1, m),
            np.round(rng.uniform(size=m), 1),  # many ties
            np.r_[1.0, np.full(m - 1, 0.2)],  # one outlier: far more terms than pairs
            np.r_[np.full(m // 2, 0.1), np.full(m - m // 2, 0.9)],
        ]
    )
    flows = gaussian_flows(x)
    for j, column in enumerate(x.T):
        d = column[:, None] - column
        p = np.where(d > 0, 1 - np.exp(-(d**2) / (2 * column.var())), 0)
        np.testing.assert_allclose(flows[:, j], (p - p.T).sum(axis=1) / (m - 1), atol=1e-13)
        for value in np.unique(column):
            assert np.unique(flows[column == value, j]).size == 1
    np.testing.assert_allclose(flows.sum(axis=0), 0, atol=1e-10)


@pytest.mark.parametrize("m", [800, 2900, 3400])
def test_gaussian_flows_of_an_absurd_outlier(m):
    x = np.r_[np.linspace(0, 1e-6, m), 1.0]
    d = x[:, None] - x
    expected = (np.sign(d) * -np.expm1(-(d**2) / (2 * x.var()))).sum(axis=1) / m
    np.testing.assert_allclose(gaussian_flows(x[:, None])[:, 0], expected, atol=1e-12)


def test_flows_use_little_memory():
    import tracemalloc

    x = np.random.default_rng(0).uniform(size=(600, 60))
    for flows in (usual_flows, gaussian_flows):
        tracemalloc.start()
        flows(x)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20 * x.nbytes  # the table of differences would be 600 times as large


def test_several_weightings_at_once_equal_one_by_one():
    rng = np.random.default_rng(0)
    x, w = rng.uniform(size=(7, 4)), rng.dirichlet(np.ones(4), size=3).T
    for k in range(3):
        np.testing.assert_array_equal(vikor(x, w)[:, k], vikor(x, w[:, k]))
        np.testing.assert_allclose(weighted_sum(x, w)[:, k], x @ w[:, k], atol=1e-15)


def test_equal_rows_have_equal_sums_to_the_last_bit():
    rng = np.random.default_rng(0)
    for m, n in ((5, 3), (7, 9), (13, 33), (50, 131)):
        row, w = rng.uniform(size=n), rng.dirichlet(np.ones(n), size=4).T
        sums = weighted_sum(np.tile(row, (m, 1)), w)
        assert (sums == sums[0]).all()
        for k in range(4):  # and they do not depend on what else was asked for
            np.testing.assert_array_equal(
                sums[:, k], weighted_sum(np.tile(row, (m, 1)), w[:, k].copy())
            )


def test_normalizations():
    x = np.array([[1.0, 2.0], [3.0, 6.0]])
    assert normalize(x, "sum").tolist() == [[0.25, 0.25], [0.75, 0.75]]
    assert normalize(x, "max")[1].tolist() == [1, 1]
    assert normalize(x, "minmax").tolist() == [[0, 0], [1, 1]]
    np.testing.assert_allclose((normalize(x, "vector") ** 2).sum(axis=0), 1)
    assert normalize(x, "none") is x
