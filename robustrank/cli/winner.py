"""``robustrank winner``: what the leader's scores are worth, its having been picked considered."""

from typing import Annotated, Literal

import typer

from robustrank.cli import options
from robustrank.cli.matrix import Read, takes_matrix
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line, progress


@takes_matrix
def winner(
    read: Read,
    missing: options.Missing = "drop-models",
    by: Annotated[
        Literal["datasets", "clusters", "task_type"],
        typer.Option(help="What counts as drawn: datasets, or groups of them."),
    ] = "datasets",
    method: Annotated[
        Literal["hybrid", "conditional", "projection", "bootstrap"],
        typer.Option(help="Of the correction."),
    ] = "hybrid",
    n_resamples: options.Resamples = 10_000,
    confidence_level: options.ConfidenceLevel = 0.95,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    output: options.Folder = None,
    quiet: options.Quiet = False,
) -> None:
    """Correct the leader's mean and lead for its having been picked by the same scores."""
    if as_json and as_csv:
        raise typer.BadParameter("Choose one of --json and --csv.")
    from robustrank.winners import correct_winner  # noqa: PLC0415 - what --help has no need of

    with errors_in_one_line(), progress(quiet) as tell:
        matrix = read(tell).resolve_missing(missing)
        tell("Correcting the leader's scores")
        found = correct_winner(
            matrix,
            confidence_level=confidence_level,
            by=by,
            method=method,
            n_resamples=n_resamples,
            seed=seed,
        )
    print_result(
        found,
        found.summary,
        as_json=as_json,
        table=found.table if as_csv else None,
        output=output,
        quiet=quiet,
    )
