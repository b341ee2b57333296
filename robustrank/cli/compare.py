"""``robustrank compare``: two boards, the models that they share, and how far they agree."""

import json
import sys
from typing import Annotated

import typer

import robustrank as rr
from robustrank._select import matching
from robustrank._text import printable
from robustrank.cli import options
from robustrank.cli.printing import choose_format
from robustrank.cli.streams import errors_in_one_line, print_notes, progress
from robustrank.errors import ParameterError


def compare(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A leaderboard export, a table, or a folder of MTEB results."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The board to compare it with.")],
    same: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NAME",
            help="A model's name on A and on B, where they differ; NAME= to match it with none. "
            "Repeatable.",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Leave out these datasets (names or *) of either board. Repeatable.",
        ),
    ] = None,
    task_metadata: options.TaskMetadata = None,
    partial: options.Partial = "keep",
    on_duplicate: options.OnDuplicate = "error",
    summary: options.Summary = "error",
    missing: options.Missing = "drop-models",
    aggregate: options.AggregateName = "mean",
    n_resamples: options.Resamples = 10_000,
    confidence_level: options.ConfidenceLevel = 0.95,
    seed: options.Seed = 0,
    top: Annotated[
        int,
        typer.Option(metavar="NUMBER", help="How many shifts the text output lists.", min=1),
    ] = 10,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    quiet: options.Quiet = False,
) -> None:
    """Say how far two boards agree on the models they share."""
    choose_format(as_json=as_json, as_csv=as_csv)
    with errors_in_one_line(), progress(quiet) as tell:
        names = _parse_same(same or [])
        boards = [
            rr.read(
                path,
                tasks=task_metadata,
                partial=partial,
                on_duplicate=on_duplicate,
                summary=summary,
                progress=tell,
            )
            for path in (a, b)
        ]
        kept = _leave_out(boards, without or [])
        tell("Comparing the boards")
        comparison = rr.compare(
            *kept,
            models=names,
            aggregate=aggregate,
            missing=missing,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            seed=seed,
        )
    if as_json:
        print(json.dumps(comparison.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    elif as_csv:
        comparison.table.to_csv(sys.stdout, lineterminator="\n")
    else:
        print("\n".join(map(printable, comparison.summary(top).splitlines())))
    if not quiet:
        print_notes(comparison.notes)


def _parse_same(options: list[str]) -> dict[str, str | None]:
    names: dict[str, str | None] = {}
    for option in options:
        name, sign, other = option.partition("=")
        if not sign or not name:
            raise ParameterError(
                f"--same takes NAME=NAME, a model's name on A and on B; got {option!r}.", [option]
            )
        names[name] = other or None
    return names


def _leave_out(boards: list[rr.ScoreMatrix], patterns: list[str]) -> list[rr.ScoreMatrix]:
    """Leave out the datasets that match, on whichever board holds them."""
    columns = [list(board.scores.columns) for board in boards]
    known = dict.fromkeys([*columns[0], *columns[1]])
    gone = set(matching(known, patterns, "dataset"))
    kept = []
    for board, names in zip(boards, columns, strict=True):
        rest = [name for name in names if name not in gone]
        if not rest:
            raise ParameterError("--without leaves a board no dataset; keep at least one.", gone)
        kept.append(board if len(rest) == len(names) else board.select(datasets=rest))
    return kept
