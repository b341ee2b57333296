"""``robustrank study``: every language and task type of a benchmark."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

import robustrank as rr
from robustrank._text import align, printable
from robustrank.cli import options
from robustrank.cli.files import check_output, is_page, say_written
from robustrank.cli.streams import errors_in_one_line, print_notes
from robustrank.grid.export import Format, check_formats, flat
from robustrank.notes import count
from robustrank.report.export import frame_to_markdown
from robustrank.report.findings import format_ess
from robustrank.report.tables import format_frame


def study(
    results: Annotated[
        str | None,
        typer.Argument(
            metavar="RESULTS",
            help="A long table, a folder of MTEB results, or a leaderboard export; without it, the "
            "bundled example.",
        ),
    ] = None,
    *,
    task_metadata: options.TaskMetadata = None,
    model_metadata: options.ModelMetadata = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="papers: the published protocol, which options narrow further."
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            help="Field of the task metadata to lay the grid out by, in place of language and "
            "task_type. Give two; --language and --task-type then name their values.",
        ),
    ] = None,
    language: options.Languages = None,
    task_type: options.TaskTypes = None,
    level: Annotated[
        Literal["task", "language"],
        typer.Option(help="Scores of whole datasets, or of their subsets in the language."),
    ] = "task",
    open_weights: options.OpenWeights = False,
    zero_shot: Annotated[
        bool,
        typer.Option(
            "--zero-shot", help="Keep models trained on none of the datasets of the task type."
        ),
    ] = False,
    unknown_training_data: Annotated[
        Literal["drop", "keep"] | None,
        typer.Option(help="What --zero-shot does with models whose training data are unknown."),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            help="Keep models whose metadata have this field (n_parameters). Repeatable.",
        ),
    ] = None,
    complete: Annotated[
        Literal["cell", "task-type"] | None,
        typer.Option(help="On which datasets a model needs scores: the cell's by default."),
    ] = None,
    released_from: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Keep models released then or later (2025-01-01)."),
    ] = None,
    released_until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Keep models released then or earlier.")
    ] = None,
    min_parameters: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Keep models with at least this many parameters."),
    ] = None,
    max_parameters: options.MaxParameters = None,
    min_datasets: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Leave out languages with fewer datasets."),
    ] = None,
    min_coverage: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            help="A dataset with scores of a smaller share of the models is without results.",
        ),
    ] = 0.1,
    partial: options.Partial = "keep",
    on_duplicate: options.OnDuplicate = "error",
    tau: options.Tau = 0.9,
    correlation: options.CorrelationName = "pearson",
    linkage: options.LinkageName = "single",
    n_compositions: options.Compositions = 3,
    schemes: options.Schemes = None,
    engine: options.EngineName = "numpy",
    top_k: options.TopK = 10,
    consistency: options.ConsistencyName = "rank-weighted",
    saturation: Annotated[
        int,
        typer.Option(metavar="NUMBER", help="Datasets from which more add no evidence by number."),
    ] = 5,
    n_resamples: options.Resamples = 0,
    confidence_level: options.ConfidenceLevel = 0.95,
    seed: options.Seed = 0,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", metavar="NUMBER", help="Processes to rank cells with; -1 for all cores."
        ),
    ] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="A file that ends in .html gets a report; a folder gets report.html, all tables, "
            "and rankings as they come, which a later run finds.",
        ),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="csv, parquet, latex or markdown: of the tables under --output. Repeatable.",
        ),
    ] = None,
    cell: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="LANGUAGE TYPE", help="Print the models of one cell instead of the findings."
        ),
    ] = None,
    sensitivity: Annotated[
        bool,
        typer.Option(
            "--sensitivity", help="Also print what other thresholds, linkages, … would change."
        ),
    ] = False,
    top: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", help="How many languages or models the text output lists.", min=1
        ),
    ] = 10,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    as_markdown: options.AsMarkdown = False,
    quiet: options.Quiet = False,
) -> None:
    """Say for which languages and task types a leaderboard's ranks hold, and who leads where.

    --csv and --markdown print one row per language and task type, or per model of --cell.
    """
    for clash, remedy in (
        (as_json + as_csv + as_markdown > 1, "choose one of --json, --csv and --markdown"),
        (
            formats and (output is None or is_page(output)),
            "--format is of the tables under --output; name a folder there",
        ),
        (jobs == 0, "--jobs is a number of processes, or -1 for all cores"),
        (as_json and cell, "--json prints the whole study; leave --cell out"),
        (
            sensitivity and (as_json or as_csv or as_markdown or cell),
            "--sensitivity adds to the findings as text; leave the other outputs out",
        ),
    ):
        if clash:
            raise typer.BadParameter(remedy)
    with errors_in_one_line():
        chosen = check_formats(formats or ["csv"])
        if output is not None:
            check_output(output)
        found = rr.study(
            rr.load_example() if results is None else results,
            by=cast("tuple[str, str]", ("language", "task_type") if by is None else tuple(by)),
            tasks=task_metadata,
            models=model_metadata,
            preset=preset,
            languages=language,
            task_types=task_type,
            level=level,
            filters=rr.ModelFilter(
                open_weights=open_weights or None,
                zero_shot=zero_shot or None,
                unknown_training_data=unknown_training_data,
                known=known or (),
                complete=complete,
                released_from=released_from,
                released_until=released_until,
                min_parameters=min_parameters,
                max_parameters=max_parameters,
            ),
            min_datasets=min_datasets,
            min_coverage=min_coverage,
            partial_scores=partial,
            on_duplicate=on_duplicate,
            tau=tau,
            correlation=correlation,
            linkage=linkage,
            n_compositions=n_compositions,
            schemes=schemes or rr.SCHEMES,
            engine=engine,
            top_k=top_k,
            consistency=consistency,
            saturation=saturation,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            seed=seed,
            folder=None if output is None or is_page(output) else output,
            n_jobs=jobs,
            progress=not quiet,
        )
        written = [] if output is None else _write(found, output, chosen)
        table = None if cell is None else found.standings(*cell)
        varied = found.sensitivity() if sensitivity else None
    if as_json:
        print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    elif as_csv:
        rows = flat(found.cells, *found.plan.by) if table is None else flat(table, "model")
        rows.to_csv(sys.stdout, index=False, lineterminator="\n")
    elif as_markdown:
        print(found.to_markdown("cells") if table is None else frame_to_markdown(table))
    elif cell is None:
        print("\n\n".join(map(str, filter(None, [found.summary(top), varied]))))
    else:
        print(_describe_cell(found, cell, top))
    if not quiet:
        print_notes(found.notes if cell is None else found.notes_of(*cell))
        if output is not None:
            say_written(written, output)


def _write(found: rr.Study, output: Path, formats: list[Format]) -> list[Path]:
    return [found.to_html(output)] if is_page(output) else found.save(output, formats)


def _describe_cell(found: rr.Study, cell: tuple[str, str], top: int) -> str:
    row = found.cells.loc[[cell]].iloc[0]
    head = (
        f"{' × '.join(cell)}: {row['level']}, ESS {format_ess(row['ess'])} ({row['category']}); "
        f"{count(row['n'], 'dataset')} in {count(row['q'], 'cluster')}, "
        f"{count(row['n_models'], 'model')}, {count(row['n_rankings'], 'ranking')} counted"
    )
    models = format_frame(found.standings(*cell).head(top))
    return "\n".join([printable(head), *align([list(models.columns), *models.to_numpy().tolist()])])
