from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from robustrank.agreement import assess_agreement, kendalls_w
from robustrank.errors import FormatError, MissingScoresError
from tests.conftest import frame, score_frames


def naive_w(table: np.ndarray) -> float:
    """Kendall's W with tie correction as in the textbooks, written with loops."""
    m, k = table.shape
    ranks = np.zeros_like(table)
    correction = 0.0
    for j in range(k):
        for i in range(m):
            above = sum(table[o, j] > table[i, j] for o in range(m))
            equal = sum(table[o, j] == table[i, j] for o in range(m))
            ranks[i, j] = above + (equal + 1) / 2
        for value in set(table[:, j]):
            t = sum(table[:, j] == value)
            correction += t**3 - t
    sums = ranks.sum(axis=1)
    s = ((sums - sums.mean()) ** 2).sum()
    below = k**2 * (m**3 - m) - k * correction
    return 12 * s / below if below else float("nan")


@given(score_frames(min_datasets=2))
def test_equals_the_textbook_formula(scores):
    assert kendalls_w(scores) == pytest.approx(naive_w(scores.to_numpy()), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([[1, 2, 3, 4]] * 4, 1.0),  # identical orders
        ([[1, 2, 3], [3, 2, 1]], 0.0),  # opposite orders
        ([[0.9, 0.9, 0.7]] * 3, 1.0),  # ties alike: 0.75 without the correction
        ([[0.9, 0.8, 0.7, 0.6], [0.9, 0.7, 0.8, 0.6], [0.8, 0.9, 0.6, 0.7]], 0.6444),
        ([[0.5, 0.5, 0.5]] * 3, np.nan),  # nobody is told apart
        ([[0.5, 0.4, 0.3]], np.nan),  # one ranking
        ([[0.5]] * 3, np.nan),  # one model
    ],
)
def test_worked_cases(columns, expected):
    assert kendalls_w(np.transpose(columns)) == pytest.approx(expected, abs=5e-5, nan_ok=True)


def test_published_example_with_ties():
    # S. Siegel and N. J. Castellan, Nonparametric Statistics for the Behavioral Sciences, give
    # W = 12 S / (k² (m³ - m) - k ΣT); here k = 3 judges, m = 10 objects with ties, from
    # M. G. Kendall, Rank Correlation Methods (1948), Example 6.1: S = 591, W = 0.828.
    judges = [
        [1, 4.5, 2, 4.5, 3, 7.5, 6, 9, 7.5, 10],
        [2.5, 1, 2.5, 4.5, 4.5, 8, 9, 6.5, 10, 6.5],
        [2, 1, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10],
    ]
    assert kendalls_w(np.transpose(judges)) == pytest.approx(0.828, abs=5e-4)


def test_refuses_holes_and_vectors():
    with pytest.raises(MissingScoresError, match="missing"):
        kendalls_w([[1, 2], [np.nan, 1]])
    with pytest.raises(FormatError, match="2 dimensions"):
        kendalls_w([1, 2, 3])


@pytest.fixture
def ranks() -> pd.DataFrame:
    columns = pd.MultiIndex.from_product(
        [["all", "pick-1", "pick-2"], ["x", "y"]], names=["composition", "scheme"]
    )
    table = [[1, 1, 2, 1, 1, 3], [2, 2, 1, 3, 2, 1], [3, 3, 3, 2, 3, 2]]
    return pd.DataFrame(np.array(table, dtype=float), index=["a", "b", "c"], columns=columns)


def test_rank_variance_is_the_population_variance(ranks):
    agreement = assess_agreement(ranks, ["pick-1", "pick-2"])
    over_schemes = agreement.scheme_variance
    assert list(over_schemes.columns) == ["all", "pick-1", "pick-2"]
    assert over_schemes.loc["b"].tolist() == [0.0, np.var([1, 3]), np.var([2, 1])]
    over_compositions = agreement.composition_variance
    assert list(over_compositions.columns) == ["x", "y"]
    assert over_compositions.loc["a", "y"] == pytest.approx(np.var([1, 1, 3]))


def test_agreement_over_schemes_and_over_picks(ranks):
    agreement = assess_agreement(ranks, ["pick-1", "pick-2"])
    assert agreement.w_schemes["all"] == 1.0
    assert agreement.w_schemes["pick-1"] == pytest.approx(kendalls_w(ranks["pick-1"]))
    # `all` is not one of the picks that W over compositions is taken over.
    picks_of_x = ranks[[("pick-1", "x"), ("pick-2", "x")]]
    assert agreement.w_compositions["x"] == pytest.approx(kendalls_w(picks_of_x))
    assert agreement.notes == ()


def test_one_composition_says_nothing_about_compositions(ranks):
    agreement = assess_agreement(ranks[["all"]], ["all"])
    assert agreement.w_compositions.isna().all()
    assert agreement.composition_variance.isna().all(axis=None)
    assert [note.code for note in agreement.notes] == ["one-composition"]


def test_models_without_a_rank_are_left_out(ranks):
    ranks.loc["d"] = np.nan
    agreement = assess_agreement(ranks, ["pick-1", "pick-2"])
    assert agreement.w_schemes["all"] == 1.0
    assert agreement.scheme_variance.loc["d"].isna().all()


def test_a_note_says_when_w_is_undefined():
    columns = pd.MultiIndex.from_product([["all"], ["x", "y"]], names=["composition", "scheme"])
    tied = pd.DataFrame(2.0, index=["a", "b", "c"], columns=columns)
    agreement = assess_agreement(tied, ["all"])
    assert np.isnan(agreement.w_schemes["all"])
    assert "undefined-w" in [note.code for note in agreement.notes]


def test_column_order_is_kept():
    scores = frame([[1, 2], [2, 1]])
    assert kendalls_w(scores) == kendalls_w(scores[["d1", "d0"]])
