"""Schemes on multisets of datasets against the table with columns physically copied."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from robustrank.matrix import ScoreMatrix
from robustrank.mcdm import SCHEMES, rank_schemes
from robustrank.mcdm.decision import Decision
from robustrank.mcdm.repeated import preferences_of_multisets
from tests.conftest import frame

RNG = np.random.default_rng(0)


def plain(m=6, n=5):
    return RNG.uniform(0.1, 0.9, (m, n)).round(2)


def with_column(values, column, j=0):
    values = values.copy()
    values[:, j] = column
    return values


BOARDS = {
    "plain": plain(),
    "two models": plain(m=2),
    "one model": plain(m=1),
    "one dataset": plain(n=1),
    "many models": plain(m=30, n=4),
    "negative": plain() - 0.5,
    "zero": with_column(plain(), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]),
    "constant": with_column(plain(), 0.5),
    "all constant": np.full((4, 3), 0.5),
    "copies": with_column(
        with_column(plain(), np.arange(6) / 10 + 0.1), np.arange(6) / 10 + 0.1, 1
    ),
    "all copies": np.tile(np.arange(1, 5)[:, None] / 5, 3),
    "collinear": np.arange(1, 6)[:, None] / np.array([7.0, 9.0, 11.0]) + np.array([0, 0.3, 0.1]),
    "opposites": np.column_stack([np.arange(1, 6) / 6, 1 - np.arange(1, 6) / 6]),
    "near zero": with_column(plain(n=3), 10.0 ** -np.arange(1, 7)),
    "minus one": with_column(plain(), [-1.0, 0.1, 0.2, 0.3, 0.4, 0.5]),
    "barely varying": with_column(plain(), 0.5 + 1e-9 * np.arange(6)),
    "ties": plain().round(1),
}


def multisets(n):
    """Single datasets, everything once, and draws of n."""
    drawn = np.random.default_rng(1).multinomial(n, np.full(n, 1 / n), 12)
    return np.vstack([n * np.eye(n), np.ones((1, n)), np.eye(n)[:1], drawn]).astype(float)


def repeated(values, row):
    columns = np.repeat(np.arange(values.shape[1]), row.astype(int))
    return ScoreMatrix(frame(values[:, columns]), scale="unit")


@pytest.mark.parametrize("board", BOARDS)
def test_equals_rank_schemes_on_copied_columns(board):
    values = BOARDS[board]
    m, n = values.shape
    decision, counts = Decision(values, [f"d{j}" for j in range(n)]), multisets(n)
    found = {s: preferences_of_multisets(decision, scheme, counts) for s, scheme in SCHEMES.items()}
    for b, row in enumerate(counts):
        wanted = rank_schemes(repeated(values, row)).preferences["all"]
        for name in SCHEMES:
            assert found[name].shape == (m, len(counts))
            np.testing.assert_allclose(found[name][:, b], wanted[name], atol=1e-9, err_msg=name)


@pytest.mark.parametrize("name", SCHEMES)
def test_a_multiset_is_not_the_board_of_its_distinct_datasets(name):
    """Two copies against one must shift every scheme's preferences."""
    decision = Decision(BOARDS["plain"][:, :3], ["a", "b", "c"])
    counts = np.array([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0]])
    found = preferences_of_multisets(decision, SCHEMES[name], counts)
    assert np.abs(found[:, 0] - found[:, 1]).max() > 1e-3


def test_multisets_do_not_see_each_other():
    values = BOARDS["near zero"]
    decision = Decision(values, list("abc"))
    counts = multisets(3)
    for scheme in SCHEMES.values():
        together = preferences_of_multisets(decision, scheme, counts)
        for b in range(len(counts)):
            alone = preferences_of_multisets(decision, scheme, counts[b : b + 1])[:, 0]
            np.testing.assert_allclose(together[:, b], alone, atol=1e-12)


def test_a_dataset_that_was_not_drawn_has_no_logarithm():
    """Its ratio exceeds all those of the multiset: 1 - r / (n + t) would be negative."""
    values = np.array([[1e-6, 0.5], [0.9, 0.55], [0.5, 0.6]])
    decision = Decision(values, ["a", "b"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = preferences_of_multisets(decision, SCHEMES["wsm/merec"], np.array([[0.0, 2.0]]))
    np.testing.assert_allclose(found[:, 0], values[:, 1] / values[:, 1].sum())


def test_nothing_that_tells_models_apart_leaves_all_equal():
    values = with_column(plain(n=2), 0.5)
    decision = Decision(values, ["flat", "other"])
    for scheme in SCHEMES.values():
        found = preferences_of_multisets(decision, scheme, np.array([[2.0, 0.0]]))
        assert np.ptp(found) == 0.0
        assert pd.notna(found).all()
