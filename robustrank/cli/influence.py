"""``robustrank influence``: which datasets decide a ranking."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.matrix import Read, takes_matrix
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line, progress


@takes_matrix
def influence(
    read: Read,
    missing: options.Missing = "drop-models",
    by: Annotated[
        Literal["datasets", "clusters", "task_type"],
        typer.Option(help="What is left out: a dataset, those that repeat each other, a type."),
    ] = "datasets",
    aggregate: options.AggregateName = "mean",
    top_k: options.TopK = 10,
    output: options.Folder = None,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    quiet: options.Quiet = False,
) -> None:
    """Say which datasets decide a ranking: leave out each, and rank again."""
    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv")
    with errors_in_one_line(), progress(quiet) as tell:
        matrix = read(tell).resolve_missing(missing)
        tell("Leaving out one after the other")
        found = rr.dataset_influence(matrix, by=by, aggregate=aggregate, top_k=top_k)
    print_result(
        found,
        found.summary,
        as_json=as_json,
        table=found.table if as_csv else None,
        output=output,
        quiet=quiet,
    )
