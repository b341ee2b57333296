"""The command line: tables go to stdout, progress, notes and errors to stderr."""

from importlib.metadata import version
from typing import Annotated

import typer

import robustrank as rr
from robustrank.cli.analyze import analyze
from robustrank.cli.compare import compare
from robustrank.cli.plugins import WithEvaluators
from robustrank.cli.report import report
from robustrank.cli.streams import write_any_name
from robustrank.cli.study import study

__all__ = ["app"]

app = typer.Typer(
    name="robustrank",
    cls=WithEvaluators,
    help="How much of a leaderboard is real: which ranks hold, which datasets repeat each other.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(analyze)
app.command()(report)
app.command()(compare)
app.command()(study)


@app.command()
def schemes() -> None:
    """List the ranking schemes."""
    for scheme in rr.SCHEMES.values():
        print(f"{scheme.id:<28}{scheme.description}")


@app.command()
def aggregates() -> None:
    """List what can rank the models: the mean, its relatives, votes, and the schemes."""
    for aggregate in rr.AGGREGATES.values():
        print(f"{aggregate.name:<30}{aggregate.description}")


def _version(asked: bool) -> None:
    if asked:
        print(f"robustrank {version('robustrank')}")
        raise typer.Exit


@app.callback()
def _main(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    write_any_name()
