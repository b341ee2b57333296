from __future__ import annotations

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from tests.conftest import random_scores

runner = CliRunner()


def invoke(*arguments: str):
    return runner.invoke(app, ["influence", *map(str, arguments)])


@pytest.fixture
def board(tmp_path):
    scores = random_scores(14, 5, noise=0.2)
    path = tmp_path / "board.csv"
    scores.rename_axis("model").to_csv(path)
    return path


def test_everything_is_saved_by_the_verb_too(board, tmp_path):
    arguments = [board, "-q", "--by", "clusters", "--aggregate", "borda", "--top-k", "3"]
    expected = rr.dataset_influence(rr.read(board), by="clusters", aggregate="borda", top_k=3)
    folder = tmp_path / "out"
    content = json.loads(invoke(*arguments, "--json", "-o", folder).stdout)
    assert content == json.loads(json.dumps(expected.to_dict()))
    assert content["settings"] == {"aggregate": "borda", "by": "clusters", "top_k": 3}
    assert {path.name for path in folder.rglob("*.*")} == {
        "summary.txt", "results.json", "influence.csv", "models.csv", "neighbours.csv",
        "rank_changes.csv", "groups.csv", "margins.svg", "ranks.svg", "rank_changes.svg",
    }  # fmt: skip
    assert json.loads((folder / "results.json").read_text())["figures_left_out"] == {}
    table = pd.read_csv(folder / "influence.csv", index_col="cluster")
    assert list(table.columns) == list(expected.table.columns)
    assert invoke(*arguments, "--csv").stdout == (folder / "influence.csv").read_text()


def test_any_name_is_text():
    scores = random_scores(6, 4, noise=0.3)
    models = ["<script>", "a$b$", "x = y", "two\nlines", "模型", "m" * 80]
    scores = scores.set_axis(models, axis=0).set_axis(["d\t1", "$", "<b>", "d & e"], axis=1)
    found = rr.dataset_influence(scores)
    assert "two\nlines" not in found.summary()
    assert found.headline.isprintable()
    assert "模型" in found.summary()
    assert json.dumps(found.to_dict())


def test_summary_begins_with_the_headline_and_fits_when_names_do():
    found = rr.dataset_influence(random_scores(14, 12, noise=0.2))
    text = found.summary()
    assert " ".join(text.split("\n\n")[0].split()) == found.headline
    assert max(map(len, text.splitlines())) <= 100
    assert repr(found) == f"Influence: {found.headline}"
    assert "Leaving out one dataset (10 of 12" in text


def test_verb_prints_the_summary_and_notes_apart(board):
    result = invoke(board)
    expected = rr.dataset_influence(rr.read(board).resolve_missing())
    assert result.exit_code == 0
    assert result.stdout == expected.summary() + "\n"
    assert "Leaving out one after the other …" in result.stderr
    assert invoke(board, "-q").stderr == ""


def test_verb_refuses_in_one_line(board):
    assert invoke(board, "--json", "--csv").exit_code == 2
    assert invoke(board, "--by", "languages").exit_code == 2
    result = invoke(board, "-q", "--by", "task_type")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "task type of 5 of 5 datasets is unknown" in result.stderr


def test_example_board():
    """The bundled example, by the command that the documentation shows."""
    result = invoke("-q", "--task-type", "Reranking")
    assert result.stdout.startswith(
        "codefuse-ai/F2LLM-v2-14B leads codefuse-ai/F2LLM-v2-8B by 0.00151"
    )
