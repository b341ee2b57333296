"""A page says how to make it again, and stays light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import robustrank as rr
from tests.conftest import analyze, frame, random_scores
from tests.report.pages import parse


def code(page: str) -> str:
    return parse(page).one("section", id="downloads").one("code").text


def test_the_code_on_the_page_makes_the_page_again(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    scores = frame(rng.uniform(size=(12, 8))).rename_axis("model")
    scores.iloc[0, 0] = np.nan
    scores.to_csv(tmp_path / "scores.csv")
    monkeypatch.chdir(tmp_path)
    options = {
        "schemes": ("topsis/equal", "vikor/critic"),
        "missing": "drop-datasets", "tau": 0.8, "linkage": "average", "top_k": 4,
        "consistency": "membership", "resampling": "clusters", "aggregate": "borda",
        "n_resamples": 50, "n_refits": 2, "seed": 3, "confidence_level": 0.9,
    }  # fmt: skip
    page = rr.analyze(rr.read("scores.csv"), **options).to_html()
    exec(code(page), {})  # noqa: S102 - what a reader would run
    assert (tmp_path / "report.html").read_text("utf-8") == page


def test_the_code_on_the_page_says_what_it_lacks(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    scores = frame(rng.uniform(size=(6, 5))).rename_axis("model")
    scores.to_csv(tmp_path / "scores.csv")
    monkeypatch.chdir(tmp_path)
    found = analyze(scores, seed=np.random.default_rng(1), n_refits=2)
    settings = found.settings | {"instances": "InstanceScores(6 models × 5 datasets)"}
    text = code(replace(found, settings=settings).to_html())
    assert "InstanceScores" not in text
    assert "# instances=: give" in text
    assert "# seed=: give" in text
    exec(text, {})  # noqa: S102 - it runs without them
    assert (tmp_path / "report.html").exists()


def test_a_large_page_stays_light():
    scores = random_scores(300, 131)
    scores.index = [f"organisation-{i % 40}/embedding-model-{i}-v1.5" for i in range(300)]
    page = analyze(scores).to_html()
    assert len(parse(page).one("table", id="board").all("th", scope="row")) == 300
    assert len(page.encode()) < 2_000_000
