"""``robustrank hteb``: plan, transform, evaluate, run and export a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from robustrank.cli.streams import errors_in_one_line
from robustrank.errors import ParameterError

if TYPE_CHECKING:
    from types import ModuleType

_Config = Annotated[
    Path, typer.Argument(metavar="CONFIG.yaml", help="The study, also in HTEB 1.1's format.")
]
_Limit = Annotated[
    int | None,
    typer.Option(metavar="NUMBER", min=1, help="At most so many records of each dataset."),
]
_Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="DIR", help="In place of the file's output."),
]
_Generator = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="In place of the file's generator and its options; 'rules' is a dry run without a "
        "language model.",
    ),
]
_Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")]


def example(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is made.")],
) -> None:
    """Write a small study to start from: a configuration and a dataset of each task type."""
    with errors_in_one_line():
        _commands().example(folder)


def plan(
    config: _Config,
    limit: _Limit = None,
    output: _Output = None,
    generator: _Generator = None,
    tokens_per_second: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            min=1e-9,
            help="Tokens that the generator writes per second over all requests, to estimate the "
            "time; by default, what the store has seen.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the plan as JSON.")] = False,
    quiet: _Quiet = False,
) -> None:
    """Check everything and print counts, calls, tokens and time; nothing is requested."""
    with errors_in_one_line():
        changes = {"limit": limit, "output": output, "generator": generator}
        _commands().plan(
            config, changes, tokens_per_second=tokens_per_second, as_json=as_json, quiet=quiet
        )


def transform(
    config: _Config,
    limit: _Limit = None,
    output: _Output = None,
    generator: _Generator = None,
    quiet: _Quiet = False,
) -> None:
    """Generate the texts that are not there yet."""
    with errors_in_one_line():
        changes = {"limit": limit, "output": output, "generator": generator}
        _commands().transform(config, changes, quiet=quiet)


def evaluate(
    config: _Config,
    limit: _Limit = None,
    output: _Output = None,
    generator: _Generator = None,
    quiet: _Quiet = False,
) -> None:
    """Score the models on texts that are generated already, and write the results."""
    with errors_in_one_line():
        changes = {"limit": limit, "output": output, "generator": generator}
        _commands().evaluate(config, changes, quiet=quiet)


def run(
    config: _Config,
    limit: _Limit = None,
    output: _Output = None,
    generator: _Generator = None,
    quiet: _Quiet = False,
) -> None:
    """Transform and evaluate; what an earlier run has done is not done again."""
    with errors_in_one_line():
        changes = {"limit": limit, "output": output, "generator": generator}
        _commands().run(config, changes, quiet=quiet)


def export(
    config: _Config,
    to: Annotated[Path, typer.Option(metavar="DIR", help="The folder of transformations.")],
    limit: _Limit = None,
    output: _Output = None,
    generator: _Generator = None,
    quiet: _Quiet = False,
) -> None:
    """Write the generated texts as files of the released tool."""
    with errors_in_one_line():
        changes = {"limit": limit, "output": output, "generator": generator}
        _commands().export(config, changes, to, quiet=quiet)


def _commands() -> ModuleType:
    """Import what the commands do, which `--help` has no need of."""
    try:
        from robustrank.evaluators.hteb import commands  # noqa: PLC0415 - needs the extra
    except ModuleNotFoundError as error:
        raise ParameterError(
            f"HTEB needs {error.name}, which is not installed. Run: pip install 'robustrank[hteb]'"
        ) from error
    return commands
