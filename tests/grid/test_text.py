from __future__ import annotations

import re

import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import ParameterError
from tests.conftest import random_scores
from tests.grid.planted import long_table, model_metadata, study, task_metadata


@pytest.fixture(scope="module")
def found() -> rr.Study:
    return study(level="language")


@pytest.fixture(scope="module")
def example() -> rr.Study:
    return rr.study(
        rr.load_example(), languages=["slv", "pol", "eng"], task_types=["STS", "Retrieval"]
    )


def line_of(study: rr.Study, label: str) -> str:
    """The line of the repr that a label begins."""
    (line,) = [line for line in repr(study).splitlines() if line.startswith(f"  {label:<11}")]
    return line


def test_repr_is_short_and_counts_right(found):
    lines = repr(found).splitlines()
    assert len(lines) <= 7
    # Of aaa both task types have datasets, of bbb both, of ccc "ghost" alone, without results.
    assert lines[0] == "Study of 3 languages × 2 task types: 6 cells, 5 with datasets"
    assert "4 cells (67%), on 4 different tables of scores with 12 models" in line_of(
        found, "Ranked"
    )
    evidence = line_of(found, "Evidence")
    assert evidence.endswith("E_RS+DS 1 cell (17%), E1 3 cells (50%), E0 2 cells (33%)")
    assert "schemes can be assessed in 1 cell (17%)" in line_of(found, "Stability")
    assert line_of(found, "Stability").endswith("compositions in 1 cell (17%)")


def test_findings_agree_with_the_tables(example):
    cells = example.cells
    for level, number in cells["level"].value_counts().items():
        assert re.search(rf"\b{re.escape(level)} {number} cells?\b", line_of(example, "Evidence"))
    several = cells[cells["n_rankings"] > 1]
    w = several["w_schemes"]
    assert f"over schemes {w.min():.2f} to {w.max():.2f}" in line_of(example, "Agreement")
    leads = line_of(example, "Leads")
    for model, number in example.languages["most_consistent_model"].value_counts().items():
        assert f"{model} in {number}" in leads
    for category, number in example.languages["category"].value_counts().items():
        assert f"{category} {number}" in line_of(example, "Strength")


def test_without_several_rankings_there_is_no_agreement_to_report(found):
    single = study(level="language", languages="bbb")
    assert "Agreement" not in repr(single)
    assert "can be assessed in 0 cells (0%)" in line_of(single, "Stability")
    assert "Agreement" in repr(found)


def test_summary_lists_the_languages_with_the_strongest_evidence(example):
    order = list(example.languages["ess"].sort_values(ascending=False).index)
    assert order[0] != example.languages.index[0]
    for top in (1, 2, 3):
        lines = example.summary(top).splitlines()
        start = lines.index(f"Strongest evidence: {top} of 3, by language")
        assert [line.split()[0] for line in lines[start + 2 : start + 2 + top]] == order[:top]
        assert lines[start + 2 + top] == ""
    lines = example.summary().splitlines()
    start = lines.index("By task type")
    assert [line.split()[0] for line in lines[start + 2 : start + 4]] == ["STS", "Retrieval"]
    with pytest.raises(ParameterError, match="top must be a whole number of at least 1; got 0"):
        example.summary(0)


def caveats(study: rr.Study) -> list[str]:
    lines = study.summary().replace("\n           ", " ").splitlines()
    return [line.removeprefix("Caveat     ") for line in lines if line.startswith("Caveat")]


def test_caveats_that_bite_are_counted(found):
    assert caveats(found) == [
        "3 cells with a single dataset: its best model counts as consistent",
        (
            "1 dataset without results, or with those of too few models, counted in n and in no "
            "ranking"
        ),
    ]
    tasks = task_metadata().query("task in ('wide', 'twin', 'other')")
    clean = rr.study(
        long_table().query("task_type == 'Retrieval'"),
        tasks=tasks,
        languages="aaa",
        level="language",
    )
    assert caveats(clean) == []


def test_a_model_that_leads_by_a_partial_score_is_named():
    table = long_table()
    gone = (table["model"] == "org/m11") & (table["task"] == "solo") & (table["subset"] == "bbb")
    found = study(table[~gone])
    assert "org/m11" in found.cells.loc[("aaa", "STS"), "most_consistent_model"]
    (told,) = [line for line in caveats(found) if "only a part" in line]
    assert told.startswith("2 cells where the most consistent model (org/m11) may owe its place")
    assert not any("only a part" in line for line in caveats(study()))


