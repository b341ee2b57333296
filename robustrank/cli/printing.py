"""How commands hand over a result: files if asked for, stdout for the result, stderr for notes."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import pandas as pd
import typer

from robustrank.cli.streams import errors_in_one_line, print_notes, progress
from robustrank.notes import Note


class Result(Protocol):
    """What the statistics return."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to know of it."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values."""

    def save(self, folder: Path) -> list[Path]:
        """Write everything into a folder."""


def choose_format(*, as_json: bool, as_csv: bool) -> None:
    """Refuse two formats at once, as wrong usage."""
    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv")


def print_result(
    found: Result,
    summary: str,
    *,
    as_json: bool,
    table: pd.DataFrame | None = None,
    output: Path | None,
    quiet: bool,
    more_notes: Iterable[Note] = (),
) -> None:
    """Save a result if a folder is named, print it, and then its notes.

    Parameters
    ----------
    found : Result
    summary : str
        The text for a terminal, which has no notes.
    as_json : bool
        Print `to_dict` in place of the text.
    table : DataFrame, optional
        Print this as CSV in place of the text.
    output : Path or None
    quiet : bool
        Say nothing on stderr.
    more_notes : iterable of Note, default ()
        Printed before those of the result.
    """
    if output is not None:
        with errors_in_one_line(), progress(quiet) as tell:
            tell("Writing the results")
            found.save(output)
    if as_json:
        content = json.dumps(found.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        typer.echo(content)
    elif table is not None:
        typer.echo(table.to_csv(lineterminator="\n"), nl=False)
    else:
        typer.echo(summary)
    if not quiet:
        print_notes((*more_notes, *found.notes))
