from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import robustrank as rr
from robustrank.errors import ParameterError
from robustrank.grid.changes import compare_studies
from tests.conftest import random_scores

FLAGS = ["same_q", "same_level", "same_first", "overlap"]
NAMES = ["models_in", "models_out", "datasets_in", "datasets_out"]


def typed(scores: pd.DataFrame, about: dict[str, tuple[str, str]]) -> rr.ScoreMatrix:
    """A matrix with dataset → (task type, languages)."""
    table = pd.DataFrame.from_dict(about, orient="index", columns=["task_type", "languages"])
    return rr.ScoreMatrix(scores, table, scale="unit")


#: slv has three STS datasets and one of classification, pol one of each.
ABOUT = {
    "d0": ("STS", "slv,pol"),
    "d1": ("STS", "slv"),
    "d2": ("STS", "slv"),
    "d3": ("Classification", "slv,pol"),
}


def board(seed: int = 0) -> rr.ScoreMatrix:
    return typed(random_scores(12, 4, seed), ABOUT)


@pytest.fixture(scope="module")
def snapshots() -> tuple[rr.Study, rr.Study]:
    """A study, and one without its best model, with another model and another dataset."""
    scores = random_scores(13, 5)
    first = scores.drop(index="m12", columns="d4")
    best = str(first.mean(axis=1).idxmax())
    later = scores.drop(index=best)
    return (
        rr.study(typed(first, ABOUT)),
        rr.study(typed(later, {**ABOUT, "d4": ("Retrieval", "pol,ces")})),
    )


def test_a_study_compared_with_itself_changes_nothing():
    study = rr.study(board())
    found = study.compare(study)
    pd.testing.assert_index_equal(found.index, study.cells.index)
    assert found[FLAGS].all(axis=None)
    assert found["kendall_tau"].to_numpy() == pytest.approx(1)
    assert (found["n_shared"] == 12).all()
    assert (found[["n_models_in", "n_models_out"]] == 0).all(axis=None)
    assert found[NAMES].isna().all(axis=None)
    for name in ("n", "q", "level", "ess", "most_consistent_model", "consistency", "leader"):
        expected = study.cells[name].tolist()
        assert found[name].tolist() == found[f"{name}_other"].tolist() == expected


def test_a_dropped_model_and_an_added_dataset_are_named(snapshots):
    base, later = snapshots
    gone = base.cells.loc[("slv", "STS"), "leader"]
    found = compare_studies(base, later)
    both = found[found["n_shared"].notna()]
    assert set(both.index) == set(base.cells.index)
    assert (both["models_out"] == gone).all()
    assert (both["models_in"] == "m12").all()
    assert (both[["n_models_in", "n_models_out"]] == 1).all(axis=None)
    assert (both["n_shared"] == 11).all()
    assert not found.loc[("slv", "STS"), "overlap"]
    added = found.loc[("pol", "Retrieval")]
    assert pd.isna(added["n"])
    assert (added["n_other"], added["n_models_other"]) == (1, 12)


def test_datasets_that_come_and_go_are_named_where_a_cell_is_in_both():
    base = rr.study(board())
    scores = random_scores(12, 4).rename(columns={"d1": "new"})
    later = rr.study(typed(scores, {**ABOUT, "new": ("STS", "slv")}))
    found = compare_studies(base, later)
    assert found.loc[("slv", "STS"), "datasets_in"] == "new"
    assert found.loc[("slv", "STS"), "datasets_out"] == "d1"
    rest = found.drop(index=("slv", "STS"))
    assert rest[["datasets_in", "datasets_out"]].isna().all(axis=None)
    assert found.loc[("slv", "STS"), "kendall_tau"] == pytest.approx(1)  # the scores are the same


def test_a_cell_that_only_one_study_ranks_has_no_verdict(snapshots):
    base, later = snapshots
    found = compare_studies(base, later)
    assert list(found.index) == [
        (language, task)
        for language in ("pol", "slv", "ces")
        for task in ("Classification", "STS", "Retrieval")
    ]
    for cell in [("pol", "Retrieval"), ("slv", "Retrieval"), ("ces", "STS")]:
        row = found.loc[cell]
        assert row[[*FLAGS, "kendall_tau", "n_shared", "n_models_in", *NAMES]].isna().all(), cell
        assert pd.isna(row["n"]), cell
        assert pd.isna(row["most_consistent_model"]), cell
    assert found.loc[("ces", "STS"), ["n_other", "n_models_other"]].tolist() == [0, 0]


