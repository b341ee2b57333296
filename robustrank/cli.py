"""The command line: tables go to stdout, progress, notes and errors to stderr."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal, cast

import typer
from rich.console import Console

import robustrank as rr
from robustrank.errors import InputError, ParameterError

app = typer.Typer(
    name="robustrank",
    help="How much of a leaderboard is real: which ranks hold, which datasets repeat each other.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class MissingPolicy(StrEnum):
    """Choices of ``--missing``."""

    DROP_MODELS = "drop-models"
    DROP_DATASETS = "drop-datasets"
    ERROR = "error"
    KEEP = "keep"


class CorrelationMethod(StrEnum):
    """Choices of ``--correlation``."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"


class BordaCount(StrEnum):
    """Choices of ``--borda``."""

    PLAIN = "plain"
    MTEB = "mteb"


class PartialScores(StrEnum):
    """Choices of ``--partial``."""

    KEEP = "keep"
    DROP = "drop"


class Duplicates(StrEnum):
    """Choices of ``--on-duplicate``."""

    ERROR = "error"
    LATEST = "latest"
    MEAN = "mean"


class SummaryTable(StrEnum):
    """Choices of ``--summary``."""

    ERROR = "error"
    TASK_TYPES = "task-types"


def _version(asked: bool) -> None:
    if asked:
        print(f"robustrank {version('robustrank')}")
        raise typer.Exit


@app.callback()
def _main(
    _: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Show the version.",
        ),
    ] = False,
) -> None:
    pass


@app.command()
def analyze(
    matrix: Annotated[
        str | None,
        typer.Argument(
            metavar="MATRIX",
            help="A leaderboard export, a table, or a folder of MTEB results; without it, the "
            "bundled example.",
        ),
    ] = None,
    task_type: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE",
            help="Keep datasets of this task type. Repeatable.",
        ),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODE",
            help="Keep datasets with this language (eng). Repeatable.",
        ),
    ] = None,
    datasets: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Keep these datasets (names or *). Repeatable.",
        ),
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Keep these models (names or *). Repeatable.",
        ),
    ] = None,
    open_weights: Annotated[
        bool, typer.Option("--open-weights", help="Keep models with open weights.")
    ] = False,
    zero_shot: Annotated[
        bool,
        typer.Option(
            "--zero-shot",
            help="Keep models trained on none of the datasets.",
        ),
    ] = False,
    max_parameters: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="Keep models with at most this many parameters (1e9).",
        ),
    ] = None,
    task_metadata: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table of task types and languages, one row per dataset.",
        ),
    ] = None,
    model_metadata: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table of model metadata, one row per model.",
        ),
    ] = None,
    partial: Annotated[
        PartialScores, typer.Option(help="Scores that average a part of their dataset.")
    ] = PartialScores.KEEP,
    on_duplicate: Annotated[
        Duplicates, typer.Option(help="What to do when a score is there twice.")
    ] = Duplicates.ERROR,
    summary: Annotated[
        SummaryTable, typer.Option(help="What to do with a board's Summary table.")
    ] = SummaryTable.ERROR,
    direction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DATASET=WAY",
            help="DATASET=min where lower is better, DATASET=none to leave it out.",
        ),
    ] = None,
    missing: Annotated[
        MissingPolicy, typer.Option(help="What to do about missing scores.")
    ] = MissingPolicy.DROP_MODELS,
    tau: Annotated[
        float, typer.Option(metavar="NUMBER", help="Correlation above which datasets repeat.")
    ] = 0.9,
    correlation: Annotated[
        CorrelationMethod, typer.Option(help="Correlation between datasets.")
    ] = CorrelationMethod.PEARSON,
    schemes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="Ranking schemes (ids or topsis/*). Repeatable.",
        ),
    ] = None,
    borda: Annotated[BordaCount, typer.Option(help="How missing scores count.")] = BordaCount.PLAIN,
    top_k: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="How far down a ranking counts as the top.",
        ),
    ] = 10,
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", help="Seed of the draw of compositions.")
    ] = 0,
    top: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="How many models the text output lists.",
            min=1,
        ),
    ] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the table as Markdown.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")
    ] = False,
) -> None:
    """Say which ranks of a leaderboard hold."""
    if as_json + as_csv + as_markdown > 1:
        raise typer.BadParameter("choose one of --json, --csv and --markdown")
    with _errors_in_one_line(), _progress(quiet) as tell:
        if matrix is None:
            given = rr.load_example()
        else:
            given = rr.read(
                matrix,
                tasks=task_metadata,
                models=model_metadata,
                partial=partial.value,
                on_duplicate=on_duplicate.value,
                summary=summary.value,
                progress=tell,
            )
        selected = given.select(
            models=models,
            datasets=datasets,
            task_type=task_type,
            language=language,
            open_weights=open_weights or None,
            zero_shot=zero_shot or None,
            max_parameters=max_parameters,
        )
        analysis = rr.analyze(
            selected,
            tau=tau,
            correlation=correlation.value,
            schemes=schemes or rr.SCHEMES,
            borda=borda.value,
            top_k=top_k,
            missing=missing.value,
            direction=_parse_direction(direction or []),
            seed=seed,
            progress=tell,
        )
    if as_json:
        print(json.dumps(analysis.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    elif as_csv:
        analysis.to_frame().to_csv(sys.stdout)
    elif as_markdown:
        print(analysis.to_markdown())
    else:
        print(analysis.summary(top))
    if not quiet:
        _print_notes(analysis)


@app.command()
def schemes() -> None:
    """List the ranking schemes."""
    for scheme in rr.SCHEMES.values():
        print(f"{scheme.id:<28}{scheme.description}")


def _parse_direction(options: list[str]) -> dict[str, Literal["min", "max"] | None]:
    ways: dict[str, Literal["min", "max"] | None] = {}
    for option in options:
        dataset, sign, way = option.rpartition("=")
        if not sign or way not in ("min", "max", "none"):
            raise ParameterError(
                f"--direction takes DATASET=min, DATASET=max or DATASET=none; got {option!r}.",
                [option],
            )
        ways[dataset] = None if way == "none" else cast("Literal['min', 'max']", way)
    return ways


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    try:
        yield
    except InputError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            f"error: {error}", markup=False, style="red"
        )
        raise typer.Exit(1) from error


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[str], None]]:
    console = Console(stderr=True, highlight=False)
    if quiet:
        yield lambda _: None
    elif console.is_terminal:
        with console.status("Starting") as status:
            yield lambda step: status.update(f"{step} …")
    else:
        yield lambda step: console.print(f"{step} …", markup=False)


def _print_notes(analysis: rr.Analysis) -> None:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    for note in analysis.notes:
        console.print(f"note: {note.message}", markup=False)
