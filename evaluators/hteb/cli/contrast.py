"""``robustrank hteb contrast``: in which of two settings scores drop more."""

from pathlib import Path
from typing import Annotated

import typer

from robustrank.cli import options
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line


def contrast(
    a: Annotated[
        Path,
        typer.Argument(metavar="A", help="The folder or table of a run, such as on English data."),
    ],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another, such as on multilingual data.")],
    names: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B",
            help="What they are called; by their paths if not given.",
            show_default=False,
        ),
    ] = None,
    missing: options.Missing = "drop-models",
    confidence_level: options.ConfidenceLevel = 0.95,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Also write the tables there."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Compare the mean drop in two settings, over all models and over those of both."""
    from robustrank.evaluators.hteb.statistics import (  # noqa: PLC0415 - what --help has no need of
        compare_settings,
        read_scores,
    )

    with errors_in_one_line():
        found = compare_settings(
            read_scores(a, missing=missing),
            read_scores(b, missing=missing),
            names=names or (str(a), str(b)),
            confidence_level=confidence_level,
        )
    print_result(found, found.summary(), as_json=as_json, output=output, quiet=quiet)
