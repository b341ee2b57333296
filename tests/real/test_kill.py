"""Runs that are killed at any moment, with their server, and two that share the work."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pandas as pd
import pytest

from tests.real.llm_server import free_port

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = files("robustrank.evaluators.hteb") / "data" / "example"
DATASETS = ["similarity", "animals", "requests", "answers"]
#: Tried again, an answer by rules comes out the same: a retry would not end.
STUDY = """
datasets: [{datasets}]
generator: {{type: openai, model: rules, endpoints: "{url}", concurrency: 4, first_wait: 0.2}}
quality: {{max_retries: 0, reject: [empty]}}
seeds: [1, 2]
models:
  - {{model: letters, base_url: "{url}"}}
store: {store}
output: {output}
"""


class Server:
    """The server by rules, which can be killed and started again on its port."""

    def __init__(self, folder: Path) -> None:
        self.port, self.log = free_port(), folder / "requests.jsonl"
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.real.rules_server", str(self.port), str(self.log)]
        self.process = subprocess.Popen(command, cwd=ROOT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def requests(self) -> Counter[tuple[str, str]]:
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return Counter(tuple(json.loads(line)) for line in lines)


@pytest.fixture
def server(tmp_path):
    running = Server(tmp_path)
    yield running
    running.kill()


def configured(folder: Path, url: str, store: str = "texts.sqlite") -> Path:
    folder.mkdir(exist_ok=True)
    paths = ", ".join(f"{{path: {EXAMPLE / name}.yaml}}" for name in DATASETS)
    path = folder / "study.yaml"
    path.write_text(STUDY.format(datasets=paths, url=url, store=store, output="out"))
    return path


def start(study: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "robustrank", "hteb", "run", str(study), "--quiet"]
    with (study.parent / "log.txt").open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def finish(study: Path) -> pd.DataFrame:
    process = start(study)
    assert process.wait(300) == 0, (study.parent / "log.txt").read_text()
    return pd.read_csv(study.parent / "out" / "scores.csv")


def stored(folder: Path) -> Counter[str]:
    with closing(sqlite3.connect(folder / "texts.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        names = database.execute("SELECT name FROM sqlite_master").fetchall()
        if ("hteb_generations",) not in names:
            return Counter()  # killed before it had made its tables
        keys = database.execute("SELECT key FROM hteb_generations WHERE failure IS NULL").fetchall()
    return Counter(key for (key,) in keys)


def test_ten_kills_at_any_moment_lose_and_double_nothing(tmp_path, server):
    undisturbed = finish(configured(tmp_path / "undisturbed", server.url))
    expected = stored(tmp_path / "undisturbed")
    before = server.requests()
    study = configured(tmp_path / "disturbed", server.url)
    rng = random.Random(20)  # noqa: S311 - moments, no secrets
    kept: Counter[str] = Counter()
    for number in range(10):
        process = start(study)
        time.sleep(rng.uniform(0.5, 9.0))
        if number % 2:
            server.kill()
            time.sleep(rng.uniform(0.0, 0.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if number % 2:
            server.start()
        if (study.parent / "texts.sqlite").exists():
            after = stored(study.parent)
            assert not kept - after  # what was there is still there
            kept = after
    table = finish(study)
    pd.testing.assert_frame_equal(table, undisturbed)
    assert stored(study.parent) == expected
    assert set(stored(study.parent).values()) == {1}
    # Only what was in flight at a kill was asked for again.
    again = sum((server.requests() - before - before).values())
    assert again <= 10 * 4


def test_two_runs_on_one_store_ask_for_every_text_once(tmp_path, server):
    alone = finish(configured(tmp_path / "alone", server.url))
    once = server.requests()
    studies = [
        configured(tmp_path / name, server.url, store=str(tmp_path / "shared.sqlite"))
        for name in ("one", "two")
    ]
    running = [start(study) for study in studies]
    assert [process.wait(300) for process in running] == [0, 0]
    assert server.requests() - once == once
    for study in studies:
        pd.testing.assert_frame_equal(pd.read_csv(study.parent / "out" / "scores.csv"), alone)
