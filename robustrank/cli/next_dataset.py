"""``robustrank next-dataset``: which missing dataset to run next."""

from typing import Annotated

import typer

import robustrank as rr
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read


@answers
def next_dataset(
    read: Read,
    tell: Tell,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="The model, which has not run all datasets.")
    ],
    n: Annotated[
        int, typer.Option("--n", "-n", metavar="NUMBER", help="How many datasets to name.")
    ] = 10,
    confidence_level: Annotated[
        float, typer.Option(metavar="NUMBER", help="Of the ranks that the model may hold.")
    ] = 0.95,
) -> Reply:
    """Say which of the datasets that a model has not run says most about its ability."""
    matrix = read()
    tell("Fitting the abilities")
    found = rr.next_dataset(matrix, model, n=n, confidence_level=confidence_level)
    return Reply(found, found.summary(), found.table)
