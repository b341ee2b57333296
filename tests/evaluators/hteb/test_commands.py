"""``robustrank hteb`` as a person uses it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from robustrank._progress import describe_seconds, show_progress
from robustrank.cli import app


def call(*arguments):
    return CliRunner().invoke(app, ["hteb", *map(str, arguments)])


@pytest.fixture
def study(tmp_path):
    done = call("example", tmp_path / "my-study")
    assert done.exit_code == 0
    path = tmp_path / "my-study" / "study.yaml"
    assert f"robustrank hteb plan {path}" in done.stdout
    return path


def test_an_example_does_not_overwrite_what_was_changed(study):
    assert {path.suffix for path in study.parent.iterdir()} == {".yaml", ".jsonl"}
    assert call("example", study.parent).exit_code == 0
    study.write_text("seeds: [7]")
    again = call("example", study.parent)
    assert again.exit_code == 1
    assert "study.yaml is there and differs" in again.stderr
    assert study.read_text() == "seeds: [7]"
    assert call("example", study).exit_code == 1


def test_a_plan_counts_and_requests_nothing(study):
    done = call("plan", study, "--generator", "rules")
    assert done.exit_code == 0, done.stderr
    assert "Calls" in done.stdout
    assert "unknown: nothing is generated yet" in done.stdout
    assert not (study.parent / "results").exists()


def test_a_plan_is_right_about_the_requests_that_are_made(study):
    before = json.loads(call("plan", study, "--generator", "rules", "--json").stdout)
    assert call("transform", study, "--generator", "rules", "-q").exit_code == 0
    after = json.loads(
        call("plan", study, "--generator", "rules", "--json", "--tokens-per-second", "100").stdout
    )
    assert (before["done"], before["seconds"]) == (None, None)
    assert after["done"] == after["texts"] == before["texts"]
    tokens = sum(stage["completion_tokens"] for stage in after["stages"])
    assert after["seconds"] == pytest.approx(tokens / 100)
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(study.parent / "results" / "generations.sqlite")) as database:
        rows = database.execute(
            "SELECT stage, count(*) FROM hteb_generations WHERE attempt = 0 GROUP BY stage"
        ).fetchall()
    planned = {stage["stage"]: stage["calls"] for stage in before["stages"]}
    made = dict(rows)
    assert made.keys() == planned.keys()
    for stage, number in planned.items():
        # Second stages have as many calls as the first, at most: two pivots may come to the same.
        least = 0.8 * number if stage in ("backtranslate_backward", "summarise") else number
        assert least <= made[stage] <= number


def test_a_limit_and_an_output_replace_those_of_the_file(study, tmp_path):
    done = call(
        "transform", study, "--generator", "rules", "--limit", 2, "-o", tmp_path / "elsewhere"
    )
    assert done.exit_code == 0
    assert (tmp_path / "elsewhere" / "generations.sqlite").exists()
    assert not (study.parent / "results").exists()
    assert "2 of 8 pairs" in done.stderr


def test_exported_files_are_listed(study, tmp_path):
    assert call("transform", study, "--generator", "rules", "--limit", 1, "-q").exit_code == 0
    done = call("export", study, "--generator", "rules", "--limit", 1, "--to", tmp_path / "pairs")
    assert done.exit_code == 0, done.stderr
    assert len(done.stdout.split()) == 8 * 8 * 2


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("seeds:", "seed:", "unknown key 'seed' (did you mean 'seeds'?)"),
        ("type: openai", "type: opnai", "'openai'"),
        ("path: topics.yaml", "path: topic.yaml", "topic.yaml"),
        ("endpoints: ", "endpoint: ", "endpoints"),
        ("profile: paper", "profile: papers", "profile"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_before_anything_is_done(study, old, new, problem):
    study.write_text(study.read_text().replace(old, new))
    done = call("run", study)
    assert done.exit_code == 1
    assert problem in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (study.parent / "results").exists()


def test_a_server_that_is_not_there_is_named(study):
    study.write_text(study.read_text().replace("127.0.0.1:8000", "127.0.0.1:9"))
    done = call("transform", study)
    assert done.exit_code == 1
    assert "127.0.0.1:9" in done.stderr


def test_help_imports_nothing_that_the_extra_brings():
    code = (
        "import sys; from typer.testing import CliRunner; from robustrank.cli import app;"
        "CliRunner().invoke(app, ['hteb', 'run', '--help']); CliRunner().invoke(app, ['--help']);"
        "heavy = {'torch', 'vllm', 'sqlalchemy', 'httpx', 'datasets', 'yaml'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_progress_shows_parts_and_the_time_left(capsys):
    with show_progress(quiet=False) as reporter:
        reporter.begin("Texts", 3)
        for _ in range(3):
            reporter.advance()
    shown = capsys.readouterr().err
    assert "Texts: 3 of 3" in shown
    with show_progress(quiet=True) as reporter:
        reporter.begin("Texts", 1)
        reporter.advance()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (40, "40 s"), (720, "12 min"), (12_600, "3.5 h")]
)
def test_durations(seconds, text):
    assert describe_seconds(seconds) == text
