"""``robustrank influence``: which datasets decide a ranking."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read


@answers
def influence(
    read: Read,
    tell: Tell,
    missing: options.Missing = "drop-models",
    by: Annotated[
        Literal["datasets", "clusters", "task_type"],
        typer.Option(help="What is left out: a dataset, those that repeat each other, a type."),
    ] = "datasets",
    aggregate: options.AggregateName = "mean",
    top_k: options.TopK = 10,
) -> Reply:
    """Say which datasets decide a ranking: leave out each, and rank again."""
    matrix = read().resolve_missing(missing)
    tell("Leaving out one after the other")
    found = rr.dataset_influence(matrix, by=by, aggregate=aggregate, top_k=top_k)
    return Reply(found, found.summary(), found.table)
