from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from robustrank.cli import app
from tests.evaluators.hteb.run_folders import outcome, write_settings, write_texts


def call(*arguments):
    return CliRunner().invoke(app, ["hteb", "errors", *map(str, arguments)])


@pytest.fixture
def runs(tmp_path):
    folders = []
    for name, errors in (("Gemma", ("identical",)), ("Olmo", ("empty", "truncated"))):
        folder = tmp_path / name
        folder.mkdir()
        write_settings(folder, name)
        ends = [outcome("x", errors if i < 2 else (), ()) for i in range(4)]
        if name == "Olmo":
            ends = [outcome("x", errors, errors) for _ in range(3)] + [outcome(None)]
        write_texts(folder, "one", "paraphrasing", 7, list("ABCD"), ends)
        folders.append(folder)
    return folders


def test_generators_are_compared(runs, tmp_path):
    done = call(*runs, "--best", 1, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    assert "Fewest errors: Gemma. Gemma is better than the next, Olmo" in done.stdout
    assert "1 text got no answer" in done.stderr
    assert (tmp_path / "out" / "figures" / "rates.svg").exists()
    assert (tmp_path / "out" / "summary.txt").read_text().strip() == done.stdout.strip()
    assert call(*runs, "-q").stderr == ""


def test_json_is_the_result(runs):
    content = json.loads(call(*runs, "--json", "--attempts", "last", "-q").stdout)
    totals = {row["generator"]: row["total"] for row in content["totals"]}
    assert totals == {"Gemma": 0.5, "Olmo": 1.0}
    assert content["settings"]["attempts"] == "last"


def test_results_may_be_named(runs, tmp_path):
    odd = tmp_path / "a=b"
    runs[1].rename(odd)
    named = json.loads(call(f"x={runs[0]}", f"<y>={odd}", "--json", "-q").stdout)
    assert [row["generator"] for row in named["totals"]] == ["x", "<y>"]
    there = json.loads(call(odd, "--json", "-q").stdout)
    assert [row["generator"] for row in there["totals"]] == ["Olmo"]
    some = call(f"x={runs[0]}", odd)
    assert some.exit_code == 1
    assert "Name all RESULTS or none" in some.stderr
    twice = call(f"x={runs[0]}", f"x={odd}")
    assert "Two RESULTS are called 'x'" in twice.stderr


def test_wrong_input_is_one_line(runs, tmp_path):
    done = call(tmp_path / "elsewhere")
    assert done.exit_code == 1
    assert "no file or folder" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "NAME=DIR" in call(runs[0], runs[0]).stderr
    assert "--attempts last" in call(runs[0], "--reading", "practical").stderr


def test_help_needs_neither_pandas_nor_the_work():
    code = (
        "import sys; from typer.testing import CliRunner\n"
        "from robustrank.evaluators.hteb.cli import app\n"
        "done = CliRunner().invoke(app, ['errors', '--help'])\n"
        "assert done.exit_code == 0 and '--attempts' in done.stdout, done.output\n"
        "assert 'robustrank.evaluators.hteb.error_analysis' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
