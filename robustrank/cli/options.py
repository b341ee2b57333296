"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

TaskMetadata = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Table of task types and languages, one row per dataset."),
]
ModelMetadata = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Table of model metadata, one row per model."),
]
TaskTypes = Annotated[
    list[str] | None,
    typer.Option(metavar="TYPE", help="Keep datasets of this task type. Repeatable."),
]
Languages = Annotated[
    list[str] | None,
    typer.Option(metavar="CODE", help="Keep datasets with this language (eng). Repeatable."),
]
OpenWeights = Annotated[bool, typer.Option("--open-weights", help="Keep models with open weights.")]
MaxParameters = Annotated[
    float | None,
    typer.Option(metavar="NUMBER", help="Keep models with at most this many parameters (1e9)."),
]
Partial = Annotated[
    Literal["keep", "drop"], typer.Option(help="Scores that average a part of their dataset.")
]
OnDuplicate = Annotated[
    Literal["error", "latest", "mean"],
    typer.Option(help="What to do when a score is there twice."),
]
Missing = Annotated[
    Literal["drop-models", "drop-datasets", "error", "keep"],
    typer.Option(help="What to do about missing scores."),
]
Summary = Annotated[
    Literal["error", "task-types"], typer.Option(help="What to do with a board's Summary table.")
]
Tau = Annotated[
    float, typer.Option(metavar="NUMBER", help="Correlation above which datasets repeat.")
]
CorrelationName = Annotated[
    Literal["pearson", "spearman"], typer.Option(help="Correlation between datasets.")
]
LinkageName = Annotated[
    Literal["single", "average", "complete"],
    typer.Option(help="Clusters merge by their strongest, mean or weakest correlation."),
]
Compositions = Annotated[
    int, typer.Option(metavar="NUMBER", help="Picks of one dataset per cluster, at most.")
]
Schemes = Annotated[
    list[str] | None,
    typer.Option(metavar="ID", help="Ranking schemes (ids or topsis/*). Repeatable."),
]
EngineName = Annotated[Literal["numpy", "pymcdm"], typer.Option(help="What computes the schemes.")]
TopK = Annotated[
    int, typer.Option(metavar="NUMBER", help="How far down a ranking counts as the top.")
]
ConsistencyName = Annotated[
    Literal["rank-weighted", "membership"], typer.Option(help="How consistency counts the top.")
]
AggregateName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="What ranks the models: mean, borda-mteb, topsis/critic, …; robustrank aggregates "
        "lists them.",
    ),
]
Resamples = Annotated[int, typer.Option(metavar="NUMBER", help="Resamples behind the intervals.")]
ConfidenceLevel = Annotated[float, typer.Option(metavar="NUMBER", help="Of the intervals.")]
Seed = Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the draws.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")]
AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print the table as Markdown.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help="Also write a report: a file that ends in .html, or a folder with tables and figures.",
    ),
]
NoDecision = Annotated[
    bool,
    typer.Option(
        "--no-decision",
        help="Leave out of the report what would change the answer, which takes some seconds.",
    ),
]
Folder = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FOLDER", help="Also write everything into this folder."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")]
