"""``robustrank short-suite``: the fewest datasets that keep a ranking."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank._text import wrap
from robustrank.cli import options
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read


@answers
def short_suite(
    read: Read,
    tell: Tell,
    missing: options.Missing = "drop-models",
    tau: Annotated[
        float,
        typer.Option(metavar="NUMBER", help="Kendall's τ that the ranking must keep."),
    ] = 0.95,
    method: Annotated[
        Literal["greedy", "information", "backward"],
        typer.Option(help="Add what agrees most, add what tells most, or drop what is least."),
    ] = "greedy",
    aggregate: options.AggregateName = "mean",
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Column of --task-metadata with what each dataset costs."
        ),
    ] = None,
    max_size: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Look at no larger suites.")
    ] = None,
    folds: Annotated[
        int, typer.Option(metavar="NUMBER", help="Folds of models, each held out once.")
    ] = 5,
    repeats: Annotated[
        int, typer.Option(metavar="NUMBER", help="How often the folds are dealt anew.")
    ] = 10,
    n_random: Annotated[
        int, typer.Option(metavar="NUMBER", help="Random suites to compare with.")
    ] = 200,
    on: Annotated[
        str | None,
        typer.Option(
            metavar="OTHER",
            help="Try the suite on this board, read with the same options; print and write what it "
            "comes to there.",
        ),
    ] = None,
    seed: options.Seed = 0,
) -> Reply:
    """Find the fewest datasets whose ranking agrees with the full one."""
    matrix = read().resolve_missing(missing)
    tell("Choosing datasets")
    found = rr.short_suite(
        matrix,
        tau=tau,
        method=method,
        aggregate=aggregate,
        cost=cost,
        max_size=max_size,
        folds=folds,
        repeats=repeats,
        n_random=n_random,
        seed=seed,
    )
    there = None if on is None else found.evaluate(read(matrix=on), n_random=n_random, seed=seed)
    if there is None:
        return Reply(found, found.summary(), found.curve)
    summary = f"{wrap(found.headline)}\n\n{there.summary()}"
    return Reply(there, summary, there.ranks, more_notes=found.notes)
