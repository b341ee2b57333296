"""Commands that answer a question about a matrix: what they share, before and after their own."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, TypeAlias

import pandas as pd

from robustrank.cli import options
from robustrank.cli.matrix import Read, takes_matrix
from robustrank.cli.printing import Result, choose_format, print_result
from robustrank.cli.streams import errors_in_one_line, progress
from robustrank.notes import Note

#: Announces a step.
Tell: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class Reply:
    """What a command found, and how to print it.

    Parameters
    ----------
    found : Result
    summary : str
        The text for a terminal.
    table : DataFrame
        What ``--csv`` prints.
    more_notes : tuple of Note, default ()
        Printed before those of `found`.
    """

    found: Result
    summary: str
    table: pd.DataFrame
    more_notes: tuple[Note, ...] = ()


def answers(command: Callable[..., Reply]) -> Callable[..., None]:
    """Put the options of `read_matrix` before those of a command, and those of output after.

    The command gets, in place of them, what reads the matrix and what announces a step.
    """
    _, _, *own = inspect.signature(command).parameters.values()

    @wraps(command, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
    def run(
        read: Read,
        *,
        output: options.Folder = None,
        as_json: options.AsJson = False,
        as_csv: options.AsCsv = False,
        quiet: options.Quiet = False,
        **given: Any,
    ) -> None:
        choose_format(as_json=as_json, as_csv=as_csv)
        with errors_in_one_line(), progress(quiet) as tell:
            reply = command(partial(read, tell), tell, **given)
        print_result(
            reply.found,
            reply.summary,
            as_json=as_json,
            table=reply.table if as_csv else None,
            output=output,
            quiet=quiet,
            more_notes=reply.more_notes,
        )

    read, *handed_over = inspect.signature(run, follow_wrapped=False).parameters.values()
    after = [each for each in handed_over if each.kind is inspect.Parameter.KEYWORD_ONLY]
    merged = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]
    run.__signature__ = inspect.Signature([read, *merged, *after])  # type: ignore[attr-defined]
    return takes_matrix(run)
