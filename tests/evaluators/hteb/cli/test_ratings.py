"""``robustrank hteb survey`` and ``ratings`` as a person uses them."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from robustrank.cli import app


def call(*arguments):
    return CliRunner().invoke(app, ["hteb", *map(str, arguments)])


@pytest.fixture
def texts(tmp_path):
    names = ["expansion", "translation"]
    rows = [
        {
            "transformation": name,
            "original": f"text {i}",
            "text": f"{name} {i}",
            "dataset": f"d{i % 2}",
        }
        for name in names
        for i in range(6)
    ]
    path = tmp_path / "texts.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


@pytest.fixture
def pairs(tmp_path):
    rows = [
        {
            "transformation": "expansion",
            "gold": i / 3,
            **{f"{side}_{k}": f"{side} {i} {k}" for side in ("original", "text") for k in (1, 2)},
        }
        for i in range(4)
    ]
    path = tmp_path / "pairs.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def fill(folder, **answers):
    for path in (folder / "forms").glob("*.csv"):
        for rater in ("ada", "bo"):
            table = pd.read_csv(path).assign(rater=rater, **answers)
            table.to_csv(folder / "ratings" / f"{path.stem}-{rater}.csv", index=False)


def test_from_a_survey_to_what_it_says(texts, tmp_path):
    folder = tmp_path / "survey"
    made = call("survey", texts, "-o", folder, "--per-transformation", 5)
    assert made.exit_code == 0, made.stderr
    assert "expansion" in made.stdout
    assert f"robustrank hteb ratings {folder}" in made.stdout
    fill(folder, quality=4, fluency=2)
    found = call("ratings", folder, "-o", tmp_path / "out")
    assert found.exit_code == 0, found.stderr
    assert "quality: mean 4.00 over 20 ratings of 10 texts." in found.stdout
    assert "Below the threshold of 3: expansion, translation." in found.stdout
    assert (tmp_path / "out" / "figures" / "means-quality.svg").is_file()
    lower = call("ratings", folder, "--threshold", 2, "--json", "-q")
    assert lower.stderr == ""
    content = json.loads(lower.stdout)
    assert all(row["accepted"] for row in content["table"])
    files = sorted((folder / "ratings").iterdir())
    same = call("ratings", *files, "--key", folder / "items.csv", "--threshold", 2, "--json", "-q")
    assert json.loads(same.stdout) == content


def test_pairs(pairs, tmp_path):
    folder = tmp_path / "survey"
    assert call("survey", pairs, "--pairs", "-o", folder, "--form", "csv", "-q").exit_code == 0
    assert {path.suffix for path in (folder / "forms").iterdir()} == {".csv", ".txt"}
    fill(folder, similarity=3)
    found = call("ratings", folder, "--gold-scale", 0, 1)
    assert found.exit_code == 0, found.stderr
    assert "expansion: 0.00 apart on average" in found.stdout
    assert "note: Fewer than 20 pairs" in found.stderr
    content = json.loads(call("ratings", folder, "--gold-scale", "0", "1", "--json", "-q").stdout)
    assert content["means"][0]["gold"] == pytest.approx(2.5)


def test_options_that_would_change_nothing_are_refused(texts, pairs, tmp_path):
    for source, name, answer in ((texts, "t", "quality"), (pairs, "p", "similarity")):
        extra = ["--pairs"] if name == "p" else ["--per-transformation", 2]
        call("survey", source, "-o", tmp_path / name, "--form", "csv", *extra)
        fill(tmp_path / name, **{answer: 3})
    for name, options in (
        ("t", ["--gold-scale", 0, 1]),
        ("t", ["--n-resamples", 10]),
        ("p", ["--threshold", 3]),
    ):
        done = call("ratings", tmp_path / name, *options)
        assert done.exit_code == 1
        assert f"{options[0]} is for ratings of " in done.stderr
        assert done.stderr.count("\n") == 1
    assert call("ratings", tmp_path / "t", "--threshold", "nan").exit_code == 1
    few = call("ratings", tmp_path / "p", "--n-resamples", 9, "--seed", 4, "--json", "-q")
    content = json.loads(few.stdout)
    assert (content["n_resamples"], content["seed"]) == (9, 4)


def test_the_packaged_run_is_of_its_language_model(tmp_path):
    folder = tmp_path / "survey"
    made = call("survey", "-o", folder, "--per-transformation", 2, "--form", "csv", "-q")
    assert made.exit_code == 0, made.stderr
    assert set(pd.read_csv(folder / "items.csv")["generator"]) == {"smollm2-135m-instruct"}
    rules = call("survey", "-o", tmp_path / "r", "--per-transformation", 2, "--generator", "rules")
    assert rules.exit_code == 0, rules.stderr
    assert set(pd.read_csv(tmp_path / "r" / "items.csv")["generator"]) == {"rules"}


def test_only_what_is_asked_for_is_drawn(texts, tmp_path):
    folder = tmp_path / "survey"
    made = call("survey", texts, "-o", folder, "--dataset", "d1")
    assert made.exit_code == 0
    assert "note: Fewer than 100 different texts" in made.stderr
    assert set(pd.read_csv(folder / "items.csv")["dataset"]) == {"d1"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--pairs", "--dataset", "d1"], "--pairs has neither"),
        (["--transformation", "expansion"], "it needs --pairs"),
        (["--dataset", "d9"], "Unknown dataset 'd9': known: d0, d1"),
        (["--language", "Welsh"], "Unknown language of originals 'Welsh'"),
    ],
)
def test_mistakes_are_one_line(texts, tmp_path, options, said):
    done = call("survey", texts, "-o", tmp_path / "survey", *options)
    assert done.exit_code == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_survey_without_answers_says_where_they_go(texts, tmp_path):
    call("survey", texts, "-o", tmp_path / "survey", "--per-transformation", 2)
    done = call("ratings", tmp_path / "survey")
    assert done.exit_code == 1
    assert "Put what the raters handed in there" in done.stderr
