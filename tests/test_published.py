"""What the two papers print, and every real matrix, against the analysis."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from tests.conftest import NUMBERS, analyze, note_codes
from tests.test_agreement import naive_w
from tests.test_redundancy import PUBLISHED


def load_published():
    """What the papers state, as the documentation holds it."""
    path = Path(__file__).resolve().parents[1] / "docs" / "published.py"
    spec = importlib.util.spec_from_file_location("published", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


published = load_published()


def naive(analysis: rr.Analysis) -> tuple[dict, dict, pd.DataFrame, pd.DataFrame, pd.Series]:
    """W over schemes and picks, ST, SN and consistency, with loops, from the ranks."""
    ranks = analysis.rankings.ranks
    compositions = list(analysis.redundancy.compositions.index)
    picks = compositions[1:] or ["all"]
    schemes = list(rr.SCHEMES)
    w_schemes = {c: naive_w(ranks[c].to_numpy()) for c in compositions}
    w_compositions = {
        s: naive_w(np.column_stack([ranks[(c, s)] for c in picks])) if len(picks) > 1 else np.nan
        for s in schemes
    }
    st_, sn, tc = {}, {}, {}
    for model in ranks.index:
        row = ranks.loc[model]
        st_[model] = {c: np.var([row[(c, s)] for s in schemes]) for c in compositions}
        sn[model] = {s: np.var([row[(c, s)] for c in compositions]) for s in schemes}
        tc[model] = np.mean([max(0, 11 - row[(c, s)]) / 10 for c in picks for s in schemes])
    return w_schemes, w_compositions, pd.DataFrame(st_).T, pd.DataFrame(sn).T, pd.Series(tc)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_pairs_agree_with_a_naive_oracle(shared, name):
    analysis = analyze(shared / "data" / "matrices" / f"{name}.csv")
    w_schemes, w_compositions, st_, sn, tc = naive(analysis)
    approx = pytest.approx
    assert analysis.agreement.w_schemes.to_dict() == approx(w_schemes, abs=1e-12)
    assert analysis.agreement.w_compositions.to_dict() == approx(w_compositions, abs=1e-12)
    pd.testing.assert_frame_equal(
        analysis.agreement.scheme_variance, st_, check_names=False, atol=1e-9
    )
    pd.testing.assert_frame_equal(
        analysis.agreement.composition_variance, sn, check_names=False, atol=1e-9
    )
    pd.testing.assert_series_equal(analysis.consistency, tc, check_names=False, atol=1e-12)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_model_that_the_paper_names_leads(shared, name):
    analysis = analyze(shared / "data" / "matrices" / f"{name}.csv")
    leader = analysis.to_frame()["mean_rank"].idxmin()
    assert leader.split("/")[1] in published.ROBUSTNESS[tuple(name.split("_"))].models


@pytest.mark.parametrize("language", ["slv", "srp", "bul", "pol"])
def test_published_cross_task_consistency(shared, language):
    tasks = {
        path.stem: analyze(path).consistency
        for path in sorted((shared / "data" / "matrices").glob(f"{language}_*.csv"))
    }
    result = rr.coverage_weighted_consistency(tasks, n_tasks=8)
    printed = published.TABLE_11[language]
    assert result.index[0].split("/")[1] == printed.model
    assert round(result.iloc[0], 2) == printed.coverage_weighted


def test_every_published_matrix_is_analysed(shared):
    paths = sorted((shared / "data" / "matrices").glob("*.csv"))
    assert len(paths) > 50
    for path in paths:
        analysis = analyze(path)
        table = analysis.to_frame()
        assert table[NUMBERS].notna().all(axis=None), path.name
        assert table["rank"].is_monotonic_increasing
        assert json.dumps(analysis.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("board", "models"),
    [
        ("board_multilingual_v2_per_task.csv", 447),
        ("board_multilingual_v2_per_task_dec2025.csv", 361),
    ],
)
def test_boards_name_what_they_drop(shared, board, models):
    matrix = rr.read(shared / "data" / board)
    assert matrix.shape == (models, 131)
    analysis = analyze(matrix)
    dropped = next(note for note in analysis.notes if note.code == "dropped-models")
    assert len(dropped.labels) + len(analysis.matrix.scores) == models
    empty = [n.labels for n in analysis.notes if n.code == "empty-datasets"]
    assert empty == ([("FloresBitextMining",)] if models == 447 else [])
    kept = analyze(matrix, missing="keep")
    assert kept.matrix.shape == (models, 131 - len(empty))
    pd.testing.assert_frame_equal(
        kept.to_frame().dropna()[["mean", "rank"]], analysis.to_frame()[["mean", "rank"]]
    )


def test_the_result_folder_and_the_language_board(shared):
    folder = analyze(shared / "data" / "results")
    codes = note_codes(folder)
    assert folder.matrix.shape[0] >= 2
    assert {"dropped-models", "partial-scores"} <= set(codes)
    languages = analyze(shared / "data" / "board_multilingual_v2_per_language.csv")
    assert "language-means" in note_codes(languages)
    assert languages.matrix.shape[1] == 31


@pytest.mark.parametrize(
    ("models", "datasets"), [(2, 2), (3, 1), (2, 131), (447, 1), (5, 40), (447, 3)]
)
def test_parts_of_the_board_that_look_like_other_boards(shared, models, datasets):
    board = rr.read(shared / "data" / "board_multilingual_v2_per_task.csv").scores
    fullest = board.notna().sum().sort_values(ascending=False, kind="stable").index[:datasets]
    part = board.loc[board.index[:models], fullest]
    analysis = analyze(part)
    kept, given = len(analysis.matrix.scores), len(part)
    named = [len(n.labels) for n in analysis.notes if n.code in ("dropped-models", "empty-models")]
    assert kept + sum(named) == given
    assert analysis.to_frame()["rank"].notna().all()
    assert ("few-models" in note_codes(analysis)) == (kept < 10)
    assert json.dumps(analysis.to_dict(), allow_nan=False)
