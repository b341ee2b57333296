from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from robustrank.evaluators.hteb.store import claims as store_claims
from robustrank.evaluators.hteb.store.claims import Owner


@pytest.fixture
def process():
    """A process of this host that waits for its input to end."""
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        yield process


def owner_of(process: subprocess.Popen) -> Owner:
    return replace(Owner.here(), pid=process.pid, started=store_claims._started(process.pid))


def test_this_process_lives():
    here = Owner.here()
    assert here.pid == os.getpid()
    assert not here.is_dead()


def test_runs_of_a_process_are_different_owners():
    assert Owner.here() != Owner.here()
    assert Owner.here().to_text() != Owner.here().to_text()


def test_a_process_that_was_killed_is_dead_before_and_after_its_parent_knows(process):
    owner = owner_of(process)
    assert not owner.is_dead()
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # wait, but leave it unburied
    assert owner.is_dead()
    process.wait()
    assert owner.is_dead()


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="only Linux tells")  # noqa: PTH110
def test_another_process_with_the_same_number_is_not_the_owner(process):
    owner = owner_of(process)
    assert replace(owner, started=f"{owner.started}0").is_dead()


def test_the_dead_of_other_hosts_cannot_be_told(process):
    owner = replace(owner_of(process), host="elsewhere")
    process.kill()
    process.wait()
    assert not owner.is_dead()


def test_where_the_system_tells_nothing_the_number_decides(process, monkeypatch):
    monkeypatch.setattr(store_claims, "_started", lambda pid: None)
    owner = owner_of(process)
    assert not owner.is_dead()
    process.kill()
    process.wait()
    assert owner.is_dead()


def test_on_windows_no_signal_is_sent(process, monkeypatch):
    owner = owner_of(process)
    process.kill()
    process.wait()
    monkeypatch.setattr(store_claims.os, "name", "nt")
    monkeypatch.setattr(store_claims.os, "kill", pytest.fail)
    assert not owner.is_dead()
