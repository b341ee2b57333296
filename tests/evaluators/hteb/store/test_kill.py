"""Processes that are killed, and several that share a store."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from robustrank.evaluators.hteb.store.claims import Owner
from robustrank.evaluators.hteb.store.store import Store
from tests.evaluators.hteb.making import key, make

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


class Nursery:
    """Starts processes that call a function of `nursery`, and waits for their end."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.evaluators.hteb.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).resolve().parents[4],
        )

    def start(self, name: str, *arguments: object) -> int:
        return self._ask(name, *(a if isinstance(a, int) else str(a) for a in arguments))

    def wait(self, pid: int) -> int:
        return self._ask("wait", pid)

    def _ask(self, *command: object) -> int:
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def nursery():
    nursery = Nursery()
    yield nursery
    nursery.close()


def complete_lines(path: Path) -> list[str]:
    return path.read_text().split("\n")[:-1] if path.exists() else []


def wait_for_lines(path: Path, more_than: int) -> None:
    while len(complete_lines(path)) <= more_than:
        time.sleep(0.001)


def test_whatever_was_acknowledged_survives_ten_kills(nursery, tmp_path):
    path, journal = tmp_path / "texts.db", tmp_path / "journal"
    moments = np.random.default_rng(1337)
    n_acknowledged = 0
    for _ in range(10):
        n_groups = len(complete_lines(journal))
        pid = nursery.start("put", path, n_acknowledged, journal)
        wait_for_lines(journal, n_groups)  # it has begun
        time.sleep(moments.uniform(0.0, 0.15))
        os.kill(pid, signal.SIGKILL)
        assert nursery.wait(pid) == -signal.SIGKILL
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        keys = [row[0] for row in connection.execute("SELECT key FROM hteb_generations")]
        connection.close()
        assert len(keys) == len(set(keys))
        n_acknowledged = int(complete_lines(journal)[-1]) + 1
        # All that was acknowledged, and at most one group and a half-written line more.
        assert set(map(key, range(n_acknowledged))) <= set(keys)
        assert set(keys) <= set(map(key, range(n_acknowledged + 14)))
    with Store(path) as store:
        found = store.get(map(key, range(n_acknowledged)))
    assert found == {key(number): make(number) for number in range(n_acknowledged)}
    assert n_acknowledged > 100


def test_processes_that_share_a_store_generate_every_text_once(nursery, place, tmp_path):
    names = ["first", "second", "third"]
    processes = [
        nursery.start("share", place, name, 300, tmp_path / "go", tmp_path / name) for name in names
    ]
    (tmp_path / "go").touch()
    assert [nursery.wait(pid) for pid in processes] == [0, 0, 0]
    generated = [each for name in names for each in complete_lines(tmp_path / name)]
    assert Counter(generated) == Counter(map(key, range(300)))
    with Store(place) as store:
        found = store.get(map(key, range(300)))
    assert len({row.detail for row in found.values()}) >= 2  # they did work side by side
    assert len(found) == 300


def test_what_a_killed_process_had_claimed_is_taken_over_at_once(nursery, place, tmp_path):
    journal = tmp_path / "journal"
    pid = nursery.start("hold", place, journal)
    wait_for_lines(journal, 0)
    assert complete_lines(journal) == ["1"]
    with Store(place) as store:
        assert store.claim([key(0)], Owner.here(), 60) == set()
        os.kill(pid, signal.SIGKILL)
        nursery.wait(pid)
        assert store.claim([key(0)], Owner.here(), 60) == {key(0)}


def test_processes_that_open_a_new_store_at_once(nursery, place, tmp_path):
    processes = [
        nursery.start("open_and_put", place, number, tmp_path / "go") for number in range(6)
    ]
    (tmp_path / "go").touch()
    assert [nursery.wait(pid) for pid in processes] == [0] * 6
    with Store(place) as store:
        assert len(store.get(map(key, range(6)))) == 6
