"""The note of skewed differences: on planted skew, and seldom without."""

from __future__ import annotations

import numpy as np
import pytest

import robustrank as rr
from robustrank.confidence_sets.units import _normal_skew
from tests.conftest import note_codes


def skew_noted(board: np.ndarray, test: str = "sign-flip") -> bool:
    return "skewed-differences" in note_codes(
        rr.rank_confidence_sets(board, test=test, n_resamples=50)
    )


@pytest.mark.parametrize("datasets", [16, 60])
def test_models_skewed_each_way_are_noted(datasets):
    rng = np.random.default_rng(0)
    side = np.where(np.arange(20) % 2, 1.0, -1.0)[:, None]
    for _ in range(5):
        skewed = 0.5 + 0.05 * side * (rng.exponential(1.0, (20, datasets)) - 1.0)
        assert skew_noted(skewed)
    assert not skew_noted(skewed, "bootstrap-t")


@pytest.mark.parametrize(("models", "datasets"), [(2, 7), (2, 40), (3, 11), (20, 10), (40, 60)])
def test_symmetric_differences_are_seldom_noted(models, datasets):
    """Normal scores, and scores all skewed alike, whose differences are not: 40 boards of each."""
    rng = np.random.default_rng(0)
    shape = (models, datasets)
    normal = sum(skew_noted(rng.normal(size=shape)) for _ in range(40))
    alike = sum(skew_noted(rng.exponential(size=shape)) for _ in range(40))
    assert normal <= 6
    assert alike <= 6


def test_flat_and_identical_models_have_no_skew():
    assert not skew_noted(np.full((3, 8), 0.5))
    assert not skew_noted(np.repeat([[0.1, 0.9, 0.2, 0.2, 0.1, 0.1]], 3, axis=0))


def test_models_skewed_alike_are_skewed_from_their_mean_alone():
    board = np.random.default_rng(0).exponential(size=(20, 30))
    for procedure in ("mcb", "mcs-max", "mcs-range"):
        found = rr.model_confidence_set(board, procedure=procedure)
        assert ("skewed-differences" in note_codes(found)) == (procedure == "mcs-max")
    messages = [note.message for note in rr.model_confidence_set(board, procedure="mcs-max").notes]
    assert any("from their mean" in message for message in messages)


@pytest.mark.parametrize("n", [5, 6, 10, 11, 130])
def test_the_skew_of_normal_samples(n):
    x = np.random.default_rng(0).normal(size=(20_000, n))
    skews = (x.mean(axis=1) - np.median(x, axis=1)) / x.std(axis=1)
    assert _normal_skew(n) == pytest.approx(skews.std(), rel=0.04)
