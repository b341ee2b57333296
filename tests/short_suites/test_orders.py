from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank._arrange import by_content
from robustrank.aggregation import resolve_aggregate
from robustrank.matrix import ScoreMatrix
from robustrank.short_suites._orders import _most, dataset_information, order_datasets
from tests.conftest import frame, random_scores
from tests.short_suites import oracle

MEAN = resolve_aggregate("mean")


def order(matrix, method, costs=None):
    given = np.ones(matrix.shape[1]) if costs is None else costs
    return list(order_datasets(matrix, MEAN, method, given))


@pytest.mark.parametrize("method", ["greedy", "backward"])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("priced", [False, True])
def test_searches_equal_the_slow_ones(method, seed, priced):
    matrix = ScoreMatrix(random_scores(9, 7, seed, noise=0.2).round(2))
    costs = np.random.default_rng(seed).uniform(1, 5, 7) if priced else np.ones(7)
    expected = getattr(oracle, method)(matrix.scores.to_numpy(), costs)
    assert order(matrix, method, costs) == expected


@pytest.mark.parametrize("method", ["greedy", "backward", "information"])
def test_every_dataset_is_chosen_once(method):
    assert sorted(order(ScoreMatrix(random_scores(6, 8)), method)) == list(range(8))


@pytest.mark.parametrize(
    ("gains", "costs", "most"),
    [
        ([0.1, 0.3, 0.2], [1, 1, 1], 1),
        ([0.1, 0.3, 0.2], [1, 6, 1], 2),
        ([0.2, 0.2], [2, 1], 1),
        ([0.1, 0.1], [1, 1], 0),
        ([0.0, 0.0], [3, 2], 1),  # nothing is gained: the cheap one
        ([-0.1, -0.1], [3, 2], 1),  # no loss is bought dear
        ([-0.1, 0.01], [1, 100], 1),
    ],
)
def test_the_most_for_its_cost(gains, costs, most):
    assert _most(np.array(gains), np.array(costs, dtype=float)) == most


def test_of_two_copies_the_cheap_one_is_chosen_first():
    scores = random_scores(10, 4)
    scores["copy"] = scores["d0"]
    matrix = ScoreMatrix(scores)
    for method in ("greedy", "information", "backward"):
        places = {name: place for place, name in enumerate(scores.columns)}
        costs = np.ones(5)
        costs[places["d0"]] = 3.0
        found = order(matrix, method, costs)
        assert found.index(places["copy"]) < found.index(places["d0"])


def test_information_lowers_the_mean_variance_of_abilities_step_by_step():
    matrix = ScoreMatrix(random_scores(12, 6))
    fit = rr.fit_2pl(matrix, n_refits=0)
    told = fit.information(fit.ability)
    chosen: list[str] = []
    for _ in range(6):
        rest = [name for name in told.index if name not in chosen]
        variance = {n: (1 / (1 + told.loc[[*chosen, n]].sum())).mean() for n in rest}
        chosen.append(min(variance, key=variance.get))
    assert [matrix.scores.columns[column] for column in order(matrix, "information")] == chosen


def test_information_prefers_a_dataset_without_noise_and_leaves_the_flat_one_for_last():
    rng = np.random.default_rng(3)
    ability = np.linspace(-2, 2, 30)
    clean = 1 / (1 + np.exp(-ability))
    noisy = np.clip(clean[:, None] + rng.normal(0, 0.2, (30, 4)), 0.01, 0.99)
    near = np.clip(clean + rng.normal(0, 0.01, 30), 0.01, 0.99)
    matrix = ScoreMatrix(frame(np.column_stack([noisy, near, np.full(30, 0.5)])))
    found = order(matrix, "information")
    assert (found[0], found[-1]) == (4, 5)
    assert not dataset_information(matrix)[:, 5].any()


def test_scores_without_noise_have_finite_information():
    ability = np.linspace(-1, 1, 5)
    clean = 1 / (1 + np.exp(-(ability[:, None] - np.array([-0.5, 0.0, 0.5]))))
    assert np.isfinite(dataset_information(ScoreMatrix(frame(clean)))).all()


def test_orders_do_not_depend_on_the_arrangement():
    scores = random_scores(12, 6)
    turned = scores.iloc[::-1, [3, 1, 5, 0, 4, 2]]
    for method in ("greedy", "information", "backward"):
        one, other = (by_content(ScoreMatrix(table)) for table in (scores, turned))
        names = [[m.scores.columns[j] for j in order(m, method)] for m in (one, other)]
        assert names[0] == names[1]


def test_two_models_that_tie_on_all_still_have_an_order():
    matrix = ScoreMatrix(pd.DataFrame([[0.5, 0.4], [0.5, 0.4]], columns=["x", "y"]))
    for method in ("greedy", "information", "backward"):
        assert sorted(order(matrix, method)) == [0, 1]
