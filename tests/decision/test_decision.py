"""What would change the answer, asked all at once."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from robustrank.decision import QUESTIONS, DecisionSupport
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.matrix import ScoreMatrix
from tests.conftest import random_scores

TYPES = ["Retrieval", "STS", "Clustering"]


def board(m=12, n=9, seed=0):
    scores = random_scores(m, n, seed)
    datasets = pd.DataFrame({"task_type": np.resize(TYPES, n)}, index=scores.columns)
    return ScoreMatrix(scores, datasets=datasets)


@pytest.fixture(scope="module")
def found():
    return rr.decision_support(board(), n_draws=500)


def test_every_question_is_answered_as_its_own_function_answers_it(found):
    matrix = board()
    assert found.left_out == {}
    assert [name for name, _ in found.answers()] == list(QUESTIONS)
    alone = {
        "acceptability": rr.smaa(matrix, by="task_type", n_draws=500),
        "change": rr.smallest_change(matrix),
        "influence": rr.dataset_influence(matrix),
        "ranks": rr.rank_confidence_sets(matrix),
        "best": rr.model_confidence_set(matrix),
        "needed": rr.datasets_needed(matrix),
        "suite": rr.short_suite(matrix),
        "winner": rr.correct_winner(matrix),
    }
    for name, answer in found.answers():
        for key, table in alone[name].tables().items():
            pd.testing.assert_frame_equal(answer.tables()[key], table, obj=f"{name}.{key}")


def test_the_summary_has_every_question_and_its_answer(found):
    said = " ".join(found.summary().split())
    for name, answer in found.answers():
        assert QUESTIONS[name] in said
        assert " ".join(answer.headline.split()) in said
    assert "DecisionSupport" in repr(found)


def test_clusters_are_weighed_where_task_types_are_unknown_or_one():
    assert rr.decision_support(random_scores(10, 6), n_draws=50).settings["weights"] == "clusters"
    assert rr.decision_support(random_scores(9, 6), n_draws=50).settings["weights"] == "datasets"
    one = board().select(task_type="STS")
    assert rr.decision_support(one, n_draws=50).settings["weights"] == "clusters"


def test_settings_reach_the_questions():
    found = rr.decision_support(
        board(),
        by="clusters",
        tau=0.5,
        top_k=3,
        confidence_level=0.8,
        power=0.6,
        n_draws=77,
        seed=5,
    )
    assert found.influence.settings["by"] == found.ranks.settings["by"] == "clusters"
    assert found.needed.settings["by"] == found.winner.settings["by"] == "clusters"
    assert found.ranks.settings["confidence_level"] == 0.8
    assert found.best.settings["alpha"] == pytest.approx(0.2)
    assert found.needed.settings["power"] == 0.6
    assert found.suite.settings["tau"] == 0.5
    assert found.acceptability.settings["n_draws"] == 77
    assert found.winner.settings["seed"] == 5


@pytest.mark.parametrize(
    "scores",
    [
        pd.DataFrame({"d1": [0.5, 0.4, 0.3]}, index=list("abc")),
        pd.DataFrame([[0.5, 0.6, 0.7], [0.4, 0.7, 0.1]], index=list("ab")),
        pd.DataFrame(np.full((4, 5), 0.5)),
        pd.DataFrame(np.tile(np.linspace(0.1, 0.9, 5)[:, None], (1, 4))),
    ],
    ids=["one dataset", "two models", "all equal", "one order"],
)
def test_boards_that_say_little_say_so(scores):
    found = rr.decision_support(ScoreMatrix(scores.to_numpy()), n_draws=50)
    assert set(found.left_out) | {name for name, _ in found.answers()} == set(QUESTIONS)
    unanswered = [note for note in found.notes if note.code == "unanswered"]
    assert len(unanswered) == len(found.left_out)
    assert "nan" not in found.summary().lower()
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_is_wrong_is_refused_before_any_work():
    with pytest.raises(ParameterError, match=r"by must be 'datasets' or 'clusters'; got 'task'"):
        rr.decision_support(board(), by="task")
    with pytest.raises(ParameterError, match="tau"):
        rr.decision_support(board(), tau=1.5)
    with pytest.raises(ParameterError, match="power"):
        rr.decision_support(board(), power=1.0)
    with pytest.raises(EmptyMatrixError):
        rr.decision_support(pd.DataFrame([[0.5, 0.6]], index=["alone"]))


def test_everything_is_saved(found, tmp_path):
    written = found.save(tmp_path / "out")
    assert all(path.is_file() for path in written)
    saved = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert saved == json.loads(json.dumps(found.to_dict()))
    assert {path.parent.name for path in written} >= set(QUESTIONS)


def test_missing_scores_set_a_model_aside_and_say_so():
    matrix = board()
    scores = matrix.scores.copy()
    scores.iloc[3, 2] = np.nan
    found = rr.decision_support(ScoreMatrix(scores, datasets=matrix.datasets), n_draws=50)
    assert any(note.code == "dropped-models" for note in found.notes)
    assert scores.index[3] not in found.winner.settings
    assert len(found.ranks.table) == len(scores) - 1


def test_the_command_prints_and_saves(tmp_path):
    table = tmp_path / "scores.csv"
    random_scores(6, 5).rename_axis("model").to_csv(table)
    done = CliRunner().invoke(app, ["decide", str(table), "-q", "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    for question in QUESTIONS.values():
        assert question in done.stdout
    assert (tmp_path / "out" / "summary.txt").read_text("utf-8").strip() == done.stdout.strip()
    as_json = CliRunner().invoke(app, ["decide", str(table), "-q", "--json"])
    assert set(QUESTIONS) <= set(json.loads(as_json.stdout))
    wrong = CliRunner().invoke(app, ["decide", str(table), "--tau", "2"])
    assert wrong.exit_code == 1
    assert "tau" in wrong.stderr.splitlines()[-1]


def test_an_analysis_asks_on_demand_and_its_page_shows_it():
    matrix = board()
    plain = rr.analyze(matrix, n_resamples=100, n_refits=4)
    asked = rr.analyze(matrix, n_resamples=100, n_refits=4, decision=True)
    assert plain.decision is None
    assert isinstance(asked.decision, DecisionSupport)
    assert "What would change" not in plain.to_html()
    page = asked.to_html()
    for question in QUESTIONS.values():
        assert question in page
    assert plain.to_dict()["decision"] is None
    assert asked.to_dict()["decision"]["settings"]["by"] == "datasets"
