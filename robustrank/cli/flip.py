"""``robustrank flip``: the smallest change of a benchmark that changes the order of models."""

from typing import Annotated, Literal

import typer

from robustrank.cli import options
from robustrank.cli.matrix import Read, takes_matrix
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line, progress


@takes_matrix
def flip(
    read: Read,
    missing: options.Missing = "drop-models",
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The model that is to pass; by default any."),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The model to be passed; by default the leader."),
    ] = None,
    goal: Annotated[
        Literal["pass", "first"],
        typer.Option(help="Whether --model is to pass one model, or to come first of all."),
    ] = "pass",
    change: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="What may change: datasets, clusters, task_type or weights; by default all that "
            "applies. Repeatable.",
        ),
    ] = None,
    aggregate: options.AggregateName = "mean",
    time_limit: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="For each of the integer programs of --goal first."),
    ] = 10.0,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    output: options.Folder = None,
    quiet: options.Quiet = False,
) -> None:
    """Say how few datasets to drop, and how little weight to move, for another order.

    By default, for any model to pass the leader.
    """
    if as_json and as_csv:
        raise typer.BadParameter("Choose one of --json and --csv.")
    from robustrank.flips import smallest_change  # noqa: PLC0415 - what --help has no need of

    with errors_in_one_line(), progress(quiet) as tell:
        matrix = read(tell)
        if missing != "drop-models":  # which names a model that is asked for and incomplete
            matrix = matrix.resolve_missing(missing)
        tell("Searching for the smallest change")
        found = smallest_change(
            matrix,
            model=model,
            over=over,
            goal=goal,
            change=change or None,
            aggregate=aggregate,
            time_limit=time_limit,
        )
    print_result(
        found,
        found.summary,
        as_json=as_json,
        table=found.table if as_csv else None,
        output=output,
        quiet=quiet,
    )
