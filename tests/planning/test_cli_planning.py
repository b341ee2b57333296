from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import robustrank as rr
from robustrank.cli import app
from tests.conftest import random_scores

runner = CliRunner()


def invoke(*arguments: str):
    return runner.invoke(app, list(map(str, arguments)))


@pytest.fixture
def path(tmp_path):
    scores = random_scores(14, 12, seed=6)
    scores.loc["m2", ["d1", "d5", "d7"]] = np.nan
    scores.rename_axis("model").to_csv(tmp_path / "board.csv")
    return tmp_path / "board.csv"


def test_datasets_needed_prints_the_summary_and_then_the_notes(path):
    result = invoke("datasets-needed", path)
    assert result.exit_code == 0
    assert result.stdout == rr.datasets_needed(rr.read(path)).summary() + "\n"
    assert "note: 1 of 14 models dropped for missing scores: m2." in result.stderr
    assert invoke("datasets-needed", path, "-q").stderr == ""


def test_settings_reach_datasets_needed(path):
    arguments = ["--pair", "m2", "m3", "--alpha", "0.1", "--power", "0.9", "--by", "clusters"]
    arguments += ["--kinds", "clusters", "--n-resamples", "50", "--seed", "4", "--json", "-q"]
    content = json.loads(invoke("datasets-needed", path, *arguments).stdout)
    expected = rr.datasets_needed(
        rr.read(path),
        ("m2", "m3"),
        alpha=0.1,
        power=0.9,
        by="clusters",
        kinds="clusters",
        n_resamples=50,
        seed=4,
    )
    assert content == json.loads(json.dumps(expected.to_dict()))


def test_csv_and_missing(path):
    result = invoke("datasets-needed", path, "--top-k", "4", "--missing", "drop-datasets", "--csv")
    table = pd.read_csv(io.StringIO(result.stdout), index_col=["model_a", "model_b"])
    assert len(table) == 3
    assert (table["n"] == 9).all()


def test_next_dataset_prints_datasets_in_order(path, tmp_path):
    result = invoke("next-dataset", path, "--model", "m2", "-o", tmp_path / "out", "-q")
    assert result.exit_code == 0
    expected = rr.next_dataset(rr.read(path), "m2")
    assert result.stdout == expected.summary() + "\n"
    assert (tmp_path / "out" / "next_dataset.csv").exists()
    table = pd.read_csv(
        io.StringIO(invoke("next-dataset", path, "--model", "m2", "-n", "2", "--csv").stdout),
        index_col="dataset",
    )
    assert list(table.index) == list(expected.table.index[:2])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["datasets-needed", "--pair", "m0", "nobody"], 1, "Unknown model 'nobody'"),
        (["datasets-needed", "--power", "0.01"], 1, "power must lie between"),
        (["datasets-needed", "--pair", "m0"], 2, "requires 2 arguments"),
        (["datasets-needed", "--json", "--csv"], 2, "choose one"),
        (["datasets-needed", "--pair", "m0", "m2", "--missing", "error"], 1, "3 scores missing"),
        (["next-dataset"], 2, "--model"),
        (["next-dataset", "--model", "nobody"], 1, "Unknown model 'nobody'"),
        (["next-dataset", "--model", "m2", "-n", "0"], 1, "n must be"),
        (["next-dataset", "--model", "m2", "--json", "--csv"], 2, "choose one"),
    ],
)
def test_errors_are_one_line(path, arguments, code, message):
    verb, *options = arguments
    result = invoke(verb, path, "-q", *options)
    assert result.exit_code == code
    assert message in result.stderr
    if code == 1:
        assert len(result.stderr.strip().splitlines()) == 1
