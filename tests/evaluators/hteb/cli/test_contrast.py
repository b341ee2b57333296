"""``robustrank hteb contrast`` as a person uses it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from robustrank.cli import app
from robustrank.evaluators.hteb.statistics import compare_settings
from tests.evaluators.hteb.statistics.boards import planted


def call(*arguments):
    return CliRunner().invoke(app, ["hteb", "contrast", *map(str, arguments)])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    paths = []
    for name, factor, seed in (("english", 1.0, 1), ("multilingual", 0.3, 2)):
        folder = tmp_path_factory.mktemp(name)
        planted(models=3, datasets=6, factor=factor, seed=seed).to_csv(
            folder / "scores.csv", index=False
        )
        paths.append(folder)
    return paths


def test_two_runs_are_compared(runs):
    done = call(*runs, "--names", "English", "multi")
    assert done.exit_code == 0, done.stderr
    expected = compare_settings(*runs, names=("English", "multi"))
    assert done.stdout.strip() == expected.summary().strip()
    assert done.stdout.startswith("a = English, b = multi")
    assert str(runs[1]) in call(*runs).stdout


def test_everything_is_in_the_json_and_in_the_files(runs, tmp_path):
    done = call(*runs, "--json", "--confidence-level", 0.9, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    content = json.loads(done.stdout)
    expected = compare_settings(*runs, names=tuple(map(str, runs)), confidence_level=0.9).to_dict()
    assert content == expected
    assert content["table"][0]["gap"] > 0.03
    assert (tmp_path / "out/contrast.csv").is_file()


def test_notes_are_there_once(runs):
    text = call(runs[0], runs[0], "--names", "a", "b")
    assert text.stderr.count("count as independent of each other") == 1
    assert "independent" not in text.stdout
    assert call(runs[0], runs[0], "--names", "a", "b", "-q").stderr == ""
    as_json = call(runs[0], runs[0], "--names", "a", "b", "--json")
    assert as_json.stderr.count("count as independent of each other") == 1
    assert call(runs[0], runs[0], "--names", "a", "b", "--json", "-q").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere"),
        (["--names", "x", "x"], "names must be two different names"),
        (["--confidence-level", "2"], "confidence_level must lie between 0 and 1"),
    ],
)
def test_what_cannot_be_done_is_one_line(runs, arguments, message):
    given = [runs[0], *arguments] if arguments == ["nowhere"] else [*runs, *arguments]
    done = call(*given)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_one_run_is_not_enough(runs):
    done = call(runs[0])
    assert done.exit_code == 2
    assert "Missing argument 'B'" in done.stderr
