"""``robustrank beats``: is a model better than others that were named beforehand."""

from typing import Annotated, Literal

import typer

from robustrank.cli import options
from robustrank.cli.matrix import Read, takes_matrix
from robustrank.cli.printing import print_result
from robustrank.cli.streams import errors_in_one_line, progress


@takes_matrix
def beats(
    read: Read,
    model: Annotated[str, typer.Option(metavar="NAME", help="The model that is to be better.")],
    against: Annotated[
        list[str],
        typer.Option(metavar="NAME", help="A model that it is compared with. Repeatable."),
    ],
    alternative: Annotated[
        Literal["greater", "two-sided", "less"],
        typer.Option(help="Whether the model is claimed to be better, different or worse."),
    ] = "greater",
    test: Annotated[
        Literal["sign-flip", "t", "signed-rank"], typer.Option(help="Of the paired differences.")
    ] = "sign-flip",
    by: Annotated[
        Literal["datasets", "clusters", "task_type"],
        typer.Option(help="What counts as drawn: datasets, or groups of them."),
    ] = "datasets",
    alpha: Annotated[
        float, typer.Option(metavar="NUMBER", help="Largest chance of any false claim.")
    ] = 0.05,
    power: Annotated[
        float,
        typer.Option(metavar="NUMBER", help="Chance with which a difference is to be found."),
    ] = 0.8,
    n_resamples: options.Resamples = 10_000,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    output: options.Folder = None,
    quiet: options.Quiet = False,
) -> None:
    """Test whether a model is better than others that were named before looking.

    Two models are compared on the datasets that both ran.
    """
    if as_json and as_csv:
        raise typer.BadParameter("Choose one of --json and --csv.")
    from robustrank.winners import planned_comparison  # noqa: PLC0415 - --help has no need of it

    with errors_in_one_line(), progress(quiet) as tell:
        matrix = read(tell)
        tell("Comparing the models")
        found = planned_comparison(
            matrix,
            model,
            against,
            alternative=alternative,
            test=test,
            by=by,
            alpha=alpha,
            power=power,
            n_resamples=n_resamples,
            seed=seed,
        )
    print_result(
        found,
        found.summary,
        as_json=as_json,
        table=found.table if as_csv else None,
        output=output,
        quiet=quiet,
    )
