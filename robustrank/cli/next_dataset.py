"""``robustrank next-dataset``: which missing dataset to run next."""

from typing import Annotated

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.matrix import Read, takes_matrix
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line, progress


@takes_matrix
def next_dataset(
    read: Read,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="The model, which has not run all datasets.")
    ],
    n: Annotated[
        int, typer.Option("--n", "-n", metavar="NUMBER", help="How many datasets to name.")
    ] = 10,
    confidence_level: Annotated[
        float, typer.Option(metavar="NUMBER", help="Of the ranks that the model may hold.")
    ] = 0.95,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    output: options.Folder = None,
    quiet: options.Quiet = False,
) -> None:
    """Say which of the datasets that a model has not run says most about its ability."""
    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv")
    with errors_in_one_line(), progress(quiet) as tell:
        matrix = read(tell)
        tell("Fitting the abilities")
        found = rr.next_dataset(matrix, model, n=n, confidence_level=confidence_level)
    print_result(
        found,
        found.summary,
        as_json=as_json,
        table=found.table if as_csv else None,
        output=output,
        quiet=quiet,
    )
