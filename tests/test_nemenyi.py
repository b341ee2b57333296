from __future__ import annotations

import math
import subprocess
import sys
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import robustrank as rr
from robustrank.errors import (
    EmptyMatrixError,
    MissingScoresError,
    ParameterError,
)
from tests.figures.layout import assert_readable


def board(k, n, seed=0, decimals=None):
    scores = np.random.default_rng(seed).uniform(0.1, 0.9, (k, n)) * 0.4
    scores += np.linspace(0.5, 0, k)[:, None]
    if decimals is not None:
        scores = scores.round(decimals)
    return pd.DataFrame(
        scores, index=[f"m{i}" for i in range(k)], columns=[f"d{j}" for j in range(n)]
    )


@pytest.mark.parametrize(
    ("k", "n", "distance"), [(4, 10, 1.4832), (93, 22, 34.757), (2, 25, 1.959964 / 5)]
)
def test_critical_difference_of_worked_examples(k, n, distance):
    assert rr.critical_difference(k, n) == pytest.approx(distance, abs=6e-4)


# J. Demšar (2006), Table 5a: critical values of the two-tailed Nemenyi test.
@pytest.mark.parametrize(
    ("alpha", "values"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_values_are_those_of_the_published_table(alpha, values):
    for k, value in enumerate(values, start=2):
        scale = math.sqrt(k * (k + 1) / (6 * 14))
        # The table was rounded from quantiles of its own day, to within a thousandth.
        assert rr.critical_difference(k, 14, alpha) / scale == pytest.approx(value, abs=2e-3)


@pytest.mark.parametrize("decimals", [None, 1], ids=["no ties", "ties"])
def test_friedman_agrees_with_scipy(decimals):
    scores = board(7, 12, decimals=decimals)
    found = rr.nemenyi_test(scores)
    statistic, p_value = stats.friedmanchisquare(*scores.to_numpy())
    assert found.statistic == pytest.approx(statistic)
    assert found.p_value == pytest.approx(p_value)


def test_friedman_of_two_models_is_the_sign_test_by_its_normal_approximation():
    found = rr.nemenyi_test([[0.9] * 8 + [0.1] * 2, [0.5] * 10])
    wins, n = 8, 10
    z = (wins - n / 2) / math.sqrt(n / 4)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(z))
    assert found.mean_rank.to_dict() == {"m1": 1.2, "m2": 1.8}


# J. Demšar (2006), Table 6: areas under the curve of four decision trees. The two printed as
# 0.975 on one dataset have the ranks 2 and 3 there, by digits that are not printed.
DEMSAR = pd.DataFrame(
    {
        "adult": [0.763, 0.768, 0.771, 0.798],
        "breast": [0.599, 0.591, 0.590, 0.569],
        "wisconsin": [0.954, 0.971, 0.968, 0.967],
        "cmc": [0.628, 0.661, 0.654, 0.657],
        "ionosphere": [0.882, 0.888, 0.886, 0.898],
        "iris": [0.936, 0.931, 0.916, 0.931],
        "liver": [0.661, 0.668, 0.609, 0.685],
        "lung": [0.583, 0.583, 0.563, 0.625],
        "lymphography": [0.775, 0.838, 0.866, 0.875],
        "mushroom": [1.000, 1.000, 1.000, 1.000],
        "tumor": [0.940, 0.962, 0.965, 0.962],
        "rheum": [0.619, 0.666, 0.614, 0.669],
        "voting": [0.972, 0.981, 0.9751, 0.975],
        "wine": [0.957, 0.978, 0.946, 0.970],
    },
    index=["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"],
)


def test_the_worked_example_of_the_source():
    at_5, at_10 = rr.nemenyi_test(DEMSAR), rr.nemenyi_test(DEMSAR, 0.1)
    printed = {"C4.5+m+cf": 1.964, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5": 3.143}
    assert at_5.mean_rank.round(3).to_dict() == printed
    assert (round(at_5.critical_difference, 2), round(at_10.critical_difference, 2)) == (1.25, 1.12)
    assert at_5.groups == [[*printed]]
    assert at_10.groups == [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]


def test_mean_ranks_are_best_first_with_ties_shared():
    found = rr.nemenyi_test(
        pd.DataFrame([[0.1, 0.1], [0.9, 0.5], [0.9, 0.8]], index=list("cab"), columns=["x", "y"])
    )
    assert list(found.mean_rank.items()) == [("b", 1.25), ("a", 1.75), ("c", 3.0)]


@pytest.mark.parametrize("seed", range(3))
def test_groups_are_all_the_largest_sets_without_a_different_pair(seed):
    found = rr.nemenyi_test(board(8, 9, seed))
    places = found.mean_rank

    def alike(names):
        return all(
            abs(places[a] - places[b]) < found.critical_difference
            for a, b in combinations(names, 2)
        )

    every = [
        set(names)
        for size in range(1, 9)
        for names in combinations(places.index, size)
        if alike(names)
    ]
    largest = [names for names in every if not any(names < other for other in every)]
    assert {frozenset(group) for group in found.groups} == {frozenset(names) for names in largest}
    assert found.n_separated == sum(not alike(pair) for pair in combinations(places.index, 2))


def test_the_same_order_on_all_datasets_separates_all():
    scores = pd.DataFrame(np.linspace(0.9, 0.1, 5)[:, None] + np.zeros(200), index=list("abcde"))
    found = rr.nemenyi_test(scores.rename(columns=str))
    assert found.groups == [["a"], ["b"], ["c"], ["d"], ["e"]]
    assert found.informative
    assert found.notes == ()


def test_neither_order_nor_names_of_models_change_anything():
    scores = board(6, 8, decimals=1)
    found, turned = rr.nemenyi_test(scores), rr.nemenyi_test(scores.iloc[::-1, ::-1])
    assert found.mean_rank.to_dict() == turned.mean_rank.to_dict()
    assert list(found.mean_rank.index) == list(turned.mean_rank.index)
    assert found.groups == turned.groups
    assert found.statistic == turned.statistic


def test_scale_does_not_matter():
    scores = board(6, 8)
    assert rr.nemenyi_test(scores * 100).statistic == rr.nemenyi_test(scores).statistic


def test_a_constant_dataset_ties_all():
    scores = board(5, 6)
    found = rr.nemenyi_test(scores.assign(flat=0.5))
    assert found.mean_rank["m0"] == pytest.approx(
        (rr.nemenyi_test(scores).mean_rank["m0"] * 6 + 3) / 7
    )
    assert math.isfinite(found.statistic)


def test_all_datasets_constant():
    found = rr.nemenyi_test(np.full((3, 4), 0.5))
    assert math.isnan(found.statistic)
    assert math.isnan(found.p_value)
    assert found.groups == [["m1", "m2", "m3"]]
    assert "no-test" in [note.code for note in found.notes]


def test_one_dataset_is_no_test():
    found = rr.nemenyi_test([[0.9], [0.5], [0.1]])
    assert all(map(math.isnan, (found.statistic, found.p_value, found.critical_difference)))
    assert found.groups == [["m1", "m2", "m3"]]
    assert found.n_separated == 0
    assert not found.informative
    assert [note.code for note in found.notes] == ["no-test"]
    assert_readable(found.plot())


def test_says_where_friedman_does_not_reject():
    rows = [[0.1, 0.2, 0.3], [0.2, 0.3, 0.1], [0.3, 0.1, 0.2]]
    found = rr.nemenyi_test(rows)
    assert found.p_value == pytest.approx(1.0)
    assert "friedman-not-rejected" in [note.code for note in found.notes]


@pytest.mark.parametrize(("k", "n", "informative"), [(4, 10, True), (93, 22, False)])
def test_says_where_the_critical_difference_says_little(k, n, informative):
    found = rr.nemenyi_test(board(k, n))
    assert found.informative is informative
    notes = [note for note in found.notes if note.code == "critical-difference-uninformative"]
    assert len(notes) == (not informative)
    for note in notes:
        # Of 93 models in one order, pairs 35 places apart or more: 58 + 57 + … + 1.
        assert "34.8 ranks" in note.message
        assert f"{found.n_separated:,} of 4,278 pairs, and 1,711 if" in note.message


def test_repr_counts_what_is_separated():
    found = rr.nemenyi_test(board(4, 10))
    assert "4 models × 10 datasets" in repr(found)
    assert f"{found.n_separated} of 6 pairs" in repr(found)


def test_missing_scores_are_named_with_the_remedy():
    scores = board(4, 5)
    scores.loc["m2", "d1"] = np.nan
    with pytest.raises(MissingScoresError, match=r"m2 lacks.*resolve_missing") as caught:
        rr.nemenyi_test(scores)
    assert caught.value.labels == ("m2",)


def test_one_model_is_refused():
    with pytest.raises(EmptyMatrixError, match="at least two; got 1 model"):
        rr.nemenyi_test([[0.1, 0.2]])


@pytest.mark.parametrize("alpha", [0, 1, "5%", True, math.nan])
def test_alpha_must_be_a_chance(alpha):
    with pytest.raises(ParameterError, match="alpha must lie between 0 and 1"):
        rr.critical_difference(4, 10, alpha)
    with pytest.raises(ParameterError, match="alpha"):
        rr.nemenyi_test(board(3, 3), alpha)


@pytest.mark.parametrize(("k", "n", "name"), [(1, 5, "k"), (3, 0, "n"), (2.5, 3, "k")])
def test_sizes_must_be_whole_and_large_enough(k, n, name):
    with pytest.raises(ParameterError, match=f"^{name} must be a whole number"):
        rr.critical_difference(k, n)


def test_importing_it_brings_neither_figures_nor_scipy_stats():
    code = (
        "import sys, robustrank.nemenyi;"
        "print([m for m in ('matplotlib', 'scipy.stats') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
