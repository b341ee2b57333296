from __future__ import annotations

import numpy as np
import pytest

from robustrank import _percentiles as module
from robustrank._percentiles import deviations, percentile_interval


def with_holes():
    values = np.random.default_rng(0).normal(size=(6, 41))
    values[1, ::2] = np.nan
    values[2] = np.nan
    values[3, 1:] = np.nan
    values[4] = 0.25
    return values


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_percentiles_equal_numpy(level):
    values = with_holes()
    known = [0, 1, 3, 4, 5]
    wanted = np.nanquantile(values[known], [(1 - level) / 2, (1 + level) / 2], axis=1)
    found = percentile_interval(values, level)
    np.testing.assert_allclose(found[:, known], wanted, atol=1e-15)
    assert np.isnan(found[:, 2]).all()


def test_blocks_change_nothing(monkeypatch):
    whole = percentile_interval(with_holes(), 0.9)
    monkeypatch.setattr(module, "_BLOCK_CELLS", 50)
    np.testing.assert_array_equal(percentile_interval(with_holes(), 0.9), whole)


def test_deviations_equal_numpy():
    values = with_holes()
    found = deviations(values)
    known = [0, 1, 4, 5]
    np.testing.assert_allclose(
        found[known], np.nanstd(values[known], axis=1, ddof=1), rtol=1e-13, atol=1e-16
    )
    assert np.isnan(found[[2, 3]]).all()  # of no number and of one, nothing is known
    assert np.isnan(deviations(values[:1, :1])).all()
    complete = np.random.default_rng(1).normal(size=(3, 20))
    np.testing.assert_allclose(deviations(complete), np.std(complete, axis=1, ddof=1), rtol=1e-13)
