"""`total_scores`: every axis has the same weight, and a missing score leaves no mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import EmptyMatrixError, UnknownLabelError
from robustrank.evaluators.hteb.statistics import read_scores
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.evaluators.hteb.statistics.totals import total_scores
from tests.evaluators.hteb.statistics.boards import planted


@pytest.fixture(scope="module")
def board():
    return planted(3, 4)


@pytest.mark.parametrize("value", ["total", "Length", "expansion"])
def test_they_are_those_of_the_statistics(board, value):
    scores = read_scores(board)
    expected = with_axes(scores.transformed, scores.axes)[value].unstack("dataset")
    found = total_scores(board, value)
    pd.testing.assert_frame_equal(found, expected.loc[found.index, found.columns])


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
