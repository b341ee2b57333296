"""``robustrank acceptability``: who is first, over all weights of the datasets."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read
from robustrank.errors import ParameterError

_Bounds = Annotated[
    list[str] | None,
    typer.Option(metavar="GROUP=WEIGHT", help="Bound for the weight of a group. Repeatable."),
]


@answers
def acceptability(
    read: Read,
    tell: Tell,
    missing: options.Missing = "drop-models",
    by: Annotated[
        Literal["datasets", "clusters", "task_type"],
        typer.Option(help="What gets a weight: a dataset, those that repeat each other, a type."),
    ] = "datasets",
    method: Annotated[
        Literal["wsm", "topsis", "vikor", "promethee2-usual", "promethee2-gaussian"],
        typer.Option(help="What ranks the models under given weights; wsm is the weighted mean."),
    ] = "wsm",
    normalization: Annotated[
        Literal["none", "sum", "minmax", "max", "vector"] | None,
        typer.Option(help="Of the scores, under wsm and topsis."),
    ] = None,
    lower: _Bounds = None,
    upper: _Bounds = None,
    order: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GROUP", help="Give it repeatedly, from the most important group downwards."
        ),
    ] = None,
    noise: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Standard error of every score, on 0..1."),
    ] = None,
    n_draws: Annotated[int, typer.Option(metavar="NUMBER", help="Weightings to draw.")] = 10_000,
    seed: options.Seed = 0,
    top: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="How many models the text lists.")
    ] = 10,
) -> Reply:
    """Say which models can be first, and how often, over all weights of the datasets."""
    least, most = _bounds("--lower", lower), _bounds("--upper", upper)
    matrix = read().resolve_missing(missing)
    tell("Drawing weights")
    found = rr.smaa(
        matrix,
        method=method,
        normalization=normalization,
        by=by,
        lower=least,
        upper=most,
        order=order,
        n_draws=n_draws,
        noise=noise,
        seed=seed,
    )
    return Reply(found, found.summary(top), found.table)


def _bounds(option: str, given: list[str] | None) -> dict[str, float] | None:
    bounds = {}
    for text in given or []:
        group, sign, weight = text.rpartition("=")
        try:
            bounds[group] = float(weight)
        except ValueError:
            sign = ""
        if not sign:
            raise ParameterError(
                f"{option} takes GROUP=WEIGHT, such as Retrieval=0.2; got {text!r}.", [text]
            )
    return bounds or None
