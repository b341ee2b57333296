"""A process that has everything loaded and starts others, which may be killed, at no cost.

It reads commands: ``start`` with the name of a function below and its arguments prints the number
of a new process that calls it, ``wait`` with such a number prints how the process ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from robustrank.evaluators.hteb.store.claims import Owner
from robustrank.evaluators.hteb.store.engine import StoreError
from robustrank.evaluators.hteb.store.store import Store
from tests.evaluators.hteb.making import key, make


def put(path, first, journal):
    """Put texts without end, and write down the last number of each group that is committed."""
    store = Store(path)
    with open(journal, "a") as file:  # noqa: PTH123
        number = first
        while True:
            for each in range(number, number + 7):
                store.put(make(each))
            store.flush()
            number += 7
            file.write(f"{number - 1}\n")
            file.flush()


def share(place, name, count, go, journal):
    """Claim and put texts until all are there, and write down those that this process made."""
    numbers = {key(number): number for number in range(count)}
    left = set(numbers)
    with Store(place) as store, open(journal, "a") as file:  # noqa: PTH123
        wait_for(go)
        owner = Owner.here()
        while left:
            wanted = sorted(left)[:20] if name == "first" else sorted(left)[-20:]
            ours = store.claim(wanted, owner, 60)
            done = store.get(set(wanted) - ours)
            made = sorted(ours)[:7]
            for each in made:
                store.put(make(numbers[each], detail=name))
                file.write(f"{each}\n")
            store.release(ours.difference(made), owner)
            left -= done.keys() | set(made)
            time.sleep(0.01)  # generating takes its time, in which others get theirs


def hold(place, journal):
    """Claim a key and never come to an end."""
    store = Store(place)
    ours = store.claim([key(0)], Owner.here(), 3600)
    with open(journal, "a") as file:  # noqa: PTH123
        file.write(f"{len(ours)}\n")
    time.sleep(600)


def open_and_put(place, number, go):
    wait_for(go)
    with Store(place) as store:
        store.put(make(number))


def wait_for(path):
    while not os.path.exists(path):  # noqa: PTH110
        time.sleep(0.001)


def load_everything():
    """Import what a store loads when it is opened, and the driver of PostgreSQL if it is there."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "texts.db") as store:
        store.put(make(0))
        store.get([key(0)])
    with contextlib.suppress(StoreError):
        Store("postgresql://me@localhost:1/none")


if __name__ == "__main__":
    load_everything()
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        if command == "wait":
            answer = os.waitstatus_to_exitcode(os.waitpid(arguments[0], 0)[1])
        else:
            answer = os.fork()
            if answer == 0:
                status = 1
                try:
                    globals()[command](*arguments)
                    status = 0
                finally:
                    os._exit(status)  # tearing down all that is loaded would take a second
        print(answer, flush=True)  # noqa: T201
