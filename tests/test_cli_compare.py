from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from robustrank.comparison import compare
from tests.conftest import random_scores

runner = CliRunner()


def invoke(*arguments: str):
    return runner.invoke(app, ["compare", *map(str, arguments)])


@pytest.fixture
def boards(tmp_path):
    """12 models: one has another name on B, one is spelled otherwise, one lacks a score."""
    a, b = random_scores(12, 4), random_scores(12, 3, noise=0.2).add_prefix("other-")
    a.loc["m2", "d0"] = float("nan")
    b = b.rename(index={"m4": "org/M4", "m5": "five"})
    for name, board in (("a", a), ("b", b)):
        board.rename_axis("model").to_csv(tmp_path / f"{name}.csv")
    return tmp_path / "a.csv", tmp_path / "b.csv"


def test_the_summary_goes_to_stdout_and_the_rest_to_stderr(boards):
    result = invoke(*boards, "--top", "2")
    assert result.exit_code == 0
    assert result.stdout == compare(*boards).summary(2) + "\n"
    assert result.stdout.startswith("10 models compared; on A only: 1, on B only: 1")
    assert "Largest shifts (2)" in result.stdout
    assert "Comparing the boards …" in result.stderr
    assert "note: Board A: 1 of 11 models dropped for missing scores: m2." in result.stderr
    assert invoke(*boards, "--quiet").stderr == ""


def test_csv_is_the_table(boards):
    result = invoke(*boards, "--csv", "-q")
    read_back = pd.read_csv(io.StringIO(result.stdout), index_col="model")
    pd.testing.assert_frame_equal(read_back, compare(*boards).table, check_index_type=False)
    assert read_back.loc["m4", "name_b"] == "org/M4"


def test_json_is_everything_and_settings_reach_the_comparison(boards):
    arguments = ["--same", "m5=five", "--same", "m4=", "--missing", "keep", "--seed", "3"]
    arguments += ["--n-resamples", "50", "--confidence-level", "0.8"]
    content = json.loads(invoke(*boards, *arguments, "--json").stdout)
    expected = compare(
        *boards,
        models={"m5": "five", "m4": None},
        missing="keep",
        seed=3,
        n_resamples=50,
        confidence_level=0.8,
    )
    assert content == json.loads(json.dumps(expected.to_dict()))
    assert content["unmatched_a"] == ["m4"]
    assert content["unmatched_b"] == ["org/M4"]


def test_without_leaves_datasets_out_of_the_board_that_has_them(boards):
    result = invoke(*boards, "--without", "d0", "--without", "*-d[12]", "--csv")
    table = pd.read_csv(io.StringIO(result.stdout), index_col="model")
    a, b = rr.read(boards[0]).scores, rr.read(boards[1]).scores
    assert table.loc["m2", "score_a"] == pytest.approx(a.loc["m2", ["d1", "d2", "d3"]].mean())
    assert table.loc["m0", "score_b"] == pytest.approx(b.loc["m0", "other-d0"])


def test_task_metadata_serve_both_boards(boards, tmp_path):
    tasks = tmp_path / "tasks.csv"
    rows = ["d0,STS", "d1,STS", "d2,Retrieval", "d3,Retrieval"]
    rows += ["other-d0,STS", "other-d1,Retrieval", "other-d2,Clustering"]
    tasks.write_text("\n".join(["task,task_type", *rows]))
    result = invoke(*boards, "--task-metadata", tasks)
    lines = result.stdout.splitlines()
    start = lines.index("By task type")
    assert {line.split()[0] for line in lines[start + 2 : start + 4]} == {"STS", "Retrieval"}
    assert "note: Task types of one board only: Clustering on B." in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--same", "m5"], "--same takes NAME=NAME"),
        (["--same", "m99=five"], "Unknown model of board A 'm99'"),
        (["--without", "STS12"], "Unknown dataset 'STS12'"),
        (["--without", "other-*"], "leaves a board no dataset"),
        (["--confidence-level", "95"], "between 0 and 1"),
        (["--n-resamples", "0"], "n_resamples"),
        (["--missing", "error"], "Board A: 1 score missing"),
    ],
)
def test_errors_are_one_line_on_stderr(boards, arguments, message):
    result = invoke(*boards, *arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("error: ")
    assert message in last
    assert "Traceback" not in result.stderr


def test_files_that_are_not_there_or_share_nothing(boards, tmp_path):
    assert "no-such.csv" in invoke(boards[0], "no-such.csv").stderr
    random_scores(4, 2).add_prefix("z").rename(index=lambda m: f"gpt-{m}").rename_axis(
        "model"
    ).to_csv(tmp_path / "c.csv")
    result = invoke(boards[0], tmp_path / "c.csv")
    assert result.exit_code == 1
    assert "share 0 models; a comparison needs at least 3" in result.stderr


def test_bad_options_are_usage_errors(boards):
    assert invoke(*boards, "--json", "--csv").exit_code == 2
    assert invoke(boards[0]).exit_code == 2
    assert invoke(*boards, "--missing", "zero").exit_code == 2
    assert invoke(*boards, "--top", "0").exit_code == 2


def test_a_summary_export_is_compared_on_task_types_if_asked(shared):
    summary = shared / "data" / "board_multilingual_v2_summary.csv"
    board = shared / "data" / "board_multilingual_v2_per_task.csv"
    arguments = [summary, board, "--without", "FloresBitextMining", "--n-resamples", "20"]
    refused = invoke(*arguments)
    assert refused.exit_code == 1
    assert "(--summary task-types)" in refused.stderr
    result = invoke(*arguments, "--summary", "task-types")
    assert result.exit_code == 0
    assert " models compared; " in result.stdout


def test_boards_with_holes_end_in_remedies_for_the_shell(tmp_path):
    a, b = random_scores(6, 3), random_scores(6, 3).add_prefix("other-")
    a.iloc[:3, 0] = b.iloc[3:, 1] = float("nan")
    for name, board in (("a", a), ("b", b)):
        board.rename_axis("model").to_csv(tmp_path / f"{name}.csv")
    paths = tmp_path / "a.csv", tmp_path / "b.csv"
    error = invoke(*paths).stderr
    assert "(--without NAME)" in error
    assert "(--missing keep)" in error
    assert invoke(*paths, "--missing", "keep").exit_code == 0
    assert invoke(*paths, "--without", "d0").exit_code == 0
