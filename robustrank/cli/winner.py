"""``robustrank winner``: what the leader's scores are worth, its having been picked considered."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read


@answers
def winner(
    read: Read,
    tell: Tell,
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
) -> Reply:
    """Correct the leader's mean and lead for its having been picked by the same scores."""
    matrix = read().resolve_missing(missing)
    tell("Correcting the leader's scores")
    found = rr.correct_winner(
        matrix,
        confidence_level=confidence_level,
        by=by,
        method=method,
        n_resamples=n_resamples,
        seed=seed,
    )
    return Reply(found, found.summary(), found.table)
