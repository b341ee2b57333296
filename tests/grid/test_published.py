"""What the two papers print, cell by cell, against a study by their protocol."""

from __future__ import annotations

import pandas as pd
import pytest

import robustrank as rr
from robustrank.evidence import evidence_category
from tests.test_published import published

#: The one stated clustering that does not come out: one of its ten datasets has no results here.
MISSED = ("eng", "BitextMining")
#: Where the same dataset is the fourth, there are two distinct picks instead of three.
FEWER_PICKS = [("srp", "BitextMining"), ("hrv", "BitextMining")]


def study(shared, languages, task_types) -> rr.Study:
    return rr.study(
        shared / "data" / "mteb_multilingual_v2_dec2025.parquet",
        tasks=shared / "data" / "tasks_multilingual_v2_dec2025.csv",
        models=shared / "data" / "models_dec2025.parquet",
        preset="papers",
        languages=languages,
        task_types=task_types,
    )


@pytest.fixture(scope="module")
def robustness(shared) -> rr.Study:
    return study(shared, published.ROBUSTNESS_LANGUAGES, published.ROBUSTNESS_TASKS)


@pytest.fixture(scope="module")
def slavic(shared) -> rr.Study:
    return study(shared, (*published.SLAVIC_LANGUAGES, "pol"), published.SLAVIC_TASKS)


def column(found: rr.Study, name: str, cells) -> dict:
    return found.cells.loc[list(cells), name].to_dict()


def names(cell: object) -> set[str]:
    """The models of a cell, by the part of their name that the papers print."""
    return set() if pd.isna(cell) else {name.split("/")[-1] for name in cell.split(" = ")}


def test_what_the_papers_state_fits_together():
    for (_, task_type), row in published.ROBUSTNESS.items():
        assert (row.ds, row.rs) == (1 < row.q < row.n, row.n > 0), task_type
    fully = {
        language: sum(row.ds for (code, _), row in published.ROBUSTNESS.items() if code == language)
        for language in published.ROBUSTNESS_LANGUAGES
    }
    assert fully == published.FULLY_ROBUST
    for lower, category in published.TABLE_12.items():
        assert evidence_category(lower) == category


def test_numbers_of_datasets_and_clusters_of_robustness(robustness):
    stated = published.ROBUSTNESS
    assert len(stated) == len(robustness.cells) == 45
    assert column(robustness, "n", stated) == {cell: row.n for cell, row in stated.items()}
    clusters = {cell: row.q for cell, row in stated.items()}
    assert clusters[MISSED] == 2
    assert column(robustness, "q", stated) == clusters | {MISSED: 3}
    assert robustness.cells.loc[MISSED, "unscored"] == "FloresBitextMining"


def test_what_robustness_can_assess(robustness):
    stated = published.ROBUSTNESS
    assert column(robustness, "ds", stated) == {cell: row.ds for cell, row in stated.items()}
    assert column(robustness, "rs", stated) == {cell: row.rs for cell, row in stated.items()}


def test_a_model_that_robustness_names_leads_every_cell(robustness):
    named = {cell: row.models for cell, row in published.ROBUSTNESS.items() if row.models}
    assert len(named) == 39
    leaders = column(robustness, "leader", named)
    assert [cell for cell in named if not names(leaders[cell]) & named[cell]] == []


def test_correlations_with_the_leaderboard_on_single_datasets(robustness):
    """All schemes agree there, and the paper states single values: they tell what it compares."""
    stated = {cell: row.high for cell, row in published.BY_SCHEME.items() if row.low == row.high}
    assert len(stated) == 8
    table = robustness.baseline("language-mean").by_scheme
    found = table.groupby(["language", "task_type"])["mean"].mean()
    # "Nearly 0.94" is 0.93 here.
    assert {cell: found[cell] for cell in stated} == pytest.approx(stated, abs=0.0105)


def test_models_on_top_over_task_types(robustness):
    for language, stated in published.TASK_AGNOSTIC.items():
        counts = robustness.cross_task(language).mean(axis=1)
        last = counts.nlargest(len(stated)).iloc[-1]
        top = {name.split("/")[-1] for name in counts.index[counts >= last - 1e-9]}
        # In Hindi a fourth model ties with the third.
        tied = {"multilingual-e5-large-instruct"} if language == "hin" else set()
        assert top == stated | tied, language


def test_evidence_of_slavic_languages(slavic):
    stated = published.SLAVIC
    assert len(stated) == 48
    for name in ("n", "q", "level"):
        assert column(slavic, name, stated) == {c: getattr(row, name) for c, row in stated.items()}
    # A half is printed rounded up.
    assert {c: round(x + 1e-9, 2) for c, x in column(slavic, "ess", stated).items()} == {
        cell: row.ess for cell, row in stated.items()
    }


def test_numbers_of_rankings(slavic):
    stated = published.SLAVIC
    for name, fewer in (("n_unique", 2), ("n_rankings", 30)):
        expected = {cell: getattr(row, name) for cell, row in stated.items()}
        expected |= dict.fromkeys(FEWER_PICKS, fewer)
        assert column(slavic, name, stated) == expected


def test_most_consistent_models(slavic):
    printed = {cell: row for cell, row in published.SLAVIC.items() if row.model}
    assert len(printed) == 26
    models = column(slavic, "most_consistent_model", printed)
    assert [cell for cell, row in printed.items() if row.model not in names(models[cell])] == []
    assert [cell for cell in printed if len(names(models[cell])) > 1] == FEWER_PICKS
    empty = [cell for cell in published.SLAVIC if cell not in printed]
    assert slavic.cells.loc[empty, "most_consistent_model"].isna().all()
    consistency = column(slavic, "consistency", printed)
    expected = {cell: row.consistency for cell, row in printed.items()}
    assert {c: round(x, 2) for c, x in consistency.items()} == expected | dict.fromkeys(
        FEWER_PICKS, 0.82
    )


def test_languages_of_table_11(slavic):
    for language, row in published.TABLE_11.items():
        found = slavic.languages.loc[language]
        assert (found["category"], found["evaluable_tasks"]) == (row.category, row.evaluable_tasks)
        assert found["ess"] == pytest.approx(row.ess, abs=0.005)
        assert names(found["most_consistent_model"]) == {row.model}
        # Of Croatian's four task types one is bitext mining, with a dataset missing.
        expected = 0.29 if language == "hrv" else row.coverage_weighted
        assert found["coverage_weighted"] == pytest.approx(expected, abs=0.005)
