"""The figures of a study."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest

import robustrank as rr
from robustrank.errors import EmptyMatrixError, ParameterError, UnknownLabelError
from robustrank.figures import style
from robustrank.grid.plots import StudyFigure, StudyPlots
from tests.conftest import random_scores
from tests.figures.layout import assert_readable

CELL = {"language": "aaa", "task_type": "STS"}
OPTIONS = {
    "composition_variance": CELL,
    "consistency": {"language": "aaa"},
    "rank_distribution": CELL,
    "rankings": CELL,
    "scheme_variance": CELL,
}


@pytest.fixture(scope="module")
def study() -> rr.Study:
    """Three languages, two task types; d0 and d1 repeat each other, ccc has a single dataset."""
    tasks = pd.DataFrame(
        {
            "task_type": ["STS", "STS", "STS", "Retrieval", "Retrieval"],
            "languages": ["aaa", "aaa", "aaa;bbb", "bbb", "bbb;ccc"],
        },
        index=["d0", "d1", "d2", "d3", "d4"],
    )
    scores = random_scores(14, 5)
    scores = scores.assign(d1=scores["d0"] + 0.01 * scores["d2"])
    return rr.study(rr.ScoreMatrix(scores, tasks), top_k=4, languages=["ccc", "bbb", "aaa"])


def draw(study: rr.Study, kind: str, **options):
    with style.detached():
        return study.plot(kind, **{**OPTIONS.get(kind, {}), **options})


def rows(ax) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def columns(ax) -> list[str]:
    return [label.get_text() for label in ax.get_xticklabels()]


def cells(ax) -> np.ndarray:
    return np.hstack([image.get_array().filled(np.nan) for image in ax.images])


def test_every_figure_has_a_name():
    assert StudyPlots.kinds() == sorted(get_args(StudyFigure))


@pytest.mark.parametrize("kind", get_args(StudyFigure))
def test_every_figure_is_readable_and_always_the_same(study, kind):
    assert_readable(draw(study, kind))
    assert style.render(draw(study, kind), "svg") == style.render(draw(study, kind), "svg")


@pytest.mark.parametrize(("kind", "column"), [("ess", "ess"), ("n", "n")])
def test_cells_come_with_the_strongest_language_first(study, kind, column):
    ax = draw(study, kind)
    order = study.languages["ess"].sort_values(ascending=False).index
    assert rows(ax) == list(order)
    assert columns(ax) == study.plan.task_types
    expected = study.cells[column].unstack().loc[order, study.plan.task_types].to_numpy(float)
    np.testing.assert_array_equal(cells(ax), np.where(expected == 0, np.nan, expected))


def test_evidence_and_languages_have_the_same_order(study):
    assert rows(draw(study, "evidence")) == rows(draw(study, "ess"))
    ax = draw(study, "languages")
    assert rows(ax) == rows(draw(study, "ess"))
    drawn = ax.collections[-1].get_offsets()[:, 0]
    assert drawn.tolist() == pytest.approx(list(study.languages.loc[rows(ax), "ess"]))


def test_rows_left_out_are_called_by_the_field(study):
    assert rows(draw(study, "evidence", top=1))[-1] == "… and 2 more languages"


def test_coverage_and_leaders_are_those_of_the_study(study):
    share = study.coverage().mean(axis=1)
    ax = draw(study, "coverage")
    assert rows(ax) == list(share.index)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(list(share))
    ax = draw(study, "leading")
    assert columns(ax) == list(share.index)
    leads = study.coverage().loc[columns(ax), rows(ax)].T.to_numpy()
    np.testing.assert_array_equal(~np.isnan(cells(ax)), leads)
    weighted = study.coverage_weighted.loc[columns(ax), rows(ax)].T.to_numpy()
    np.testing.assert_array_equal(cells(ax)[leads], weighted[leads])
    assert len(rows(draw(study, "coverage", places=3))) > len(share)


@pytest.mark.parametrize(
    ("kind", "table", "value"),
    [("consistency", "consistency", "consistency"), ("rankings", "dendrogram", "rank")],
)
def test_trees_have_the_order_of_their_tables(study, kind, table, value):
    tidy = study.figure_data(table, **OPTIONS[kind])
    order = list(tidy["model"].unique())
    ax = draw(study, kind)
    assert rows(ax)[: len(order)] == order
    np.testing.assert_array_equal(cells(ax), tidy[value].to_numpy().reshape(len(order), -1))


@pytest.mark.parametrize(
    ("kind", "name"), [("scheme_variance", "ST"), ("composition_variance", "SN")]
)
def test_variances_are_those_of_their_table(study, kind, name):
    tidy = study.figure_data("variance", **CELL)
    tidy = tidy[tidy["kind"] == name]
    ax = draw(study, kind, top=None)
    assert rows(ax) == list(tidy["model"].unique())
    assert columns(ax) == list(tidy["name"].unique())
    np.testing.assert_array_equal(cells(ax), tidy["value"].to_numpy().reshape(len(rows(ax)), -1))


def test_models_come_by_mean_rank(study):
    ranks = study.ranks("aaa", "STS").mean(axis=1).sort_values()
    ax = draw(study, "rank_distribution", top=3)
    assert rows(ax)[-1] == f"… and {len(ranks) - 3} more models"
    assert ranks[rows(ax)[:3]].tolist() == pytest.approx(list(ranks.iloc[:3]))


def test_says_what_is_wrong(study):
    with pytest.raises(EmptyMatrixError, match="ccc × Retrieval has a single composition"):
        draw(study, "composition_variance", language="ccc", task_type="Retrieval")
    with pytest.raises(UnknownLabelError, match=r"kind of figure 'evidenc'.*'evidence'"):
        draw(study, "evidenc")
    for kind in ("coverage", "leading"):
        with pytest.raises(ParameterError, match=r"places must be .* at least 1; got 0"):
            draw(study, kind, places=0)
    with pytest.raises(UnknownLabelError, match=r"language 'xxx'"):
        draw(study, "rankings", language="xxx")
