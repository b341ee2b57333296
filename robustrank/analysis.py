"""`analyze`: run every statistic on one matrix and collect the answers."""

from __future__ import annotations

import platform
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._numeric import content_order
from robustrank._remarks import remarks
from robustrank.agreement import assess_agreement
from robustrank.consistency import ConsistencyKind, transfer_consistency
from robustrank.errors import check_count
from robustrank.evidence import assess_evidence
from robustrank.mcdm import (
    SCHEMES,
    Engine,
    Rankings,
    Scheme,
    rank_schemes,
    resolve_schemes,
)
from robustrank.notes import Note, merge_notes
from robustrank.readers import read
from robustrank.redundancy import Redundancy, find_redundancy
from robustrank.result import Analysis
from robustrank.voting import BordaMethod
from robustrank.voting import borda as borda_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from numpy.typing import ArrayLike

    from robustrank._missing import Missing
    from robustrank._numeric import Correlation
    from robustrank._scale import Direction, Scale
    from robustrank.matrix import ScoreMatrix


__all__ = ["Analysis", "analyze"]


def analyze(
    matrix: ScoreMatrix | pd.DataFrame | ArrayLike | str | Path,
    *,
    tau: float = 0.9,
    correlation: Correlation = "pearson",
    n_compositions: int = 3,
    schemes: str | Iterable[str] = tuple(SCHEMES),
    engine: Engine = "numpy",
    borda: BordaMethod = "plain",
    consistency: ConsistencyKind = "rank-weighted",
    top_k: int = 10,
    missing: Missing = "drop-models",
    direction: Direction | None = None,
    scale: Scale = "auto",
    seed: int | np.random.Generator = 0,
    progress: Callable[[str], None] | None = None,
) -> Analysis:
    """Say how much of a leaderboard is real.

    Parameters
    ----------
    matrix : ScoreMatrix, DataFrame, array_like or path
        Models × datasets, or anything that `robustrank.read` understands.
    tau : float
        Datasets whose scores correlate above this repeat each other.
    correlation : {"pearson", "spearman"}
        Between datasets, over models.
    n_compositions : int
        How many distinct picks of one dataset per cluster to rank by, at most.
    schemes : str or iterable of str
        Ids (or patterns) of multi-criteria ranking schemes; all 15 by default.
    engine : {"numpy", "pymcdm"}
        What computes the schemes.
    borda : {"plain", "mteb"}
        How missing scores count; see `robustrank.borda`.
    consistency : {"rank-weighted", "membership"}
        See `robustrank.transfer_consistency`.
    top_k : int
        How far down a ranking counts as the top.
    missing : {"drop-models", "drop-datasets", "error", "keep"}
        What to do about missing scores. With ``"keep"``, correlations and Borda use what is there;
        the schemes rank the models with complete scores.
    direction : mapping, optional
        ``{"WER": "min"}`` where lower is better; `None` leaves a dataset out.
    scale : {"auto", "unit", "percent"}
        Whether scores are on 0..1 or 0..100.
    seed : int or numpy.random.Generator
        Drives the draw of compositions, and nothing else.
    progress : callable, optional
        Called with the name of each step as it begins.

    Returns
    -------
    Analysis

    Raises
    ------
    InputError
        A `ValueError` that names the row, the column and the remedy.

    Examples
    --------
    >>> import robustrank as rr
    >>> analysis = rr.analyze(rr.load_example().select(task_type="Clustering"))
    >>> analysis.evidence.level
    'E_RS+DS'
    """
    tell = progress or _say_nothing
    chosen = resolve_schemes(schemes)
    check_count("top_k", top_k, 1)
    check_count("n_compositions", n_compositions, 0)
    settings: dict[str, Any] = {
        "tau": tau,
        "correlation": correlation,
        "n_compositions": n_compositions,
        "schemes": [scheme.id for scheme in chosen],
        "engine": engine,
        "borda": borda,
        "consistency": consistency,
        "top_k": top_k,
        "missing": missing,
        "direction": dict(direction or {}),
        "scale": scale,
        "seed": _describe_seed(seed),
        "versions": dict(_versions()),
    }
    tell("Reading the scores")
    given = read(matrix, direction=direction, scale=scale, progress=progress)
    analysed = given.resolve_missing(missing)
    # Statistics see rows and columns in an order of content: how the table was arranged and named
    # then changes no bit of the result.
    work = _by_content(analysed)
    tell("Clustering datasets")
    redundancy = find_redundancy(
        work, tau, correlation=correlation, n_compositions=n_compositions, seed=seed
    )
    tell("Ranking by every scheme and composition")
    rankings = _rank_complete(work, redundancy.compositions, chosen, engine, analysed.scores)
    agreement = assess_agreement(rankings.ranks, redundancy.picks)
    tell("Consistency and Borda count")
    counted = rankings.ranks[redundancy.picks]
    return Analysis(
        matrix=analysed,
        redundancy=_in_order(redundancy, analysed.scores.columns),
        rankings=rankings,
        agreement=agreement,
        evidence=assess_evidence(redundancy.n, redundancy.q),
        consistency=transfer_consistency(counted, top_k, kind=consistency),
        borda=borda_count(work, borda),
        notes=merge_notes(
            analysed.notes,
            remarks(analysed, redundancy.n, top_k),
            redundancy.notes,
            rankings.notes,
            agreement.notes,
        ),
        settings=settings,
    )


