"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

TaskMetadata = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Table of task types and languages, one row per dataset."),
]
Partial = Annotated[
    Literal["keep", "drop"], typer.Option(help="Scores that average a part of their dataset.")
]
OnDuplicate = Annotated[
    Literal["error", "latest", "mean"],
    typer.Option(help="What to do when a score is there twice."),
]
Missing = Annotated[
    Literal["drop-models", "drop-datasets", "error", "keep"],
    typer.Option(help="What to do about missing scores."),
]
Summary = Annotated[
    Literal["error", "task-types"], typer.Option(help="What to do with a board's Summary table.")
]
AggregateName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="What ranks the models: mean, borda-mteb, topsis/critic, …; robustrank aggregates "
        "lists them.",
    ),
]
Resamples = Annotated[int, typer.Option(metavar="NUMBER", help="Resamples behind the intervals.")]
ConfidenceLevel = Annotated[float, typer.Option(metavar="NUMBER", help="Of the intervals.")]
Seed = Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the draws.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")]
