"""The command line: tables go to stdout, progress, notes and errors to stderr."""

from importlib.metadata import version
from typing import Annotated

import typer

import robustrank as rr
from robustrank.cli.acceptability import acceptability
from robustrank.cli.analyze import analyze
from robustrank.cli.beats import beats
from robustrank.cli.compare import compare
from robustrank.cli.confidence_sets import confidence_sets
from robustrank.cli.datasets_needed import datasets_needed
from robustrank.cli.decide import decide
from robustrank.cli.flip import flip
from robustrank.cli.influence import influence
from robustrank.cli.next_dataset import next_dataset
from robustrank.cli.plugins import WithEvaluators
from robustrank.cli.report import report
from robustrank.cli.short_suite import short_suite
from robustrank.cli.streams import write_any_name
from robustrank.cli.study import study
from robustrank.cli.winner import winner

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
app.command()(decide)
app.command()(winner)
app.command()(beats)
app.command()(flip)
app.command()(acceptability)
app.command("confidence-sets")(confidence_sets)
app.command()(influence)
app.command()(short_suite)
app.command()(datasets_needed)
app.command()(next_dataset)


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
