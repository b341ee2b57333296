"""``robustrank acceptability``."""

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
    return runner.invoke(app, ["acceptability", *map(str, arguments)])


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "board.csv"
    random_scores(8, 4).rename_axis("model").to_csv(path)
    return path


def test_the_summary_goes_to_stdout_and_the_rest_to_stderr(board):
    result = invoke(board, "--top", 3)
    assert result.exit_code == 0
    assert result.stdout == rr.smaa(rr.read(board)).summary(3) + "\n"
    assert "Drawing weights …" in result.stderr
    assert invoke(board, "--quiet", "--n-draws", 50).stderr == ""


def test_settings_reach_the_analysis(board):
    arguments = ["--lower", "d0=0.2", "--upper", "d1=0.5", "--order", "d2", "--order", "d3"]
    arguments += ["--n-draws", 200, "--seed", 3, "--noise", 0.01, "--normalization", "minmax"]
    result = invoke(board, *arguments, "--json", "-q")
    expected = rr.smaa(
        rr.read(board),
        lower={"d0": 0.2},
        upper={"d1": 0.5},
        order=["d2", "d3"],
        n_draws=200,
        seed=3,
        noise=0.01,
        normalization="minmax",
    )
    assert json.loads(result.stdout) == json.loads(json.dumps(expected.to_dict()))


def test_csv_is_the_table(board):
    result = invoke(board, "--method", "vikor", "--csv", "-q")
    read_back = pd.read_csv(io.StringIO(result.stdout), index_col="model")
    assert read_back.index[0] == rr.smaa(rr.read(board), method="vikor").table.index[0]


def test_task_types_of_the_example_have_weights():
    result = invoke("--by", "task_type", "--n-draws", 500, "--order", "STS", "--order", "Retrieval")
    assert result.exit_code == 0
    assert "500 allowed weightings of 9 task types" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lower", "d0"], "--lower takes GROUP=WEIGHT, such as Retrieval=0.2; got 'd0'."),
        (["--upper", "d0=x"], "--upper takes GROUP=WEIGHT"),
        (["--lower", "nothing=0.1"], "Unknown dataset 'nothing'"),
        (["--by", "task_type"], "task type"),
    ],
)
def test_wrong_input_is_one_line(board, arguments, message):
    result = invoke(board, *arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert [line for line in result.stderr.splitlines() if line.startswith("error: ")] == [
        result.stderr.splitlines()[-1]
    ]


def test_wrong_usage(board):
    assert invoke(board, "--json", "--csv").exit_code == 2
    assert invoke(board, "--method", "sum").exit_code == 2
