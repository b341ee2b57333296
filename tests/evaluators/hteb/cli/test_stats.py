"""``robustrank hteb stats`` as a person uses it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from robustrank.cli import app
from robustrank.evaluators.hteb import packaged
from tests.evaluators.hteb.statistics.boards import planted


def call(*arguments):
    return CliRunner().invoke(app, ["hteb", "stats", *map(str, arguments)])


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    planted(models=3, datasets=7).to_csv(folder / "scores.csv", index=False)
    return folder


FAST = ("--n-splits", 5, "--n-resamples", 5)


def test_the_summary_goes_to_stdout_and_the_rest_to_stderr(run):
    done = call(run, *FAST)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Little can be concluded from 7 datasets")
    assert "Best 3 of 3 models by total, in points" in done.stdout
    assert "Reading the scores …" in done.stderr
    assert "note: 7 datasets cannot show that anything differs from 0" in done.stderr
    quiet = call(run, *FAST, "-q")
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")


def test_options_choose_what_is_computed(run):
    done = call(
        run,
        *FAST,
        "--json",
        "--observations",
        "pairs",
        "--models",
        "model 2",
        "--models",
        "model 0",
        "--datasets",
        "data 1",
        "--datasets",
        "data 3",
        "--confidence-level",
        0.8,
        "--seed",
        4,
    )
    assert done.exit_code == 0, done.stderr
    content = json.loads(done.stdout)
    settings = {
        "observations": "pairs",
        "n_splits": 5,
        "n_resamples": 5,
        "confidence_level": 0.8,
        "seed": 4,
    }
    assert settings.items() <= content["settings"].items()
    assert (content["n_models"], content["n_datasets"]) == (2, 2)
    assert "Best 1 of 3 models" in call(run, *FAST, "--top", 1).stdout


def test_files_are_written(run, tmp_path):
    done = call(run, *FAST, "-q", "-o", tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "out/figures/deltas.svg").is_file()
    written = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert written["settings"]["n_splits"] == 5
    assert (tmp_path / "out/summary.txt").read_text("utf-8") == done.stdout


def test_marks_of_zero_shot_choose_pairs(run, tmp_path):
    marks = tmp_path / "marks.csv"
    rows = [f"model {i},data {j},{i != 0 or j < 3}" for i in range(3) for j in range(7)]
    marks.write_text("model,dataset,zero_shot\n" + "\n".join(rows))
    done = call(run, *FAST, "--zero-shot", marks, "--json")
    assert done.exit_code == 0, done.stderr
    profiles = json.loads(done.stdout)["profiles"]["table"]
    numbers = {row["model"]: row["n_datasets"] for row in profiles if row["part"] == "total"}
    assert numbers == {"model 0": 3, "model 1": 7, "model 2": 7}
    assert "Kept 17 of 21 pairs" in done.stderr


def test_families_add_what_size_changes(run, tmp_path):
    families = tmp_path / "families.csv"
    families.write_text("model,family,n_parameters\nmodel 0,f,1B\nmodel 2,f,4B\n")
    done = call(run, *FAST, "--families", families)
    assert done.exit_code == 0, done.stderr
    assert "Scale      a doubling of parameters changes" in done.stdout


def test_missing_scores_follow_the_policy(tmp_path):
    board = planted(models=3, datasets=7)
    path = tmp_path / "board.csv"
    board.drop(board.index[-1]).to_csv(path, index=False)
    sizes = {}
    for policy in ("drop-models", "drop-datasets", "keep"):
        content = json.loads(call(path, *FAST, "--json", "--missing", policy).stdout)
        sizes[policy] = (content["n_models"], content["n_datasets"])
    assert sizes == {"drop-models": (3, 7), "drop-datasets": (3, 7), "keep": (3, 7)}
    gone = (board["model"] == "model 1") & (board["transformation"] == "expansion")
    board[~(gone & (board["dataset"] == "data 2"))].to_csv(path, index=False)
    for policy in sizes:
        content = json.loads(call(path, *FAST, "--json", "--missing", policy).stdout)
        sizes[policy] = (content["n_models"], content["n_datasets"])
    assert sizes == {"drop-models": (2, 7), "drop-datasets": (3, 6), "keep": (3, 7)}
    refused = call(path, "--missing", "error")
    assert refused.exit_code == 1
    assert "model 1 on data 2" in refused.stderr


def test_without_results_it_reads_the_run_that_comes_with_the_package(run, monkeypatch):
    monkeypatch.setattr(packaged, "packaged", {"example_results": run}.__getitem__)
    assert call(*FAST, "-q").stdout == call(run, *FAST, "-q").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere"),
        (["--models", "model 9"], "Unknown model 'model 9': did you mean"),
        (["--datasets", "data"], "Unknown dataset 'data': did you mean"),
        (["--families", "none.csv"], "none.csv"),
        (["--zero-shot", "none.csv"], "none.csv"),
        (["--confidence-level", 95], "confidence_level must lie between 0 and 1"),
        (["--n-splits", 0], "n_splits must be a whole number of at least 1; got 0"),
    ],
)
def test_what_cannot_be_done_is_one_line(run, arguments, message):
    given = arguments if arguments == ["nowhere"] else [run, *arguments]
    done = call(*given, "-q")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["--observations", "models"], ["--missing", "zero"], ["--top", 0], ["--seed", "x"], ["--no"]],
)
def test_wrong_usage_is_refused(run, arguments):
    done = call(run, *arguments)
    assert done.exit_code == 2
    assert "Usage" in done.stderr


def test_a_file_in_the_place_of_the_output_is_named(run, tmp_path):
    place = tmp_path / "taken"
    place.write_text("")
    done = call(run, *FAST, "-q", "-o", place)
    assert done.exit_code == 1
    assert "taken is a file. Name a folder" in done.stderr


def test_help_loads_no_figures():
    code = (
        "import sys; from typer.testing import CliRunner; from robustrank.cli import app; "
        "done = CliRunner().invoke(app, ['hteb', 'stats', '--help']); assert done.exit_code == 0; "
        "assert '--zero-shot' in done.stdout; "
        "print(sorted({'matplotlib', 'sklearn', 'torch', 'sqlalchemy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
