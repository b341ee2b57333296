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
from robustrank.errors import EmptyMatrixError, InputError, ParameterError
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


def test_datasets_are_weighed_where_all_repeat_each_other():
    scores = random_scores(12, 4)
    copies = scores[["d1"]].to_numpy() + 0.01 * scores.to_numpy()
    found = rr.decision_support(copies, n_draws=50)
    assert found.settings["weights"] == "datasets"
    assert found.acceptability.noun == "dataset"


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
    assert found.needed.settings["alpha"] == 0.2  # not 0.19999999999999996
    assert found.needed.settings["confidence_level"] == 0.8
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


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"by": "task"}, r"by must be 'datasets' or 'clusters'; got 'task'"),
        ({"tau": 1.5}, "tau must lie above 0 and be at most 1"),
        ({"tau": "high"}, "tau must lie above 0"),
        ({"power": 1.0}, "power must lie between 0 and 1"),
        ({"top_k": 0}, "top_k must be a whole number"),
        ({"n_draws": 0}, "n_draws must be a whole number"),
        ({"confidence_level": 95}, "confidence_level must lie between 0 and 1"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
)
def test_what_is_wrong_is_refused_before_any_work(wrong, message):
    steps = []
    with pytest.raises(ParameterError, match=message):
        rr.decision_support(board(), progress=steps.append, **wrong)
    assert steps == []


def test_fewer_than_two_models_are_no_board():
    with pytest.raises(EmptyMatrixError):
        rr.decision_support(pd.DataFrame([[0.5, 0.6]], index=["alone"]))


@pytest.mark.parametrize(("level", "left_out"), [(0.9999, "winner"), (0.1, "needed")])
def test_a_level_that_a_question_does_not_allow_leaves_out_that_question_alone(level, left_out):
    found = rr.decision_support(board(), n_draws=50, confidence_level=level)
    assert list(found.left_out) == [left_out]
    assert f"Not answered: {found.left_out[left_out][:40]}" in found.summary()


def test_everything_is_saved(found, tmp_path):
    written = found.save(tmp_path / "out")
    assert all(path.is_file() for path in written)
    saved = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert saved == json.loads(json.dumps(found.to_dict()))
    assert {path.parent.name for path in written} >= set(QUESTIONS)


def test_it_is_saved_into_a_folder_and_nothing_else(found, tmp_path):
    there = tmp_path / "there"
    there.write_text("kept")
    with pytest.raises(InputError, match="there is a file"):
        found.save(there)
    with pytest.raises(ParameterError, match="folder must be the path of a folder; got None"):
        found.save(None)
    assert there.read_text() == "kept"


def test_missing_scores_set_a_model_aside_and_say_so():
    matrix = board()
    scores = matrix.scores.copy()
    scores.iloc[3, 2] = np.nan
    found = rr.decision_support(ScoreMatrix(scores, datasets=matrix.datasets), n_draws=50)
    assert any(note.code == "dropped-models" for note in found.notes)
    for table in (found.ranks.table, found.acceptability.table, found.influence.models):
        assert sorted(table.index) == sorted(scores.index.drop(scores.index[3]))


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