def test_cells_that_the_filter_empties_are_counted():
    table, tasks = long_table(), task_metadata()
    alone = (table["task"] == "solo") & (table["model"] > "org/m02")
    found = rr.study(
        table[~alone],
        tasks=tasks,
        models=model_metadata(),
        filters=rr.ModelFilter(open_weights=True, known="n_parameters"),
    )
    assert "2 cells with results by which no two models could be ranked" in caveats(found)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {},
            [
                "by scores that are means over all languages of the dataset",
                "Models take part that have scores on all datasets of the cell.",
                "only a part of their dataset were kept; datasets on which less than 10% of",
                "the connected components (single linkage) made the clusters of each cell.",
                "3 distinct compositions of one dataset per cluster, drawn at random (seed 0)",
                "Models were ranked by 15 schemes of multi-criteria",
            ],
        ),
        (
            {"level": "language", "correlation": "spearman", "tau": 0.8, "linkage": "complete"},
            [
                "over the subsets of the dataset in that language",
                "a member of the other, was above 0.8; this complete linkage made the clusters",
                "the weakest Spearman correlation",
            ],
        ),
        (
            {"n_compositions": 0, "consistency": "membership", "top_k": 3, "saturation": 8},
            [
                "Models were ranked on all datasets of a cell.",
                "with a rank of at most 3",
                "cross-task consistency CT(3)",
                "min(n/8, 1)/4",
            ],
        ),
        (
            {
                "schemes": ["wsm/equal", "topsis/equal"],
                "partial_scores": "drop",
                "min_coverage": 0.25,
                "n_resamples": 20,
                "confidence_level": 0.8,
                "seed": 7,
            },
            [
                "by 2 schemes of multi-criteria decision making (wsm/equal, topsis/equal; engine",
                "only a part of their dataset were left out; datasets on which less than 25%",
                "drawn at random (seed 7)",
                "Rank intervals (80%) and chances of being first are from 20 resamples of",
                "of the datasets of each cell (seed 7).",
            ],
        ),
    ],
)
def test_methods_say_what_was_done(settings, said):
    text = study(**settings).methods
    for part in said:
        assert part in text


def test_methods_say_who_took_part():
    chosen = rr.ModelFilter(
        open_weights=True,
        zero_shot=True,
        known=("n_parameters", "embed_dim"),
        complete="task-type",
        released_until="2025-01-01",
        max_parameters=1e9,
    )
    assert (
        "Models take part that have scores on all datasets of the task type; have open weights; "
        "were trained on none of the datasets of the task type (models whose training data are "
        "unknown were left out); have a known n_parameters, embed_dim; were released on "
        "2025-01-01 or earlier; and have at most 1,000,000,000 parameters."
    ) in study(filters=chosen, schemes="wsm/equal").methods
    kept = rr.ModelFilter(zero_shot=True, unknown_training_data="keep")
    assert (
        "whose training data are unknown were kept)"
        in study(filters=kept, schemes="wsm/equal").methods
    )
    some = rr.ModelFilter(open_weights=True, known="n_parameters")
    assert study(filters=some, schemes="wsm/equal").methods.startswith(
        "We studied 10 models on 4 datasets with"
    )
    assert (
        ", after Gjorgjevikj et al. (2026)." in study(preset="papers", schemes="wsm/equal").methods
    )
    assert "after Gjorgjevikj" not in study(schemes="wsm/equal").methods


def test_methods_count_and_give_the_sources(found):
    text = found.methods
    assert text.startswith("We studied 12 models on 4 datasets with robustrank ")
    assert "in 3 languages and 2 task types." in text
    for source in (
        "Dataset Scarcity Limits Robust Evaluation",
        "On the Robustness of Multilingual",
    ):
        assert source in text
    assert "Rank intervals" not in text
    assert "\n" not in text


def test_other_fields_are_named_as_they_are():
    found = study(by=("task_type", "n_subsets"))
    assert repr(found).startswith("Study of 2 task types × 2 values of n subsets: 4 cells")
    assert "A cell is a task type and a n subsets" in found.methods


def test_html_escapes_and_holds_languages_and_notes():
    name = "<script>alert(1)</script>"
    table = long_table()
    table["model"] = table["model"].replace("org/m11", name)
    text = study(table)._repr_html_()
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert text.count("<div>") == text.count("</div>") == 1
    assert "<td>aaa</td>" in text
    assert "Notes (" in text


def test_names_cannot_break_a_line_or_drive_a_terminal():
    scores = random_scores(6, 2).rename(index={"m0": "two\x1b[31m\u2028lines"})
    scores.iloc[0] = 0.995
    fields = {"task_type": "STS", "languages": "aaa"}
    found = rr.study(rr.ScoreMatrix(scores, pd.DataFrame(fields, index=scores.columns)))
    assert list(found.cells["most_consistent_model"]) == [scores.index[0]]
    for text in (repr(found), found.summary(), found.to_markdown("cells"), found.to_latex("cells")):
        assert "\x1b" not in text
        assert "\u2028" not in text
        assert "31m lines" in text
