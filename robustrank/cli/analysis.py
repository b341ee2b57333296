"""Reading and analysing a matrix, with the options of all commands that do so."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, cast

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.errors import ParameterError

#: Takes what announces a step, and analyses as the options say.
Run: TypeAlias = Callable[[Callable[[str], None]], rr.Analysis]


def takes_analysis(command: Callable[..., None]) -> Callable[..., None]:
    """Put the options of `run_analysis` before those of a command.

    The command gets, in place of them, a `Run` as its first argument.
    """
    shared = _parameters(run_analysis)
    merged = [*shared, *_parameters(command)]

    @wraps(command)
    def run(**given: Any) -> None:
        settings = {parameter.name: given.pop(parameter.name) for parameter in shared}
        command(lambda tell: run_analysis(tell, **settings), **given)

    run.__signature__ = inspect.Signature(merged)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in merged}
    return run


def _parameters(function: Callable[..., object]) -> list[inspect.Parameter]:
    """Return the parameters after the first, to be given by name."""
    _, *parameters = inspect.signature(function).parameters.values()
    return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]


def run_analysis(
    tell: Callable[[str], None],
    matrix: Annotated[
        str | None,
        typer.Argument(
            metavar="MATRIX",
            help="A leaderboard export, a table, or a folder of MTEB results; without it, the "
            "bundled example.",
        ),
    ] = None,
    task_type: options.TaskTypes = None,
    language: options.Languages = None,
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
    open_weights: options.OpenWeights = False,
    zero_shot: Annotated[
        bool,
        typer.Option(
            "--zero-shot",
            help="Keep models trained on none of the benchmark.",
        ),
    ] = False,
    max_parameters: options.MaxParameters = None,
    task_metadata: options.TaskMetadata = None,
    model_metadata: options.ModelMetadata = None,
    partial: options.Partial = "keep",
    on_duplicate: options.OnDuplicate = "error",
    summary: options.Summary = "error",
    direction: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DATASET=WAY",
            help="DATASET=min where lower is better, DATASET=none to leave it out.",
        ),
    ] = None,
    missing: options.Missing = "drop-models",
    scale: Annotated[
        Literal["auto", "unit", "percent"],
        typer.Option(help="Whether scores are on 0..1 or 0..100."),
    ] = "auto",
    tau: options.Tau = 0.9,
    correlation: options.CorrelationName = "pearson",
    linkage: options.LinkageName = "single",
    n_compositions: options.Compositions = 3,
    schemes: options.Schemes = None,
    aggregate: options.AggregateName = "mean",
    n_resamples: options.Resamples = 10_000,
    confidence_level: options.ConfidenceLevel = 0.95,
    resampling: Annotated[
        Literal["datasets", "balanced", "clusters"],
        typer.Option(help="Draw datasets, within task types, or clusters that repeat each other."),
    ] = "datasets",
    tier_threshold: Annotated[
        float,
        typer.Option(metavar="NUMBER", help="Probability above which a model counts as better."),
    ] = 0.95,
    instances: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Scores per instance (a table or a folder), to add the noise within datasets.",
        ),
    ] = None,
    n_refits: Annotated[
        int,
        typer.Option(metavar="NUMBER", help="Refits for the intervals of item response theory."),
    ] = 200,
    borda: Annotated[
        Literal["plain", "mteb"], typer.Option(help="How missing scores count.")
    ] = "plain",
    top_k: options.TopK = 10,
    consistency: options.ConsistencyName = "rank-weighted",
    engine: options.EngineName = "numpy",
    seed: options.Seed = 0,
) -> rr.Analysis:
    """Read, select and analyse a matrix."""
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
    return rr.analyze(
        selected,
        tau=tau,
        correlation=correlation,
        linkage=linkage,
        n_compositions=n_compositions,
        schemes=schemes or rr.SCHEMES,
        aggregate=aggregate,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        resampling=resampling,
        tier_threshold=tier_threshold,
        instances=None if instances is None else rr.read_instances(instances),
        n_refits=n_refits,
        borda=borda,
        top_k=top_k,
        consistency=consistency,
        engine=engine,
        missing=missing,
        seed=seed,
        progress=tell,
    )


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
