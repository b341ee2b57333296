"""``robustrank decide``: what would change the answer, question by question."""

from typing import Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.matrix import Read, takes_matrix
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line, progress


@takes_matrix
def decide(
    read: Read,
    missing: options.Missing = "drop-models",
    by: Annotated[
        Literal["datasets", "clusters"],
        typer.Option(help="Count each dataset, or each cluster that repeats itself, once."),
    ] = "datasets",
    tau: Annotated[
        float, typer.Option(metavar="NUMBER", help="Kendall's τ that a short suite has to reach.")
    ] = 0.95,
    top_k: options.TopK = 10,
    confidence_level: options.ConfidenceLevel = 0.95,
    power: Annotated[
        float, typer.Option(metavar="NUMBER", help="With which a test tells the first two apart.")
    ] = 0.8,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: options.Folder = None,
    quiet: options.Quiet = False,
) -> None:
    """Say what would change the answer: weights, datasets, chance."""
    with errors_in_one_line(), progress(quiet) as tell:
        found = rr.decision_support(
            read(tell).resolve_missing(missing),
            by=by,
            tau=tau,
            top_k=top_k,
            confidence_level=confidence_level,
            power=power,
            seed=seed,
            progress=tell,
        )
    print_result(found, found.summary(), as_json=as_json, output=output, quiet=quiet)
