"""``robustrank hteb stats``: how robust models are, from the scores of a run."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from robustrank.cli import options
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line, progress


def stats(
    results: Annotated[
        Path | None,
        typer.Argument(
            metavar="RESULTS",
            help="The folder of a run, its scores.csv, a scores.JSON of the released tool, or a "
            "table with a row per score. By default the run that comes with the package.",
            show_default=False,
        ),
    ] = None,
    observations: Annotated[
        Literal["datasets", "pairs"],
        typer.Option(
            help="What tests take for independent observations. Pairs of model and dataset are not "
            "independent: models share the texts."
        ),
    ] = "datasets",
    models: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Keep this model. Repeatable.")
    ] = None,
    datasets: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Keep this dataset. Repeatable.")
    ] = None,
    zero_shot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep pairs that this table (model, dataset, zero_shot) marks as true.",
        ),
    ] = None,
    families: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table of sizes (model, family, n_parameters), to say what size changes.",
        ),
    ] = None,
    missing: options.Missing = "drop-models",
    n_splits: Annotated[
        int, typer.Option(metavar="NUMBER", help="Random halves of the datasets.")
    ] = 1000,
    n_resamples: options.Resamples = 2000,
    confidence_level: options.ConfidenceLevel = 0.95,
    seed: options.Seed = 0,
    top: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="How many models the text lists.")
    ] = 10,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Also write tables and figures there."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Say which drops are real, whether ranks hold, and what of it is a property of models."""
    from robustrank.evaluators.hteb import statistics  # noqa: PLC0415 - what --help has no need of
    from robustrank.evaluators.hteb.packaged import example_results  # noqa: PLC0415

    source = example_results() if results is None else results
    with errors_in_one_line(), progress(quiet) as tell:
        tell("Reading the scores")
        scores = statistics.read_scores(source, models=models, datasets=datasets, missing=missing)
        if zero_shot is not None:
            scores = statistics.zero_shot(scores, zero_shot)
        tell("Computing the statistics")
        found = statistics.robustness(
            scores,
            observations=observations,
            n_splits=n_splits,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            families=families,
            seed=seed,
        )
    print_result(found, found.summary(top), as_json=as_json, output=output, quiet=quiet)
