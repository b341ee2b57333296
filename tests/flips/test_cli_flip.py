from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from tests.conftest import random_scores

runner = CliRunner()


def invoke(*arguments: str):
    return runner.invoke(app, ["flip", *map(str, arguments)])


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "board.csv"
    scores = random_scores(6, 8, seed=3)
    scores.loc["m5", "d0"] = float("nan")
    scores.rename_axis("model").to_csv(path)
    return path


def test_the_summary_goes_to_stdout_and_notes_to_stderr(board):
    result = invoke(board)
    assert result.exit_code == 0
    found = rr.smallest_change(rr.read(board))
    assert result.stdout == found.summary() + "\n"
    assert "note: 1 of 6 models dropped for missing scores: m5." in result.stderr
    assert invoke(board, "-q").stderr == ""


def test_json_csv_and_a_folder(board, tmp_path):
    found = rr.smallest_change(rr.read(board), model="m1", change="datasets")
    options = ["--model", "m1", "--change", "datasets"]
    assert json.loads(invoke(board, *options, "--json").stdout) == found.to_dict()
    table = pd.read_csv(io.StringIO(invoke(board, *options, "--csv").stdout), index_col=0)
    assert table.index.tolist() == ["datasets"]
    folder = tmp_path / "out"
    assert invoke(board, *options, "-o", folder).exit_code == 0
    assert (folder / "summary.txt").read_text(encoding="utf-8") == found.summary() + "\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "M1"], "did you mean 'm1'"),
        (["--model", "m5"], "'m5' has no score on 1 of 8 datasets"),
        (["--goal", "first"], "name model"),
        (["--change", "topics"], "change must be one or more of"),
        (["--missing", "error"], "1 score missing"),
    ],
)
def test_errors_are_one_line_on_stderr(board, arguments, message):
    result = invoke(board, *arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("error: ")
    assert message in last


def test_wrong_usage(board):
    assert invoke(board, "--json", "--csv").exit_code == 2
    assert invoke(board, "--goal", "best").exit_code == 2


def test_missing_scores_can_cost_datasets_instead(board):
    result = invoke(board, "--model", "m5", "--missing", "drop-datasets", "--json")
    assert json.loads(result.stdout)["settings"]["n_datasets"] == 7
