"""``robustrank datasets-needed``: how many datasets it takes to tell models apart."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read


@answers
def datasets_needed(
    read: Read,
    tell: Tell,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="MODEL MODEL",
            help="Two models, on the datasets that both ran; by default the leader and the "
            "runner-up.",
        ),
    ] = None,
    top_k: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="In place of a pair: all neighbours among so many models."
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(metavar="NUMBER", help="Level of the test.")] = 0.05,
    power: Annotated[
        float, typer.Option(metavar="NUMBER", help="Chance of finding the difference.")
    ] = 0.8,
    by: Annotated[
        Literal["datasets", "clusters"],
        typer.Option(help="What counts as evidence: datasets, or clusters that repeat each other."),
    ] = "datasets",
    kinds: Annotated[
        Literal["task_type", "clusters"] | None,
        typer.Option(
            help="Kinds of datasets to compare; by default task types, where known.",
            show_default=False,
        ),
    ] = None,
    missing: options.Missing = "drop-models",
    confidence_level: options.ConfidenceLevel = 0.95,
    n_resamples: Annotated[
        int, typer.Option(metavar="NUMBER", help="Draws behind each point of the power curve.")
    ] = 2000,
    seed: options.Seed = 0,
) -> Reply:
    """Say how many datasets like those at hand it takes to tell models apart, and of which kind."""
    matrix = read()
    if pair is None or missing != "drop-models":  # which would drop a model of the pair
        matrix = matrix.resolve_missing(missing)
    tell("Computing the power")
    found = rr.datasets_needed(
        matrix,
        pair,
        top_k=top_k,
        alpha=alpha,
        power=power,
        by=by,
        kinds=kinds,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
    )
    return Reply(found, found.summary(), found.table)
