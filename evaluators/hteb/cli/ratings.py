"""``robustrank hteb ratings``: what people's ratings say, and whether the raters agree."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from robustrank.cli import options
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line
from robustrank.errors import ParameterError


def ratings(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|FILE...",
            help="The folder of a survey, with what raters handed in under ratings; or the files.",
            show_default=False,
        ),
    ],
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The survey's items.csv; of a folder, its own."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            metavar="RATING",
            help="The mean from which texts are accepted, by default 3.",
            show_default=False,
        ),
    ] = None,
    gold_scale: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="LOW HIGH",
            help="The lowest and highest gold of pairs, where that is not 0 and 5.",
            show_default=False,
        ),
    ] = None,
    n_resamples: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="Resamples behind the intervals of pairs, by default 2000.",
            show_default=False,
        ),
    ] = None,
    confidence_level: options.ConfidenceLevel = 0.95,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Seed of these resamples, by default 0.", show_default=False
        ),
    ] = None,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Also write tables and figures there."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Say how good people find each transformation, or how far it changes pairs' similarity."""
    from robustrank.evaluators.hteb.ratings import (  # noqa: PLC0415 - what --help has no need of
        LabelPreservation,
        RatingSummary,
        label_preservation,
        read_ratings,
        summarise_ratings,
    )

    of_pairs = {"--gold-scale": gold_scale, "--n-resamples": n_resamples, "--seed": seed}
    with errors_in_one_line():
        read = read_ratings(*files, key=key)
        found: RatingSummary | LabelPreservation
        if read.of_pairs:
            _refuse({"--threshold": threshold}, "texts, and these are of pairs")
            found = label_preservation(
                read,
                gold_scale=gold_scale,
                n_resamples=2000 if n_resamples is None else n_resamples,
                confidence_level=confidence_level,
                seed=seed or 0,
            )
        else:
            _refuse(of_pairs, "pairs, and these are of texts")
            found = summarise_ratings(
                read,
                threshold=3.0 if threshold is None else threshold,
                confidence_level=confidence_level,
            )
    print_result(found, found.summary(), as_json=as_json, output=output, quiet=quiet)


def _refuse(given: Mapping[str, object], what: str) -> None:
    """Raise for an option that would change nothing."""
    for name, value in given.items():
        if value is not None:
            raise ParameterError(f"{name} is for ratings of {what}. Leave it out.")
