"""`total_scores`: every axis has the same weight, and a missing score leaves no mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import EmptyMatrixError, UnknownLabelError
from robustrank.evaluators.hteb.statistics.totals import total_scores
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from tests.evaluators.hteb.statistics.boards import planted


@pytest.fixture(scope="module")
def board():
    return planted(3, 4)


#: Two runs of each transformation, in the order of *HTEB*: three lexical, three of length, two of
#: language.
RUNS = [(0.8, 0.6), (0.5, 0.5), (0.9, 0.9), (0.6, 0.4), (0.2, 0.2), (0.3, 0.1), (0.1, 0.3), (0, 0)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("expansion", 0.5),
        ("Lexical/Stylistic", (0.7 + 0.5 + 0.9) / 3),
        ("Length", (0.5 + 0.2 + 0.2) / 3),
        ("Language", (0.2 + 0.0) / 2),
        ("total", (0.7 + 0.3 + 0.1) / 3),
    ],
)
def test_runs_then_transformations_then_axes(value, expected):
    """By hand: the mean over all eight would be 0.4, that over the axes is 0.3667."""
    table = pd.DataFrame(
        [
            ("m", "d", name, run, score)
            for name, scores in zip(TRANSFORMATIONS, RUNS, strict=True)
            for run, score in enumerate(scores)
        ],
        columns=["model", "dataset", "transformation", "run", "score"],
    )
    assert total_scores(table, value).loc["m", "d"] == pytest.approx(expected)


def test_originals(board):
    found = total_scores(board, "original")
    assert list(found.index) == ["model 0", "model 1", "model 2"]
    rows = board[(board["transformation"] == "original") & (board["run"] == 0)]
    expected = rows.pivot(index="model", columns="dataset", values="score")
    np.testing.assert_allclose(found, expected.loc[found.index, found.columns])


def test_a_missing_score_leaves_no_mean(board):
    lacks = board.copy()
    lacks.loc[lacks["transformation"].eq("expansion").idxmax(), "score"] = np.nan
    assert np.isnan(total_scores(lacks).loc["model 0", "data 0"])
    assert np.isnan(total_scores(lacks, "Length").loc["model 0", "data 0"])
    assert total_scores(lacks, "Language").notna().to_numpy().all()


def test_axes_that_are_there_make_the_total(board):
    some = board[board["transformation"].isin(["original", "expansion", "translation"])]
    both = (total_scores(some, "Length") + total_scores(some, "Language")) / 2
    np.testing.assert_allclose(total_scores(some), both)


def test_what_is_not_there(board):
    originals = board[board["transformation"] == "original"]
    for value in ("total", "Length", "expansion"):
        with pytest.raises(EmptyMatrixError, match=f"no scores for '{value}'; generate and score"):
            total_scores(originals, value)
    with pytest.raises(UnknownLabelError, match="Unknown value 'lenght': did you mean 'Length'"):
        total_scores(board, "lenght")
