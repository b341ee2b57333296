"""How far a run is, on stderr."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress, TaskID

#: Seconds between two lines where stderr is no terminal.
_INTERVAL = 30.0


class Reporter(Protocol):
    """Shows how far a run is."""

    def begin(self, what: str, total: int) -> None:
        """Start a step of so many parts."""
        ...

    def advance(self, parts: int = 1) -> None:
        """Say that some parts are done."""
        ...


class Silent:
    """Shows nothing."""

    def begin(self, what: str, total: int) -> None:
        """Do nothing."""

    def advance(self, parts: int = 1) -> None:
        """Do nothing."""


@contextmanager
def show_progress(*, quiet: bool) -> Iterator[Reporter]:
    """Show a bar with the time left; where stderr is no terminal, a line now and then."""
    console = Console(stderr=True, highlight=False)
    if quiet or not console.is_terminal:
        yield _Lines(None if quiet else console)
        return
    from rich.progress import (  # noqa: PLC0415 - loaded only when needed
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
    ) as bars:
        yield _Bars(bars)


class _Bars:
    """A bar per step."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task: TaskID | None = None

    def begin(self, what: str, total: int) -> None:
        self._task = self._bars.add_task(what, total=total)

    def advance(self, parts: int = 1) -> None:
        if self._task is not None:
            self._bars.advance(self._task, parts)


class _Lines:
    """A line when a step starts and ends, and every half minute between."""

    def __init__(self, console: Console | None) -> None:
        self._console = console
        self._what, self._total, self._done = "", 0, 0
        self._began = self._shown = time.monotonic()

    def begin(self, what: str, total: int) -> None:
        self._what, self._total, self._done = what, total, 0
        self._began = self._shown = time.monotonic()
        self._print(f"{what}: {total:,}")

    def advance(self, parts: int = 1) -> None:
        self._done += parts
        now = time.monotonic()
        if self._done < self._total and now - self._shown < _INTERVAL:
            return
        self._shown = now
        taken = now - self._began
        left = taken / self._done * (self._total - self._done)
        shown = f", {describe_seconds(left)} left" if self._done < self._total else ""
        self._print(
            f"{self._what}: {self._done:,} of {self._total:,} in {describe_seconds(taken)}{shown}"
        )

    def _print(self, line: str) -> None:
        if self._console is not None:
            self._console.print(line, markup=False)


def describe_seconds(seconds: float) -> str:
    """Return a duration as people say it: ``"40 s"``, ``"12 min"``, ``"3.5 h"``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
