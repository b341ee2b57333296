"""The whole evaluator with real parts: a language model on a server, and embedding models."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from contextlib import ExitStack, closing

import pandas as pd
import pytest

import robustrank as rr
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from tests.real.demo import LIMITS, on_servers, robustrank, write_study
from tests.real.llm_server import serving


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(parallel=2)) for _ in range(2)]
        study = write_study(folder, on_servers(servers))
        robustrank("hteb", "run", study, "--quiet", capture_output=True)
    return study


def n_generations(study) -> int:
    with closing(sqlite3.connect(study.parent / "results" / "generations.sqlite")) as database:
        [(number,)] = database.execute("SELECT count(*) FROM hteb_generations").fetchall()
    return number


def test_every_model_has_every_score(finished):
    table = pd.read_csv(finished.parent / "results" / "scores.csv")
    assert len(table) == 3 * len(LIMITS) * 2 * (1 + len(TRANSFORMATIONS))
    assert set(table["dataset"]) == set(LIMITS)
    assert table["score"].notna().all()
    originals = table.query("transformation == 'original' and dataset == 'similarity'")
    assert (originals["score"] > 0.4).all()  # real embedding models on real texts


def test_the_language_model_did_something_and_its_errors_were_seen(finished):
    texts = pd.concat(
        pd.read_parquet(path).assign(transformation=path.parent.name)
        for path in (finished.parent / "results" / "texts").rglob("*.parquet")
    )
    used = texts.dropna(subset="text")
    assert (used["text"] != used["original"]).mean() > 0.5
    assert set(texts["errors"].explode().dropna()) <= set(ERROR_TYPES)
    # 135 million parameters do not speak Turkish.
    translations = texts[texts["transformation"] == "translation"]
    wrong = translations["errors"].map(lambda errors: "wrong_language" in errors)
    assert wrong.mean() > 0.1
    assert texts["target"].dropna().nunique() >= 5


def test_the_result_can_be_analysed(finished):
    matrix = rr.read(finished.parent / "results" / "matrix.csv")
    assert matrix.shape == (3, len(LIMITS))
    analysis = rr.analyze(matrix, n_resamples=200, n_refits=4)
    assert list(analysis.to_frame()["rank"]) == [1, 2, 3]


def test_robustness_and_errors_are_those_of_its_scores_and_texts(finished, tmp_path):
    results = finished.parent / "results"
    stats = robustrank("hteb", "stats", results, "--json", "-q", capture_output=True)
    shifts = json.loads(stats.stdout)["shifts"]["table"]
    assert [row["part"] for row in shifts] == list(TRANSFORMATIONS)
    scores = pd.read_csv(results / "scores.csv").query("transformation != 'original'")
    change = (scores["score"] - scores["original"]).groupby(scores["transformation"]).mean()
    assert {row["part"]: row["mean"] for row in shifts} == pytest.approx(change.to_dict())
    errors = robustrank("hteb", "errors", results, "--json", "-q", capture_output=True)
    assert 0.05 < json.loads(errors.stdout)["rates"][0]["total"] < 0.9
    robustrank("hteb", "survey", results, "-o", tmp_path, "--per-transformation", 2, "-q")
    assert len(pd.read_csv(tmp_path / "items.csv")) >= 2 * (len(TRANSFORMATIONS) - 1)


def test_a_second_run_generates_nothing_and_needs_no_server(finished):
    before = n_generations(finished)
    start = time.monotonic()
    done = robustrank("hteb", "run", finished, capture_output=True)
    assert time.monotonic() - start < 60
    assert n_generations(finished) == before
    assert re.search(r"total", done.stdout)


def test_a_plan_afterwards_knows_what_is_done_and_how_fast_it_was(finished):
    plan = robustrank("hteb", "plan", finished, capture_output=True).stdout
    texts, done = re.search(r"Texts +([\d,]+) to transform, ([\d,]+) of them done", plan).groups()
    assert texts == done
    assert "as seen so far" in plan
    assert re.search(r"Time +about \d", plan)
