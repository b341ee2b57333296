"""The command ``robustrank confidence-sets``."""

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
    return runner.invoke(app, ["confidence-sets", *map(str, arguments)])


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "board.csv"
    random_scores(8, 12, noise=0.15).rename_axis("model").to_csv(path)
    return path


def test_the_summary_goes_to_stdout(board):
    result = invoke(board, "--top", "3", "--quiet")
    assert result.exit_code == 0
    assert result.stdout == rr.rank_confidence_sets(rr.read(board)).summary(3) + "\n"
    assert result.stderr == ""


def test_settings_reach_the_sets_of_ranks(board):
    result = invoke(
        *(board, "--json", "-q", "--model", "m2", "--marginal", "--single-step", "--by"),
        *("clusters", "--test", "bootstrap-t", "--confidence-level", "0.9"),
        *("--n-resamples", "99", "--seed", "4"),
    )
    expected = rr.rank_confidence_sets(
        rr.read(board),
        models=["m2"],
        simultaneous=False,
        stepwise=False,
        by="clusters",
        test="bootstrap-t",
        confidence_level=0.9,
        n_resamples=99,
        seed=4,
    )
    assert json.loads(result.stdout) == json.loads(json.dumps(expected.to_dict()))


def test_best_is_the_set_of_best_models(board, tmp_path):
    folder = tmp_path / "out"
    arguments = (board, "--best", "--procedure", "mcs-max", "--confidence-level", "0.9")
    result = invoke(*arguments, "--csv", "-o", folder)
    expected = rr.model_confidence_set(rr.read(board), alpha=0.1, procedure="mcs-max")
    read_back = pd.read_csv(io.StringIO(result.stdout), index_col="model")
    pd.testing.assert_frame_equal(read_back, expected.table, check_index_type=False)
    assert (folder / "confidence_set.csv").is_file()


def test_wrong_input_is_one_line(board):
    for arguments, message in (
        ((board, "--model", "m99"), "error: Unknown model 'm99'"),
        ((board, "--best", "--marginal"), "error: --model, --marginal and --single-step"),
        ((board, "--confidence-level", "95"), "error: confidence_level must lie"),
        ((board, "--best", "--confidence-level", "95"), "error: confidence_level must lie"),
        ((board, "--top", "0"), "error: top must be"),
    ):
        result = invoke(*arguments, "-q")
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr.startswith(message)
        assert result.stderr.count("\n") == 1
    assert invoke(board, "--json", "--csv").exit_code == 2
    assert invoke(board, "--test", "z").exit_code == 2
