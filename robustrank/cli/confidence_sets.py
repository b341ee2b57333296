"""``robustrank confidence-sets``: the ranks that models may have, the models that may be best."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.answering import Reply, Tell, answers
from robustrank.cli.matrix import Read
from robustrank.errors import ParameterError, check_level

if TYPE_CHECKING:
    from robustrank.confidence_sets import ConfidenceSet, RankSets


@answers
def confidence_sets(
    read: Read,
    tell: Tell,
    best: Annotated[
        bool, typer.Option("--best", help="Find the models that may be the best, instead of ranks.")
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Find the ranks of this model alone, compared with all others. Repeatable.",
        ),
    ] = None,
    marginal: Annotated[
        bool,
        typer.Option("--marginal", help="Let each set of ranks hold on its own, not all together."),
    ] = False,
    single_step: Annotated[
        bool, typer.Option("--single-step", help="Do not narrow sets of ranks step by step.")
    ] = False,
    procedure: Annotated[
        Literal["mcb", "mcs-max", "mcs-range"],
        typer.Option(help="Of --best: compare with all others, or eliminate one by one."),
    ] = "mcb",
    by: Annotated[
        Literal["datasets", "clusters", "task_type"],
        typer.Option(help="What is independent: datasets, or groups of them that count once."),
    ] = "datasets",
    test: Annotated[
        Literal["sign-flip", "bootstrap-t"],
        typer.Option(help="For symmetric differences, exact; or for skewed ones, with wider sets."),
    ] = "sign-flip",
    confidence_level: Annotated[float, typer.Option(metavar="NUMBER", help="Of the sets.")] = 0.95,
    n_resamples: Annotated[
        int, typer.Option(metavar="NUMBER", help="Draws of signs or resamples.")
    ] = 2_000,
    missing: options.Missing = "drop-models",
    seed: options.Seed = 0,
    top: Annotated[
        int, typer.Option(metavar="NUMBER", help="How many models the text shows.")
    ] = 20,
) -> Reply:
    """Give each model the set of ranks that it may have, with confidence for all together.

    The sets hold for the ranks by mean score on datasets of the kind at hand.
    """
    if best and (model or marginal or single_step):
        raise ParameterError(
            "--model, --marginal and --single-step are about sets of ranks; leave out --best."
        )
    check_level(confidence_level)
    matrix = read().resolve_missing(missing)
    tell("Comparing all pairs of models")
    found: ConfidenceSet | RankSets
    if best:
        found = rr.model_confidence_set(
            matrix,
            alpha=round(1.0 - confidence_level, 12),
            procedure=procedure,
            by=by,
            test=test,
            n_resamples=n_resamples,
            seed=seed,
        )
    else:
        found = rr.rank_confidence_sets(
            matrix,
            confidence_level=confidence_level,
            simultaneous=not marginal,
            stepwise=not single_step,
            models=model,
            by=by,
            test=test,
            n_resamples=n_resamples,
            seed=seed,
        )
    return Reply(found, found.summary(top), found.table)
