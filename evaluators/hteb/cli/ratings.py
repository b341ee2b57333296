"""``robustrank hteb ratings``: what people's ratings say, and whether the raters agree."""

from pathlib import Path
from typing import Annotated

import typer

from robustrank.cli import options
from robustrank.cli.streams import errors_in_one_line, print_notes


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
        float, typer.Option(metavar="RATING", help="The mean that is accepted.")
    ] = 3.0,
    gold: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="LOW HIGH",
            help="The lowest and highest gold of pairs, where that is not 0 and 5.",
            show_default=False,
        ),
    ] = None,
    confidence_level: options.ConfidenceLevel = 0.95,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Also write tables and figures there."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Say how good people find each transformation, or how far it changes pairs' similarity."""
    import json  # noqa: PLC0415 - what --help has no need of

    from robustrank.evaluators.hteb.ratings import (  # noqa: PLC0415
        LabelPreservation,
        RatingSummary,
        label_preservation,
        read_ratings,
        summarise_ratings,
    )

    with errors_in_one_line():
        read = read_ratings(*files, key=key)
        found: RatingSummary | LabelPreservation
        if read.of_pairs:
            found = label_preservation(
                read, gold_scale=gold, confidence_level=confidence_level, seed=seed
            )
        else:
            found = summarise_ratings(read, threshold=threshold, confidence_level=confidence_level)
        if output is not None:
            found.save(output)
        if as_json:
            typer.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
        else:
            typer.echo(found.summary())
    if not quiet:
        print_notes(found.notes)
