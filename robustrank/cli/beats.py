"""``robustrank beats``: is a model better than others that were named beforehand."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read


@answers
def beats(
    read: Read,
    tell: Tell,
    model: Annotated[str, typer.Option(metavar="NAME", help="The model that is to be better.")],
    against: Annotated[
        list[str],
        typer.Option(metavar="NAME", help="A model that it is compared with. Repeatable."),
    ],
    alternative: Annotated[
        Literal["greater", "two-sided", "less"],
        typer.Option(help="Whether the model is claimed to be better, different or worse."),
    ] = "greater",
    test: Annotated[
        Literal["sign-flip", "t", "signed-rank"], typer.Option(help="Of the paired differences.")
    ] = "sign-flip",
    by: Annotated[
        Literal["datasets", "clusters", "task_type"],
        typer.Option(help="What counts as drawn: datasets, or groups of them."),
    ] = "datasets",
    alpha: Annotated[
        float, typer.Option(metavar="NUMBER", help="Largest chance of any false claim.")
    ] = 0.05,
    power: Annotated[
        float,
        typer.Option(metavar="NUMBER", help="Chance with which a difference is to be found."),
    ] = 0.8,
    n_resamples: options.Resamples = 10_000,
    seed: options.Seed = 0,
) -> Reply:
    """Test whether a model is better than others that were named before looking.

    Two models are compared on the datasets that both ran.
    """
    matrix = read()
    tell("Comparing the models")
    found = rr.planned_comparison(
        matrix,
        model,
        against,
        alternative=alternative,
        test=test,
        by=by,
        alpha=alpha,
        power=power,
        n_resamples=n_resamples,
        seed=seed,
    )
    return Reply(found, found.summary(), found.table)
