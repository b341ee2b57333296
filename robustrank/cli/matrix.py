"""Reading and selecting a matrix, with the options of all commands that do so."""

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Annotated, Any, Literal, TypeAlias, cast

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.errors import ParameterError

#: Reads the matrix as the options say; those of `read_matrix` that are given by name replace the
#: user's, such as another ``matrix``. Of `takes_matrix`, it takes what announces a step.
Read: TypeAlias = Callable[..., rr.ScoreMatrix]


def takes_matrix(command: Callable[..., None]) -> Callable[..., None]:
    """Put the options of `read_matrix` before those of a command.

    The command gets, in place of them, a `Read` as its first argument.
    """
    return with_options_of((read_matrix,), command)


def with_options_of(
    sources: tuple[Callable[..., Any], ...],
    command: Callable[..., None],
    combine: Callable[..., Any] = lambda source: source,
) -> Callable[..., None]:
    """Put the options of functions before those of a command.

    Parameters
    ----------
    sources : tuple of callable
        Their options are the parameters that are given by name alone.
    command : callable
        Its options are the parameters after the first.
    combine : callable
        Makes that first argument of the sources, whose options have been given.

    Returns
    -------
    callable
        A command for typer.
    """
    shared = [_options(source) for source in sources]
    _, *own = inspect.signature(command).parameters.values()
    merged = [
        *(option for group in shared for option in group),
        *(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own),
    ]

    @wraps(command)
    def run(**given: Any) -> None:
        ready = [
            partial(source, **{option.name: given.pop(option.name) for option in group})
            for source, group in zip(sources, shared, strict=True)
        ]
        command(combine(*ready), **given)

    run.__signature__ = inspect.Signature(merged)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in merged}
    return run


def _options(function: Callable[..., object]) -> list[inspect.Parameter]:
    parameters = inspect.signature(function).parameters.values()
    return [each for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY]


def read_matrix(
    tell: Callable[[str], None],
    *,
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
    scale: Annotated[
        Literal["auto", "unit", "percent"],
        typer.Option(help="Whether scores are on 0..1 or 0..100."),
    ] = "auto",
) -> rr.ScoreMatrix:
    """Read a matrix and keep what is selected."""
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
    return given.select(
        models=models,
        datasets=datasets,
        task_type=task_type,
        language=language,
        open_weights=open_weights or None,
        zero_shot=zero_shot or None,
        max_parameters=max_parameters,
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
