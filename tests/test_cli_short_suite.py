from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from tests.conftest import random_scores

QUICK = ["--repeats", "1", "--n-random", "10"]


def invoke(*arguments: str):
    return CliRunner().invoke(app, ["short-suite", *map(str, arguments)])


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "board.csv"
    random_scores(14, 5, noise=0.15).rename_axis("model").to_csv(path)
    return path


def test_the_answer_goes_to_stdout_and_the_rest_to_stderr(board):
    result = invoke(board, *QUICK, "--tau", "0.8")
    expected = rr.short_suite(rr.read(board), tau=0.8, repeats=1, n_random=10)
    assert result.exit_code == 0
    assert result.stdout == expected.summary() + "\n"
    assert "Choosing datasets …" in result.stderr
    assert invoke(board, *QUICK, "-q").stderr == ""


def test_csv_is_the_curve_and_json_everything(board, tmp_path):
    costs = tmp_path / "tasks.csv"
    costs.write_text("task,minutes\n" + "".join(f"d{j},{j + 1}\n" for j in range(5)))
    arguments = [board, *QUICK, "--task-metadata", costs, "--cost", "minutes"]
    arguments += ["--method", "backward", "--max-size", "4", "--folds", "3", "--seed", "2"]
    expected = rr.short_suite(
        rr.read(board, tasks=costs),
        cost="minutes",
        method="backward",
        max_size=4,
        folds=3,
        repeats=1,
        n_random=10,
        seed=2,
    )
    read_back = pd.read_csv(io.StringIO(invoke(*arguments, "--csv", "-q").stdout), index_col="size")
    assert list(read_back["cost"]) == list(expected.curve["cost"])
    assert json.loads(invoke(*arguments, "--json", "-q").stdout) == expected.to_dict()


def test_everything_is_written_into_a_folder(board, tmp_path):
    assert invoke(board, *QUICK, "-o", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "curve.csv").exists()
    assert (tmp_path / "out" / "figures" / "curve.svg").exists()


def test_the_suite_is_tried_on_another_board_that_is_read_alike(board, tmp_path):
    other = tmp_path / "later.csv"
    random_scores(20, 5, seed=4).rename_axis("model").to_csv(other)
    random_scores(24, 5).rename_axis("model").to_csv(board)
    arguments = [board, *QUICK, "--tau", "0.7", "--datasets", "d[0-3]", "--on", other]
    narrow = [rr.read(path).select(datasets="d[0-3]") for path in (board, other)]
    suite = rr.short_suite(narrow[0], tau=0.7, repeats=1, n_random=10)
    expected = suite.evaluate(narrow[1], n_random=10)
    assert json.loads(invoke(*arguments, "--json", "-q").stdout) == expected.to_dict()
    said = " ".join(invoke(*arguments).stdout.split())
    assert said.startswith(f"{suite.headline} {expected.headline}")
    assert invoke(*arguments, "--csv").stdout.startswith("model,full,suite,new")


def test_wrong_input_is_one_line_and_wrong_usage_exit_2(board):
    result = invoke(board, "--tau", "2")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("error: tau must lie above 0")
    assert invoke(board, "--json", "--csv").exit_code == 2
    assert invoke(board, "--method", "best").exit_code == 2
