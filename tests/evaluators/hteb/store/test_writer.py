from __future__ import annotations

import threading
import time

import pytest

from robustrank.errors import InputError
from robustrank.evaluators.hteb.store.writer import GroupWriter


class Disk:
    """Writes lists of rows; while it is `full` it raises, while `held` it waits."""

    def __init__(self):
        self.groups: list[list[int]] = []
        self.full = False
        self.free = threading.Event()
        self.free.set()

    def write(self, rows):
        self.free.wait(10)
        if self.full:
            raise InputError("The disk is full.")
        self.groups.append(rows)

    @property
    def rows(self):
        return [row for group in self.groups for row in group]


@pytest.fixture
def disk():
    return Disk()


@pytest.fixture
def writer(disk):
    writer = GroupWriter(disk.write)
    yield writer
    disk.full = False
    disk.free.set()
    writer.close()


def test_what_gathers_is_written_together(disk, writer):
    disk.free.clear()
    writer.put(0)
    while not writer._queue:
        time.sleep(0.001)
    time.sleep(0.5)  # the writer has waited for others and begun with the first row
    for row in range(1, 1_200):
        writer.put(row)
    disk.free.set()
    writer.flush()
    assert disk.rows == list(range(1_200))
    assert [len(group) for group in disk.groups] == [1, 500, 500, 199]


def test_a_row_waits_a_moment_for_others_unless_somebody_waits_for_it(disk, writer):
    for row in range(3):
        writer.put(row)
        time.sleep(0.002)
    writer.flush()
    assert disk.groups == [[0, 1, 2]]
    for row in range(20):
        writer.put(row)
        writer.flush()
    assert disk.groups[1:] == [[row] for row in range(20)]


def test_flush_waits_only_for_what_was_put(disk, writer):
    writer.flush()
    writer.put(0)
    writer.flush()
    assert disk.rows == [0]


def put_on(writer):
    while True:
        writer.put(1)
        time.sleep(0.005)


def test_an_error_comes_with_the_next_call_and_loses_nothing(disk, writer):
    disk.full = True
    writer.put(0)
    with pytest.raises(InputError, match="The disk is full"):
        writer.flush()
    with pytest.raises(InputError, match="The disk is full"):
        put_on(writer)
    n_put = writer._n_put
    disk.full = False
    try:
        writer.flush()
    except InputError:  # of a try that came before there was room
        writer.flush()
    assert disk.rows == [0] + [1] * (n_put - 1)


def test_an_error_is_raised_once(disk, writer):
    disk.full = True
    writer.put(0)
    with pytest.raises(InputError):
        writer.flush()
    while writer._error is None:  # tried again by itself
        time.sleep(0.001)
    disk.full = False
    with pytest.raises(InputError):
        writer.flush()
    writer.flush()
    assert disk.rows == [0]


def test_every_waiting_thread_is_released(disk, writer):
    disk.free.clear()
    writer.put(0)
    threads = [threading.Thread(target=writer.flush) for _ in range(4)]
    for thread in threads:
        thread.start()
    disk.free.set()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)


def test_closing_writes_what_is_left_and_ends_the_thread(disk):
    writer = GroupWriter(disk.write)
    for row in range(100):
        writer.put(row)
    writer.close()
    assert disk.rows == list(range(100))
    assert not writer._thread.is_alive()


def test_closing_says_what_could_not_be_written(disk):
    writer = GroupWriter(disk.write)
    disk.full = True
    writer.put(0)
    with pytest.raises(InputError, match="The disk is full"):
        writer.close()
    assert not writer._thread.is_alive()
    writer.close()  # has said it
    for call in (writer.flush, lambda: writer.put(1)):
        with pytest.raises(InputError, match="The store is closed"):
            call()
