"""``robustrank report``: one matrix, from a file to a page for people."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from robustrank.cli import options
from robustrank.cli.analysis import Run, takes_analysis
from robustrank.cli.files import check_output, write_report
from robustrank.cli.streams import errors_in_one_line, print_notes, progress


@takes_analysis
def report(
    run: Run,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="A file that ends in .html, or a folder, which gets tables and figures too.",
        ),
    ] = Path("report.html"),
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Heading of the report.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the report in a browser.")] = False,
    no_decision: options.NoDecision = False,
    quiet: options.Quiet = False,
) -> None:
    """Write a report on which ranks of a leaderboard hold, and print its path.

    One page of HTML, which needs no other file and no network.
    """
    with errors_in_one_line(), progress(quiet) as tell:
        check_output(output)
        analysis = run(tell, decision=not no_decision)
        page, *others = write_report(analysis, output, tell, title)
    for path in (page, *others):
        print(path)
    if not quiet:
        print_notes(analysis.notes)
    if show and not webbrowser.open(page.resolve().as_uri()):
        typer.echo(f"No browser could be started; open {page} in one.", err=True)
