"""A thread that writes what is put into its queue, all that has gathered in one transaction."""

from __future__ import annotations

import threading
import time
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from robustrank.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

#: Rows in a transaction at most, so that other writers get their turn.
_MOST = 500
#: Seconds for which a row may wait for others: a transaction costs more than many rows.
_LINGER = 0.05


class GroupWriter(Generic[T]):
    """Writes rows in the order in which they were put.

    A row leaves the queue when it is written. After an error the thread rests until the error has
    been raised by a call of `put`, `flush` or `close`, and then tries the same rows again.

    Parameters
    ----------
    write : callable
        Writes a list of rows, all or none.
    """

    def __init__(self, write: Callable[[list[T]], None]) -> None:
        self._write = write
        self._changed = threading.Condition()
        self._queue: deque[T] = deque()
        self._n_put = 0
        self._n_written = 0
        self._n_waiting = 0
        self._error: Exception | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="hteb-store", daemon=True)
        self._thread.start()

    def put(self, row: T) -> None:
        """Queue a row, then raise the writer's last error if it had one."""
        with self._changed:
            self._check_open()
            self._queue.append(row)
            self._n_put += 1
            if len(self._queue) in (1, _MOST):
                self._changed.notify_all()
            self._raise_error()

    def flush(self) -> None:
        """Wait until all that has been put is written."""
        with self._changed:
            self._check_open()
            goal = self._n_put
            self._n_waiting += 1
            self._changed.notify_all()
            try:
                while self._n_written < goal:
                    self._raise_error()
                    self._check_open()
                    self._changed.wait()
            finally:
                self._n_waiting -= 1

    def close(self) -> None:
        """Write what is queued, then end the thread; once is enough."""
        if self._closed:
            return
        try:
            self.flush()
        finally:
            with self._changed:
                self._closed = True
                self._changed.notify_all()
            self._thread.join()

    def _check_open(self) -> None:
        if self._closed:
            raise InputError("The store is closed. Open it again to use it.")

    def _raise_error(self) -> None:
        if self._error is not None:
            error, self._error = self._error, None
            self._changed.notify_all()
            raise error

    def _gather(self) -> None:
        """Give others a moment to put more rows, unless somebody waits for these."""
        end = time.monotonic() + _LINGER
        while not (self._closed or self._n_waiting or len(self._queue) >= _MOST):
            left = end - time.monotonic()
            if left <= 0:
                return
            self._changed.wait(left)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._closed and (self._error is not None or not self._queue):
                    self._changed.wait()
                self._gather()
                if self._closed:
                    return
                rows = list(islice(self._queue, _MOST))
            error: Exception | None = None
            try:
                self._write(rows)
            except Exception as raised:  # raised again where rows are put
                error = raised
            with self._changed:
                self._error = error
                if error is None:
                    for _ in rows:
                        self._queue.popleft()
                    self._n_written += len(rows)
                self._changed.notify_all()
