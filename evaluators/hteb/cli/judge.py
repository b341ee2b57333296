"""``robustrank hteb judge``: language models rate texts, and which generators they tell apart."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from robustrank.cli import options
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line, print_notes
from robustrank.notes import Note

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.judging import Judgements


def judge(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="CONFIG.yaml|TABLE",
            help="Which texts are rated by which judges; or a table of ratings that are there "
            "already, such as judgements.csv.",
        ),
    ],
    alpha: Annotated[
        float,
        typer.Option(metavar="P", help="Chance, at most, of any false difference."),
    ] = 0.05,
    n_resamples: options.Resamples = 10_000,
    confidence_level: options.ConfidenceLevel = 0.95,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Write ratings, tables and figures there, in place of the file's output.",
        ),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Let language models rate transformed texts, and compare generators by their ratings.

    What was rated in an earlier run is not asked for again.
    """
    from robustrank.evaluators.hteb.judging import judge_scores  # noqa: PLC0415 - not for --help

    with errors_in_one_line():
        ratings: Judgements | Path = source
        if source.suffix.lower() in {".yaml", ".yml"}:
            ratings, output = _rate(source, output, quiet=quiet)
        found = judge_scores(
            ratings,
            alpha=alpha,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            seed=seed,
        )
    print_result(found, found.summary(), as_json=as_json, output=output, quiet=quiet)


def _rate(path: Path, output: Path | None, *, quiet: bool) -> "tuple[Judgements, Path]":
    """Return the ratings of a configuration, and where they were written."""
    from robustrank._progress import show_progress  # noqa: PLC0415
    from robustrank.evaluators.hteb.judging.config import load_config  # noqa: PLC0415

    config = load_config(path, output)
    try:
        with show_progress(quiet=quiet) as reporter:
            return config.run(reporter), config.output
    except KeyboardInterrupt:
        print_notes([Note("interrupted", f"All answers so far are kept; run {path} again.")])
        raise
