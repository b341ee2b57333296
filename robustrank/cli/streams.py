"""What goes to stderr: progress, notes and errors."""

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.text import Text

from robustrank._text import printable
from robustrank.errors import InputError
from robustrank.notes import Note


def write_any_name() -> None:
    """Replace characters that the terminal's encoding lacks, instead of failing on them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _console(*, soft_wrap: bool) -> Console:
    """Return what writes to stderr as it is: ``:x:`` in a name is no emoji."""
    return Console(stderr=True, highlight=False, emoji=False, soft_wrap=soft_wrap)


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Turn an `InputError` into one line on stderr and exit code 1."""
    try:
        yield
    except InputError as error:
        console = _console(soft_wrap=True)
        console.print(f"error: {printable(str(error))}", markup=False, style="red")
        raise typer.Exit(1) from error


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[str], None]]:
    """Yield what announces a step: a spinner on a terminal, a line elsewhere."""
    console = _console(soft_wrap=False)
    if quiet:
        yield lambda _: None
    elif console.is_terminal:
        with console.status("Starting …") as status:
            yield lambda step: status.update(Text(f"{step} …"))
    else:
        yield lambda step: console.print(f"{step} …", markup=False)


def print_notes(notes: Iterable[Note]) -> None:
    """Print the notes' sentences."""
    console = _console(soft_wrap=True)
    for note in notes:
        console.print(f"note: {printable(note.message)}", markup=False)
