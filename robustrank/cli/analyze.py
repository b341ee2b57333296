"""``robustrank analyze``: one matrix, from a file to the findings."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

import robustrank as rr
from robustrank.cli.streams import errors_in_one_line, print_notes, progress
from robustrank.errors import ParameterError


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
            help="Keep models trained on none of the benchmark.",
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
        Literal["keep", "drop"], typer.Option(help="Scores that average a part of their dataset.")
    ] = "keep",
    on_duplicate: Annotated[
        Literal["error", "latest", "mean"],
        typer.Option(help="What to do when a score is there twice."),
    ] = "error",
    summary: Annotated[
        Literal["error", "task-types"],
        typer.Option(help="What to do with a board's Summary table."),
    ] = "error",
    direction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DATASET=WAY",
            help="DATASET=min where lower is better, DATASET=none to leave it out.",
        ),
    ] = None,
    missing: Annotated[
        Literal["drop-models", "drop-datasets", "error", "keep"],
        typer.Option(help="What to do about missing scores."),
    ] = "drop-models",
    scale: Annotated[
        Literal["auto", "unit", "percent"],
        typer.Option(help="Whether scores are on 0..1 or 0..100."),
    ] = "auto",
    tau: Annotated[
        float, typer.Option(metavar="NUMBER", help="Correlation above which datasets repeat.")
    ] = 0.9,
    correlation: Annotated[
        Literal["pearson", "spearman"], typer.Option(help="Correlation between datasets.")
    ] = "pearson",
    n_compositions: Annotated[
        int,
        typer.Option(metavar="NUMBER", help="Picks of one dataset per cluster, at most."),
    ] = 3,
    schemes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="Ranking schemes (ids or topsis/*). Repeatable.",
        ),
    ] = None,
    borda: Annotated[
        Literal["plain", "mteb"], typer.Option(help="How missing scores count.")
    ] = "plain",
    top_k: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="How far down a ranking counts as the top.",
        ),
    ] = 10,
    consistency: Annotated[
        Literal["rank-weighted", "membership"], typer.Option(help="How consistency counts the top.")
    ] = "rank-weighted",
    engine: Annotated[
        Literal["numpy", "pymcdm"], typer.Option(help="What computes the schemes.")
    ] = "numpy",
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
    with errors_in_one_line(), progress(quiet) as tell:
        ways = _parse_direction(direction or [])
        if matrix is None:
            given = rr.load_example().with_direction(ways)
        else:
            given = rr.read(
                matrix,
                tasks=task_metadata,
                models=model_metadata,
                partial=partial,
                on_duplicate=on_duplicate,
                summary=summary,
                direction=ways,
                scale=scale,
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
            correlation=correlation,
            n_compositions=n_compositions,
            schemes=schemes or rr.SCHEMES,
            borda=borda,
            top_k=top_k,
            consistency=consistency,
            engine=engine,
            missing=missing,
            seed=seed,
            progress=tell,
        )
    if as_json:
        print(json.dumps(analysis.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    elif as_csv:
        analysis.to_frame().to_csv(sys.stdout, lineterminator="\n")
    elif as_markdown:
        print(analysis.to_markdown())
    else:
        print(analysis.summary(top))
    if not quiet:
        print_notes(analysis.notes)


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
