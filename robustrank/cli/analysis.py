"""Analysing a matrix, with the options of all commands that do so."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, Protocol

import typer

import robustrank as rr
from robustrank.cli import options
from robustrank.cli.matrix import Read, read_matrix, with_options_of


class Run(Protocol):
    """Analyses as the options say."""

    def __call__(self, tell: Callable[[str], None], *, decision: bool) -> rr.Analysis:
        """Analyse; `tell` announces a step, `decision` is that of `analyze`."""


def takes_analysis(command: Callable[..., None]) -> Callable[..., None]:
    """Put the options of `read_matrix` and `analyze_matrix` before those of a command.

    The command gets, in place of them, a `Run` as its first argument.
    """
    return with_options_of((read_matrix, analyze_matrix), command, _run)


def _run(read: Read, analyze: Callable[..., rr.Analysis]) -> Run:
    def run(tell: Callable[[str], None], *, decision: bool) -> rr.Analysis:
        return analyze(tell, read, decision)

    return run


def analyze_matrix(
    tell: Callable[[str], None],
    read: Read,
    decision: bool,
    *,
    missing: options.Missing = "drop-models",
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
    """Analyse the matrix that was read."""
    return rr.analyze(
        read(tell),
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
        decision=decision,
        seed=seed,
        progress=tell,
    )