def test_the_other_way_round_gains_become_losses(snapshots):
    base, later = snapshots
    forth, back = compare_studies(base, later), compare_studies(later, base)
    back = back.reindex(forth.index)
    swap = {
        **{name: f"{name}_other" for name in forth if f"{name}_other" in forth},
        **{name.replace("out", "in"): name for name in forth if name.endswith("_out")},
    }
    swap |= {new: old for old, new in swap.items()}
    pd.testing.assert_frame_equal(back.rename(columns=swap)[list(forth)], forth)


def test_tau_is_that_of_the_mean_ranks_of_shared_models(snapshots):
    base, later = snapshots
    found = compare_studies(base, later)
    for cell in base.cells.index:
        one, two = (study.ranks(*cell).mean(axis=1).round(10) for study in (base, later))
        shared = one.index.intersection(two.index)
        expected = kendalltau(one[shared], two[shared]).statistic
        assert found.loc[cell, "kendall_tau"] == pytest.approx(expected), cell


def test_a_reversed_board_has_tau_minus_one_and_no_overlap():
    scores = random_scores(12, 1).rename(columns={"d0": "d3"})
    about = {"d3": ABOUT["d3"]}
    row = compare_studies(rr.study(typed(scores, about)), rr.study(typed(1 - scores, about)))
    assert row["kendall_tau"].to_numpy() == pytest.approx(-1)
    assert not row[["same_first", "overlap"]].any(axis=None)
    assert row[["same_q", "same_level"]].all(axis=None)


def test_one_of_two_tied_models_overlaps_and_is_not_the_same():
    scores = random_scores(6, 1)
    top, second, third = scores["d0"].sort_values(ascending=False).index[:3]
    two, others = scores.copy(), scores.copy()
    two.loc[second] = two.loc[top]
    others.loc[[second, third]] = 0.99
    studies = [rr.study(typed(table, {"d0": ("STS", "slv")})) for table in (scores, two, others)]
    sets = [{top}, {top, second}, {second, third}]
    for i, j, overlap in [(0, 1, True), (1, 0, True), (1, 2, True), (0, 2, False)]:
        row = compare_studies(studies[i], studies[j]).iloc[0]
        assert set(row["most_consistent_model"].split(" = ")) == sets[i]
        assert set(row["most_consistent_model_other"].split(" = ")) == sets[j]
        assert (row["same_first"], row["overlap"]) == (False, overlap), (i, j)


def test_tau_is_undefined_where_fewer_than_two_models_are_shared_or_all_tie():
    about = {"d0": ("STS", "slv")}
    scores = random_scores(4, 1)
    other = random_scores(4, 1, seed=1).rename(index={"m1": "x", "m2": "y", "m3": "z"})
    row = compare_studies(rr.study(typed(scores, about)), rr.study(typed(other, about))).iloc[0]
    assert (row["n_shared"], row["models_in"], row["models_out"]) == (1, "x, y, z", "m1, m2, m3")
    assert np.isnan(row["kendall_tau"])
    flat = rr.study(typed(scores * 0 + 0.5, about))
    assert np.isnan(compare_studies(flat, flat)["kendall_tau"]).all()


def test_neither_order_of_models_nor_of_datasets_changes_anything():
    scores, later = random_scores(12, 4), random_scores(12, 4, seed=1)
    expected = compare_studies(rr.study(typed(scores, ABOUT)), rr.study(typed(later, ABOUT)))
    turned = (table.iloc[::-1, ::-1] for table in (scores, later))
    found = compare_studies(*(rr.study(typed(table, ABOUT)) for table in turned))
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


def test_studies_by_other_fields_cannot_be_compared():
    base = rr.study(board())
    other = rr.study(board(), by=("task_type", "language"))
    with pytest.raises(ParameterError, match=r"task_type × language.*same by=") as caught:
        base.compare(other)
    assert caught.value.labels == ("task_type", "language")


def test_two_snapshots_of_mteb(shared):
    studies = {}
    for name in ("dec2025", "aug2026"):
        studies[name] = rr.study(
            shared / f"data/mteb_multilingual_v2_{name}.parquet",
            tasks=shared / f"data/tasks_multilingual_v2_{name}.csv",
            models=shared / f"data/models_{name}.parquet",
            preset="papers",
            languages=["slv"],
        )
    found = studies["dec2025"].compare(studies["aug2026"])
    row = found.loc[("slv", "BitextMining")]
    assert (row["n_models"], row["n_models_other"]) == (96, 118)
    assert (row["n_shared"], row["n_models_in"], row["n_models_out"]) == (95, 23, 1)
    assert row["models_out"] == "bflhc/Octen-Embedding-8B"
    assert len(row["models_in"].split(", ")) == 23
    assert row["kendall_tau"] > 0.99
    assert found["same_q"].all()
    assert not found.loc[("slv", "Retrieval"), "overlap"]
