from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

from robustrank.resampling.draws import draw_counts


def test_counts_are_those_of_n_draws_with_replacement():
    counts = draw_counts(np.random.default_rng(0), 20_000, 3)
    assert (counts.sum(axis=1) == 3).all()
    wanted = {}
    for sequence in product(range(3), repeat=3):
        key = tuple(np.bincount(sequence, minlength=3))
        wanted[key] = wanted.get(key, 0) + 20_000 / 27
    kinds, observed = np.unique(counts, axis=0, return_counts=True)
    expected = [wanted[tuple(kind)] for kind in kinds.astype(int)]
    assert scipy.stats.chisquare(observed, expected).pvalue > 0.01


def test_strata_keep_their_sizes():
    strata = np.array([0, 1, 0, 2, 1, 0])
    counts = draw_counts(np.random.default_rng(1), 500, 6, strata=strata)
    for stratum, size in enumerate([3, 2, 1]):
        assert (counts[:, strata == stratum].sum(axis=1) == size).all()
    assert len(np.unique(counts[:, strata == 0], axis=0)) == 10  # every multiset of 3 of 3


def test_numbers_of_strata_change_no_draw():
    first, second = (
        draw_counts(np.random.default_rng(1), 50, 6, strata=np.array(strata))
        for strata in ([0, 1, 0, 2, 1, 0], [2, 0, 2, 1, 0, 2])
    )
    np.testing.assert_array_equal(first, second)


def test_clusters_bring_all_their_datasets():
    clusters = np.array([0, 1, 0, 2, 1])
    counts = draw_counts(np.random.default_rng(2), 500, 5, clusters=clusters)
    np.testing.assert_array_equal(counts[:, 0], counts[:, 2])
    np.testing.assert_array_equal(counts[:, 1], counts[:, 4])
    assert (counts[:, [0, 1, 3]].sum(axis=1) == 3).all()
    assert counts.sum(axis=1).min() == 3
    assert counts.sum(axis=1).max() == 6


@pytest.mark.parametrize("groups", [{}, {"strata": np.arange(4) % 2}])
def test_every_dataset_is_drawn_alike(groups):
    counts = draw_counts(np.random.default_rng(3), 40_000, 4, **groups)
    np.testing.assert_allclose(counts.mean(axis=0), 1.0, atol=0.02)
