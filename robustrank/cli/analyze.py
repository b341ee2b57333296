"""``robustrank analyze``: one matrix, from a file to the findings."""

import json
import sys
from typing import Annotated

import typer

from robustrank.cli import options
from robustrank.cli.analysis import Run, takes_analysis
from robustrank.cli.files import check_output, say_written, write_report
from robustrank.cli.streams import errors_in_one_line, print_notes, progress


@takes_analysis
def analyze(
    run: Run,
    top: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="How many models the text output lists.",
            min=1,
        ),
    ] = 10,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    as_markdown: options.AsMarkdown = False,
    output: options.Output = None,
    no_decision: options.NoDecision = False,
    quiet: options.Quiet = False,
) -> None:
    """Say which ranks of a leaderboard hold."""
    if as_json + as_csv + as_markdown > 1:
        raise typer.BadParameter("choose one of --json, --csv and --markdown")
    with errors_in_one_line(), progress(quiet) as tell:
        if output is not None:
            check_output(output)
        analysis = run(tell, decision=output is not None and not no_decision)
        written = [] if output is None else write_report(analysis, output, tell)
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
        if output is not None:
            say_written(written, output)
