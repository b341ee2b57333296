"""Means with Student's interval, and cubes, against naive loops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from robustrank.evaluators.hteb.statistics import read_scores
from robustrank.evaluators.hteb.statistics.cubes import as_cube, dataset_order
from robustrank.evaluators.hteb.statistics.means import mean_interval
from tests.evaluators.hteb.statistics.boards import planted


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_intervals_are_students(level):
    values = np.random.default_rng(0).normal(size=(7, 3, 2))
    values[2, 1, 0] = np.nan
    found = mean_interval(values, level)
    for place in np.ndindex(3, 2):
        held = values[:, *place][~np.isnan(values[:, *place])]
        low, high = stats.t.interval(level, len(held) - 1, held.mean(), stats.sem(held))
        assert found.mean[place] == pytest.approx(held.mean())
        assert found.sd[place] == pytest.approx(held.std(ddof=1))
        assert (found.low[place], found.high[place]) == pytest.approx((low, high))
        assert found.n[place] == len(held)


def test_one_value_has_no_interval_and_none_no_mean():
    found = mean_interval(np.array([[0.5, np.nan], [np.nan, np.nan]]), 0.95)
    np.testing.assert_array_equal(found.mean, [0.5, np.nan])
    for undefined in (found.low, found.high, found.sd):
        assert np.isnan(undefined).all()
    np.testing.assert_array_equal(found.n, [1, 0])


def test_the_order_of_values_changes_no_bit():
    values = np.random.default_rng(1).normal(size=(50, 4))
    one, other = mean_interval(values, 0.95), mean_interval(values[::-1], 0.95)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_cube_holds_each_score_in_its_place():
    scores = read_scores(planted(2, 3))
    kept = scores.keep(scores.transformed.index.delete(4))  # model 1 on data 1
    cube = as_cube(kept, kept.transformed)
    assert cube.shape == (3, 2, 8)
    assert np.isnan(cube[1, 1]).all()
    for (model, dataset), row in kept.transformed.iterrows():
        place = kept.datasets.index(dataset), kept.models.index(model)
        np.testing.assert_array_equal(cube[place], row)


def test_datasets_are_ordered_by_content():
    scores = read_scores(planted(3, 6))
    table = scores.transformed
    expected = as_cube(scores, table)[dataset_order(as_cube(scores, table))]
    names = {name: f"z{9 - place}" for place, name in enumerate(scores.datasets)}
    renamed = pd.DataFrame(planted(3, 6)).replace({"dataset": names})
    other = read_scores(renamed.sort_values("dataset", kind="stable"))
    cube = as_cube(other, other.transformed)
    np.testing.assert_allclose(cube[dataset_order(cube)], expected, atol=1e-12)
