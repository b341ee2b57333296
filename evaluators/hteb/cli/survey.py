"""``robustrank hteb survey``: forms for people to rate transformed texts."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from robustrank.cli import options
from robustrank.cli.streams import errors_in_one_line, print_notes
from robustrank.errors import ParameterError


def survey(
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="A folder that is made: the key, the forms to hand out, and a place for what "
            "comes back.",
            show_default=False,
        ),
    ],
    results: Annotated[
        Path | None,
        typer.Argument(
            metavar="RESULTS",
            help="The folder of a run, or a table of texts. By default the run that comes with "
            "the package.",
            show_default=False,
        ),
    ] = None,
    pairs: Annotated[
        bool,
        typer.Option(
            "--pairs", help="Have the similarity of pairs rated, before and after, not texts."
        ),
    ] = False,
    per_transformation: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="How many texts (by default 100) or pairs (50) of each transformation.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        Literal["csv", "html"] | None,
        typer.Option(
            help="Tables for a spreadsheet, or pages for a browser; both by default.",
            show_default=False,
        ),
    ] = None,
    generator: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose texts are rated, where the table has those of several language models.",
            show_default=False,
        ),
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Draw texts of this dataset. Repeatable."),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Draw originals in this language. Repeatable."),
    ] = None,
    transformation: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Draw pairs of this transformation. Repeatable."),
    ] = None,
    seed: options.Seed = 0,
    quiet: options.Quiet = False,
) -> None:
    """Write forms for people to rate transformed texts; `robustrank hteb ratings` reads them."""
    from robustrank.evaluators.hteb.packaged import example_results  # noqa: PLC0415 - --help needs none
    from robustrank.evaluators.hteb.ratings import make_pair_survey, make_survey  # noqa: PLC0415

    source = example_results() / "texts.parquet" if results is None else results
    if results is None:
        generator = generator or "smollm2-135m-instruct"
    kinds: list[Literal["csv", "html"]] = ["csv", "html"] if form is None else [form]
    with errors_in_one_line():
        if pairs and (dataset or language):
            raise ParameterError("--dataset and --language choose texts; --pairs has neither.")
        if transformation and not pairs:
            raise ParameterError("--transformation chooses pairs; it needs --pairs.")
        if pairs:
            made = make_pair_survey(
                source,
                output,
                per_transformation=per_transformation or 50,
                generator=generator,
                transformations=transformation,
                forms=kinds,
                seed=seed,
            )
        else:
            made = make_survey(
                source,
                output,
                per_transformation=per_transformation or 100,
                forms=kinds,
                generator=generator,
                datasets=dataset,
                languages=language,
                seed=seed,
            )
    typer.echo(made.summary())
    if not quiet:
        print_notes(made.notes)