def _say_nothing(_: str) -> None:
    pass


def _by_content(matrix: ScoreMatrix) -> ScoreMatrix:
    """Arrange models and datasets by the scores they hold."""
    rows, columns = content_order(matrix.scores)
    scores = matrix.scores
    return matrix.arrange(models=list(scores.index[rows]), datasets=list(scores.columns[columns]))


def _in_order(redundancy: Redundancy, datasets: pd.Index) -> Redundancy:
    """Return the tables with datasets in the order of the matrix that was given."""
    return replace(
        redundancy,
        correlation=redundancy.correlation.loc[datasets, datasets],
        clusters=redundancy.clusters.loc[datasets],
        compositions=redundancy.compositions[datasets],
    )


def _rank_complete(
    matrix: ScoreMatrix,
    compositions: pd.DataFrame,
    schemes: tuple[Scheme, ...],
    engine: Engine,
    given: pd.DataFrame,
) -> Rankings:
    """Rank the models with complete scores, in the order of `given`; the others have no rank."""
    everyone = given.index
    complete = list(matrix.scores.dropna().index)
    if len(complete) >= 2:
        block = matrix.arrange(models=complete, datasets=list(matrix.scores.columns))
        found = rank_schemes(block, compositions, schemes, engine=engine)
        preferences, ranks = (t.reindex(everyone) for t in (found.preferences, found.ranks))
        weights = found.weights.loc[given.columns]
        return replace(found, preferences=preferences, ranks=ranks, weights=weights)
    ids = [scheme.id for scheme in schemes]
    columns = pd.MultiIndex.from_product([compositions.index, ids], names=["composition", "scheme"])
    weightings = list(dict.fromkeys(scheme.weighting for scheme in schemes))
    of_weights = pd.MultiIndex.from_product(
        [compositions.index, weightings], names=["composition", "weighting"]
    )
    message = (
        "Fewer than two models have complete scores, so no scheme can rank them: select datasets "
        "that more models ran."
    )
    return Rankings(
        pd.DataFrame(np.nan, index=everyone, columns=columns),
        pd.DataFrame(np.nan, index=everyone, columns=columns),
        pd.DataFrame(np.nan, index=given.columns, columns=of_weights),
        (Note("no-complete-models", message),),
    )


def _describe_seed(seed: int | np.random.Generator) -> Any:
    """Return what is needed to draw the same numbers again."""
    return seed.bit_generator.state if isinstance(seed, np.random.Generator) else seed


@cache
def _versions() -> dict[str, str]:
    packages = ("robustrank", "numpy", "scipy", "pandas", "pymcdm")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
