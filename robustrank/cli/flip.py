"""``robustrank flip``: the smallest change of a benchmark that changes the order of models."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read


@answers
def flip(
    read: Read,
    tell: Tell,
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
) -> Reply:
    """Say how few datasets to drop, and how little weight to move, for another order.

    By default, for any model to pass the leader.
    """
    matrix = read()
    if missing != "drop-models":  # which names a model that is asked for and incomplete
        matrix = matrix.resolve_missing(missing)
    tell("Searching for the smallest change")
    found = rr.smallest_change(
        matrix,
        model=model,
        over=over,
        goal=goal,
        change=change or None,
        aggregate=aggregate,
        time_limit=time_limit,
    )
    return Reply(found, found.summary(), found.table)
