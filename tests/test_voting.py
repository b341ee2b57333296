from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from robustrank.errors import ParameterError
from robustrank.voting import borda
from tests.conftest import frame, score_frames


def test_missing_score_is_zero_votes_under_mteb():
    scores = pd.DataFrame({"t1": [0.9, 0.8, 0.7], "t2": [0.9, 0.8, np.nan]}, index=["A", "B", "C"])
    result = borda(scores, "mteb")
    assert result["points"].to_dict() == {"A": 4, "B": 2, "C": 0}
    assert result["rank"].to_dict() == {"A": 1, "B": 2, "C": 3}
    assert result["n_datasets"].to_dict() == {"A": 2, "B": 2, "C": 1}


def test_a_model_alone_on_a_rare_dataset_collects_points_under_mteb_but_not_plain():
    scores = pd.DataFrame(
        {
            "t1": [0.9, 0.8, 0.7, np.nan],
            "t2": [0.9, 0.8, np.nan, np.nan],
            "t3": [np.nan, np.nan, np.nan, 0.01],
        },
        index=["A", "B", "C", "D"],
    )
    mteb = borda(scores, "mteb")
    assert mteb["points"].to_dict() == {"A": 6, "B": 4, "D": 3, "C": 1}
    assert mteb.loc["D", "n_datasets"] == 1
    plain = borda(scores)
    assert list(plain.index[:3]) == ["A", "B", "C"]
    assert np.isnan(plain.loc["D", "rank"])


def test_plain_count_is_not_hurt_by_a_missing_score():
    scores = frame([[0.9, 0.9], [0.8, np.nan], [0.7, 0.8]])
    result = borda(scores)
    assert result["points"].to_dict() == {"m0": 1.0, "m1": 0.5, "m2": 0.0}


def test_ties():
    scores = frame([[0.9], [0.8], [0.8], [0.1]])
    assert borda(scores)["rank"].tolist() == [1, 2.5, 2.5, 4]
    assert borda(scores, "mteb")["rank"].tolist() == [1, 2, 2, 4]
    identical = frame([[0.5, 0.6, 0.7]] * 2)
    assert borda(identical)["rank"].tolist() == [1.5, 1.5]


@given(score_frames())
def test_both_methods_agree_on_complete_matrices(scores):
    plain, mteb = borda(scores), borda(scores, "mteb")
    m, n = scores.shape
    rescaled = mteb["points"] / n / (m - 1)
    assert plain["points"].to_dict() == pytest.approx(rescaled.to_dict(), abs=1e-12)


def test_best_first_and_bad_method():
    scores = frame([[0.1, 0.2], [0.9, 0.8]])
    assert list(borda(scores).index) == ["m1", "m0"]
    with pytest.raises(ParameterError, match="'plain' or 'mteb'"):
        borda(scores, "condorcet")


def test_reproduces_the_published_board(shared):
    data = shared / "data"
    board = pd.read_csv(data / "board_multilingual_v2_per_task.csv", index_col="Model")
    scores = board.drop(columns="Unnamed: 0")
    summary = pd.read_csv(data / "board_multilingual_v2_summary.csv", index_col=0)
    names = summary["Model"].str.extract(r"\[(.*?)\]")[0].fillna(summary["Model"])
    published = pd.Series(summary["Rank (Borda)"].to_numpy(), index=names)
    ours = borda(scores, "mteb")["rank"]
    assert len(published) == 447
    pd.testing.assert_series_equal(
        ours.reindex(published.index), published.astype(float), check_names=False
    )
