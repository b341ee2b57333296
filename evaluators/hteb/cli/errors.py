"""``robustrank hteb errors``: how often language models go wrong, and which of them least."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from robustrank.cli import options
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line
from robustrank.errors import DuplicateError, ParameterError


def errors(
    results: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RESULTS",
            help="Folders of runs, one per language model, or tables of outputs; NAME=RESULTS "
            "names the model. By default the run that comes with the package.",
            show_default=False,
        ),
    ] = None,
    best: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="How many language models are chosen.")
    ] = 5,
    attempts: Annotated[
        Literal["first", "last"],
        typer.Option(help="The first answers, or those left after retries."),
    ] = "first",
    reading: Annotated[
        Literal["paper", "practical"],
        typer.Option(help="How the error types are defined; practical needs --attempts last."),
    ] = "paper",
    words: Annotated[
        Literal["whitespace", "scripts"],
        typer.Option(help="How words are counted; scripts needs --attempts last."),
    ] = "whitespace",
    n_resamples: options.Resamples = 2000,
    confidence_level: options.ConfidenceLevel = 0.95,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Also write tables and figures there."),
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Say how often language models go wrong, in which ways, and which of them least."""
    from robustrank.evaluators.hteb.error_analysis import error_rates  # noqa: PLC0415 - not for --help
    from robustrank.evaluators.hteb.packaged import example_results  # noqa: PLC0415

    with errors_in_one_line():
        found = error_rates(
            _sources(results or [str(example_results() / "texts.parquet")]),
            attempts=attempts,
            reading=reading,
            words=words,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            seed=seed,
        )
    print_result(found, found.summary(best), as_json=as_json, output=output, quiet=quiet)


def _sources(given: list[str]) -> list[str] | dict[str, str]:
    """Return the sources, by name if they are named; what exists is a path, whatever it is called.

    Raises
    ------
    ParameterError
        If some are named and some are not.
    DuplicateError
        If two have one name.
    """
    pairs = [("", "", each) if Path(each).exists() else each.partition("=") for each in given]
    named = {name: path for name, sign, path in pairs if sign}
    if not named:
        return given
    if not all(sign and name for name, sign, _ in pairs):
        raise ParameterError("Name all RESULTS or none of them: NAME=RESULTS.")
    if len(named) < len(given):
        names = [name for name, _, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DuplicateError(f"Two RESULTS are called {twice!r}; give each its own name.", [twice])
    return named
