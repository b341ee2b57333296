"""Properties that hold for any matrix."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robustrank as rr
from tests.conftest import NUMBERS, analyze, frame, note_codes, score_frames


@given(score_frames(min_datasets=1))
@settings(max_examples=80)
def test_any_small_matrix(scores):
    analysis = analyze(scores)
    table = analysis.to_frame()
    assert sorted(table.index) == sorted(scores.index)
    assert table[NUMBERS].notna().all(axis=None)
    assert table["rank"].is_monotonic_increasing
    assert table["rank"].sum() == len(scores) * (len(scores) + 1) / 2
    assert analysis.winners.sum() == pytest.approx(1.0)
    constant = set(scores.columns[scores.nunique() == 1])
    assert constant == set(analysis.redundancy.clusters.index[analysis.redundancy.clusters == 0])
    assert ("constant-datasets" in note_codes(analysis)) == bool(constant)
    assert json.dumps(analysis.to_dict(), allow_nan=False)


@given(score_frames(min_datasets=2), st.randoms())
@settings(max_examples=40)
def test_order_changes_no_bit(scores, random):
    rows, columns = list(scores.index), list(scores.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    one, other = analyze(scores), analyze(scores.loc[rows, columns])
    # Models that tie stay in the order given, so compare the tables by name.
    pd.testing.assert_frame_equal(
        one.to_frame().sort_index(), other.to_frame().sort_index(), check_exact=True
    )
    assert one.redundancy.clusters.to_dict() == other.redundancy.clusters.to_dict()
    assert one.agreement.w_schemes.to_dict() == pytest.approx(
        other.agreement.w_schemes.to_dict(), rel=0, abs=0, nan_ok=True
    )


@given(score_frames(min_datasets=2))
@settings(max_examples=40)
def test_names_change_no_number(scores):
    models = {name: f"x{len(scores) - i}" for i, name in enumerate(scores.index)}
    datasets = {name: f"y{i * 7 % 13}" for i, name in enumerate(scores.columns)}
    one, other = analyze(scores), analyze(scores.rename(index=models, columns=datasets))
    pd.testing.assert_frame_equal(
        one.to_frame().rename(index=models).sort_index(),
        other.to_frame().sort_index(),
        atol=1e-12,
        rtol=0,
    )


def test_names_change_nothing_where_datasets_hold_the_same_scores_in_another_order():
    rng = np.random.default_rng(0)
    base = rng.permutation(40)
    noisy = [np.argsort(np.argsort(base + rng.normal(0, 3, 40))) for _ in range(6)]
    scores = frame((np.column_stack(noisy) + 1) / 40)
    names = dict(zip(scores, ["f", "b", "e", "a", "d", "c"], strict=True))
    one, other = analyze(scores, tau=0.95), analyze(scores.rename(columns=names), tau=0.95)
    assert one.redundancy.n_unique > 1
    assert one.to_frame().equals(other.to_frame())
    assert one.redundancy.compositions.rename(columns=names).equals(other.redundancy.compositions)


@given(score_frames(min_datasets=2))
@settings(max_examples=40)
def test_percent_changes_no_result(scores):
    one, other = analyze(scores), analyze(scores * 100)
    pd.testing.assert_frame_equal(one.to_frame(), other.to_frame(), atol=1e-12, rtol=0)


@given(score_frames(min_models=3, min_datasets=2))
@settings(max_examples=40)
def test_a_copy_of_a_dataset_joins_its_cluster(scores):
    one = rr.find_redundancy(scores)
    copied = rr.find_redundancy(scores.assign(copy=scores["d0"]))
    grown = int(one.clusters["d0"] > 0)
    assert (copied.n, copied.q) == (one.n + grown, one.q)
    assert copied.clusters["copy"] == copied.clusters["d0"]
    assert "identical-datasets" in note_codes(analyze(scores.assign(copy=scores["d0"])))


@given(score_frames(min_datasets=2))
@settings(max_examples=40)
def test_a_copy_of_a_model_ties_with_it_everywhere(scores):
    twin = pd.concat([scores, scores.iloc[[0]].rename(index={"m0": "twin"})])
    analysis = analyze(twin)
    ranks = analysis.rankings.ranks
    np.testing.assert_array_equal(ranks.loc["m0"], ranks.loc["twin"])
    table = analysis.to_frame()
    assert table.loc["m0"].equals(table.loc["twin"])
    assert "identical-models" in note_codes(analysis)
