"""Weights are uniform on what bounds and an order of importance leave."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from robustrank._groups import Groups
from robustrank.acceptability.programs import inner_point
from robustrank.acceptability.restriction import read_restriction
from robustrank.acceptability.sampling import draw_weights
from robustrank.errors import ParameterError, UnknownLabelError

NAMES = ("a", "b", "c", "d", "e")


def restrict(q=4, *, lower=None, upper=None, order=None):
    groups = Groups("group", NAMES[:q], np.arange(q))
    return read_restriction(groups, lower, upper, order)


def draw(restriction, n_draws=4000, seed=1):
    weights, notes = draw_weights(np.random.default_rng(seed), n_draws, restriction)
    assert weights.shape == (n_draws, restriction.q)
    assert weights.sum(axis=1) == pytest.approx(1.0)
    assert restriction.allows(weights).all()
    return weights, [note.code for note in notes]


def test_free_weights_are_uniform_on_the_simplex():
    weights, codes = draw(restrict(4))
    assert codes == []
    for column in weights.T:  # a weight of a uniform point has this distribution
        assert stats.kstest(column, stats.beta(1, 3).cdf).pvalue > 0.001
    assert np.corrcoef(weights.T)[0, 1] == pytest.approx(-1 / 3, abs=0.05)


def test_a_complete_order_has_the_rank_order_centroid_as_its_mean():
    weights, codes = draw(restrict(4, order=["c", "a", "d", "b"]), 20_000)
    assert codes == []
    centroid = [np.sum(1 / np.arange(k, 5)) / 4 for k in range(1, 5)]
    assert weights[:, [2, 0, 3, 1]].mean(axis=0) == pytest.approx(centroid, abs=0.005)


def test_a_partial_order_leaves_the_others_free():
    weights, _ = draw(restrict(4, order=["c", "a"]), 20_000)
    # The larger and the smaller of two of four exchangeable weights, each of mean 1/4.
    assert weights.mean(axis=0) == pytest.approx([1 / 8, 1 / 4, 3 / 8, 1 / 4], abs=0.005)
    assert stats.kstest(weights[:4000, 1], stats.beta(1, 3).cdf).pvalue > 0.001


def test_lower_bounds_shift_and_shrink_the_simplex():
    weights, codes = draw(restrict(3, lower={"a": 0.5, "b": 0.1}))
    assert codes == []
    assert stats.kstest((weights[:, 0] - 0.5) / 0.4, stats.beta(1, 2).cdf).pvalue > 0.001
    assert weights.mean(axis=0) == pytest.approx(np.array([0.5, 0.1, 0]) + 0.4 / 3, abs=0.01)


def test_upper_bounds_are_met_by_rejection():
    weights, codes = draw(restrict(3, upper={"a": 0.3}))
    assert codes == ["weights-by-rejection"]
    # The density of a weight of three is 2 (1 - x); cut off at 0.3 it integrates to 0.51.
    assert stats.kstest(weights[:, 0], lambda x: (1 - (1 - x) ** 2) / 0.51).pvalue > 0.001


@pytest.mark.parametrize(
    ("bounds", "order"),
    [
        ({"lower": {"a": 0.05}, "upper": {"a": 0.32, "b": 0.3, "c": 0.28, "d": 0.35}}, None),
        ({"lower": {"a": 0.1, "b": 0.1}, "upper": {"c": 0.4}}, ["b", "a", "d", "c"]),
        ({"lower": {"c": 0.05}}, ["a", "b", "c", "d"]),
    ],
)
def test_the_walk_and_plain_rejection_agree(monkeypatch, bounds, order):
    restriction = restrict(4, order=order, **bounds)
    monkeypatch.setattr("robustrank.acceptability.sampling._LEAST_ACCEPTED", 1.1)
    walked, codes = draw(restriction, 3000)
    assert codes == ["weights-by-walk"]
    points = np.random.default_rng(5).dirichlet(np.ones(4), 600_000)
    exact = points[restriction.allows(points)]
    assert len(exact) > 300
    for group in range(4):
        assert stats.ks_2samp(walked[:, group], exact[:, group]).pvalue > 0.001
    assert np.cov(walked.T) == pytest.approx(np.cov(exact.T), abs=1e-3)


def test_the_walk_crosses_a_long_order(monkeypatch):
    q = 12
    groups = Groups("group", tuple(f"g{j}" for j in range(q)), np.arange(q))
    restriction = read_restriction(groups, None, {"g0": 0.25}, list(groups.names))
    exact, codes = draw(restriction, 3000)
    assert codes == ["weights-by-rejection"]
    monkeypatch.setattr("robustrank.acceptability.sampling._LEAST_ACCEPTED", 1.1)
    walked, codes = draw(restriction, 3000)
    assert codes == ["weights-by-walk"]
    for column in range(q):
        assert stats.ks_2samp(walked[:, column], exact[:, column]).pvalue > 0.001


def test_a_fixed_weight_in_an_order_leaves_the_others_free():
    restriction = restrict(4, lower={"b": 0.25}, upper={"b": 0.25}, order=["a", "b", "c"])
    weights, _ = draw(restriction, 2000)
    # c is at most 1/4, a at least 1/4, and d what is left of 3/4: (a, c) are uniform on that.
    a, c = np.random.default_rng(4).uniform([0.25, 0.0], [0.75, 0.25], (20_000, 2)).T
    kept = a + c <= 0.75
    assert stats.ks_2samp(weights[:, 0], a[kept]).pvalue > 0.001
    assert stats.ks_2samp(weights[:, 2], c[kept]).pvalue > 0.001


def test_bounds_that_leave_little_are_walked():
    upper = dict.fromkeys(NAMES, 0.21)
    weights, codes = draw(restrict(5, upper=upper), 500)
    assert codes == ["weights-by-walk"]
    # What is missing to 0.21 sums to 0.05 and is uniform on a simplex, upside down.
    missing = (0.21 - weights) / 0.05
    for column in missing.T:
        assert stats.kstest(column, stats.beta(1, 4).cdf).pvalue > 0.001


def test_bounds_that_leave_one_weighting_give_it():
    weights, _ = draw(restrict(2, lower={"a": 0.7}, upper={"a": 0.7}), 10)
    assert weights == pytest.approx(np.tile([0.7, 0.3], (10, 1)))


def test_bounds_off_1_by_rounding_alone_are_met():
    restriction = restrict(2, lower={"a": 0.5, "b": 0.5 + 5e-10})
    assert restriction.lower.sum() == pytest.approx(1.0, abs=1e-15)
    assert inner_point(restriction) == pytest.approx([0.5, 0.5], abs=1e-8)


def test_one_group_has_all_the_weight():
    assert (draw(restrict(1), 5)[0] == 1.0).all()


@pytest.mark.parametrize(
    ("settings", "culprit"),
    [
        ({"lower": {"a": 0.6, "b": 0.6}}, "sum to 1.2"),
        ({"upper": {"a": 0.2, "b": 0.2, "c": 0.2, "d": 0.2}}, "sum to 0.8"),
        ({"lower": {"a": 0.5}, "upper": {"a": 0.4}}, "lower is above upper for a"),
        ({"lower": {"a": -0.1}}, "weight of 'a'"),
        ({"lower": {"a": "much"}}, "got 'much'"),
        ({"upper": {"a": float("nan")}}, "weight of 'a'"),
        ({"upper": 0.5}, "mapping of group to weight"),
        ({"order": "ab"}, "list of groups"),
        ({"order": ["a", "b", "a"]}, "names a more than once"),
    ],
)
def test_restrictions_that_make_no_sense_are_refused(settings, culprit):
    with pytest.raises(ParameterError, match=culprit):
        restrict(4, **settings)


@pytest.mark.parametrize("parameter", ["lower", "upper", "order"])
def test_unknown_groups_are_named(parameter):
    given = ["a", "z"] if parameter == "order" else {"z": 0.1}
    with pytest.raises(UnknownLabelError, match=r"Unknown group 'z': known: a, b, c, d\."):
        restrict(4, **{parameter: given})


def test_bounds_against_an_order_leave_nothing():
    nothing = restrict(3, lower={"b": 0.45}, upper={"a": 0.4}, order=["a", "b"])
    assert inner_point(nothing) is None
    with pytest.raises(ParameterError, match="lower, upper and order together"):
        draw_weights(np.random.default_rng(0), 10, nothing)


def test_series_are_bounds_too():
    assert restrict(2, lower=pd.Series({"b": 0.25})).lower.tolist() == [0.0, 0.25]
