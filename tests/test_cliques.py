from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from robustrank._cliques import cliques, neighbour_runs, runs


def graph(m, share, seed):
    upper = np.triu(np.random.default_rng(seed).random((m, m)) < share, 1)
    return upper | upper.T


def by_trying_all(alike):
    m = len(alike)
    every = [
        set(members)
        for size in range(1, m + 1)
        for members in combinations(range(m), size)
        if all(alike[i, j] for i, j in combinations(members, 2))
    ]
    return sorted(sorted(a) for a in every if not any(a < b for b in every))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9, 1.0])
@pytest.mark.parametrize("m", [1, 2, 5, 9])
def test_cliques_are_those_that_trying_all_sets_finds(m, share):
    for seed in range(3):
        alike = graph(m, share, seed)
        assert cliques(alike, most=1000) == by_trying_all(alike)


def test_cliques_stop_where_there_are_too_many():
    # 31 triples, alike but within: 3³¹ sets.
    m = 93
    alike = np.arange(m)[:, None] // 3 != np.arange(m)[None, :] // 3
    assert cliques(alike, most=200) is None
    small = alike[:12, :12]
    assert len(cliques(small, most=81)) == 81
    assert cliques(small, most=80) is None


@pytest.mark.parametrize("seed", range(5))
def test_neighbour_runs_are_the_largest_runs_of_alike_pairs(seed):
    alike = graph(9, 0.7, seed)
    whole = [
        list(range(a, b))
        for a in range(9)
        for b in range(a + 1, 10)
        if all(alike[i, j] for i, j in combinations(range(a, b), 2))
    ]
    largest = [run for run in whole if not any(set(run) < set(other) for other in whole)]
    assert neighbour_runs(alike) == largest


def test_runs_end_where_the_first_and_last_differ_by_the_width():
    values = np.array([0.0, 1.0, 2.0, 2.5, 6.0])
    assert runs(values, 2.0) == [[0, 1], [1, 2, 3], [4]]
    assert runs(values, 2.1) == [[0, 1, 2], [1, 2, 3], [4]]


def test_equal_values_stay_together():
    assert runs(np.array([1.0, 1.0, 1.0]), 0.0) == [[0, 1, 2]]
