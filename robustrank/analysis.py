"""`analyze`: run every statistic on one matrix and collect the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank._arrange import by_content
from robustrank._ranked import rank_everything
from robustrank._versions import library_versions
from robustrank.aggregation import resolve_aggregate
from robustrank.consistency import ConsistencyKind, transfer_consistency
from robustrank.decision import decision_support
from robustrank.errors import EmptyMatrixError, check_count, describe_seed
from robustrank.evidence import assess_evidence
from robustrank.irt import fit_2pl
from robustrank.mcdm import SCHEMES, Engine, resolve_schemes
from robustrank.notes import Note, merge_notes
from robustrank.readers import read
from robustrank.resampling import check_settings, paired_bootstrap
from robustrank.result import Analysis
from robustrank.voting import BordaMethod
from robustrank.voting import borda as borda_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import numpy as np
    import pandas as pd
    from numpy.typing import ArrayLike

    from robustrank._linkage import Linkage
    from robustrank._missing import Missing
    from robustrank._numeric import Correlation
    from robustrank._scale import Direction, Scale
    from robustrank.instances import InstanceScores
    from robustrank.matrix import ScoreMatrix
    from robustrank.resampling.draws import Resampling


__all__ = ["Analysis", "analyze"]

_UNASKED = (
    "What would change the answer is not said: it takes two models with every score, and there are "
    "fewer. Leave out the datasets with the fewest scores."
)


def analyze(
    matrix: ScoreMatrix | pd.DataFrame | ArrayLike | str | Path,
    *,
    tau: float = 0.9,
    correlation: Correlation = "pearson",
    linkage: Linkage = "single",
    n_compositions: int = 3,
    schemes: str | Iterable[str] = tuple(SCHEMES),
    engine: Engine = "numpy",
    aggregate: str = "mean",
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    resampling: Resampling = "datasets",
    tier_threshold: float = 0.95,
    instances: InstanceScores | None = None,
    n_refits: int = 200,
    borda: BordaMethod = "plain",
    consistency: ConsistencyKind = "rank-weighted",
    top_k: int = 10,
    missing: Missing = "drop-models",
    direction: Direction | None = None,
    scale: Scale = "auto",
    decision: bool = False,
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
    linkage : {"single", "average", "complete"}
        Which correlation between two clusters of datasets must be above `tau` for them to merge:
        the strongest, the mean or the weakest; see `robustrank.find_redundancy`.
    n_compositions : int
        How many distinct picks of one dataset per cluster to rank by, at most.
    schemes : str or iterable of str
        Ids (or patterns) of multi-criteria ranking schemes; all 15 by default.
    engine : {"numpy", "pymcdm"}
        What computes the schemes.
    aggregate : str
        What the board is ranked by, with intervals and tiers: the mean score, or another name in
        `AGGREGATES`, such as ``"borda-mteb"`` or ``"topsis/critic"``.
    n_resamples : int
        Resamples of the datasets, for intervals, tiers and probabilities.
    confidence_level : float
        Of the intervals.
    resampling : {"datasets", "balanced", "clusters"}
        What is drawn; see `robustrank.paired_bootstrap`. Clusters are those of `tau` and `linkage`.
    tier_threshold : float
        Probability above which one model counts as better than another.
    instances : InstanceScores, optional
        Scores per instance, to add the noise within datasets; see `robustrank.read_instances`.
    n_refits : int
        Refits on resampled models and datasets, for the intervals of item response theory.
    borda : {"plain", "mteb"}
        How missing scores count; see `robustrank.borda`.
    consistency : {"rank-weighted", "membership"}
        See `robustrank.transfer_consistency`.
    top_k : int
        How far down a ranking counts as the top.
    missing : {"drop-models", "drop-datasets", "error", "keep"}
        What to do about missing scores. With ``"keep"``, correlations, Borda, item response theory
        and comparisons of pairs use what is there; the mean and the schemes rank the models with
        complete scores.
    direction : mapping, optional
        ``{"WER": "min"}`` where lower is better; `None` leaves a dataset out.
    scale : {"auto", "unit", "percent"}
        Whether scores are on 0..1 or 0..100.
    decision : bool
        Whether to ask also what would change the answer, by mean score, for the report: see
        `robustrank.decision_support`. It takes some seconds on large boards. That is left out,
        with a note, where ``missing="keep"`` leaves fewer than two models with every score.
    seed : int or numpy.random.Generator
        Drives the draws: of compositions, resamples and refits.
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
    >>> len(analysis.bootstrap.leads)  # models that the leader stands above
    87
    """
    tell = progress or _say_nothing
    chosen = resolve_schemes(schemes)
    check_count("n_compositions", n_compositions, 0)
    check_count("n_refits", n_refits, 0)
    check_settings(
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        resampling=resampling,
        tier_threshold=tier_threshold,
        top_k=top_k,
        seed=seed,
    )
    settings: dict[str, Any] = {
        "tau": tau,
        "correlation": correlation,
        "linkage": linkage,
        "n_compositions": n_compositions,
        "schemes": [scheme.id for scheme in chosen],
        "engine": engine,
        "aggregate": resolve_aggregate(aggregate).name,
        "n_resamples": n_resamples,
        "confidence_level": confidence_level,
        "resampling": resampling,
        "tier_threshold": tier_threshold,
        "instances": None if instances is None else repr(instances),
        "n_refits": n_refits,
        "borda": borda,
        "consistency": consistency,
        "top_k": top_k,
        "missing": missing,
        "direction": dict(direction or {}),
        "scale": scale,
        "decision": decision,
        "seed": describe_seed(seed),
        "versions": library_versions(),
    }
    tell("Reading the scores")
    given = read(matrix, direction=direction, scale=scale, progress=progress)
    analysed = given.resolve_missing(missing)
    ranked = rank_everything(
        analysed,
        tau=tau,
        correlation=correlation,
        linkage=linkage,
        n_compositions=n_compositions,
        schemes=chosen,
        engine=engine,
        top_k=top_k,
        seed=seed,
        tell=tell,
    )
    redundancy = ranked.redundancy
    counted = ranked.rankings.ranks[redundancy.picks]
    consistent = transfer_consistency(counted, top_k, kind=consistency)
    tell("Resampling datasets")
    bootstrap = paired_bootstrap(
        analysed,
        aggregate=aggregate,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        resampling=resampling,
        clusters=redundancy.clusters,
        tier_threshold=tier_threshold,
        top_k=top_k,
        instances=instances,
        seed=seed,
    )
    tell("Item response theory")
    irt = fit_2pl(analysed, n_refits=n_refits, confidence_level=confidence_level, seed=seed)
    tell("Borda count")
    votes = borda_count(by_content(analysed), borda)
    support, unasked = None, []
    if decision:
        try:
            support = decision_support(
                analysed,
                by="clusters" if resampling == "clusters" else "datasets",
                top_k=top_k,
                confidence_level=confidence_level,
                seed=seed,
                progress=progress,
            )
        except EmptyMatrixError:  # missing="keep": what else is asked takes the scores there are
            unasked.append(Note("unanswered", _UNASKED))
    return Analysis(
        matrix=analysed,
        redundancy=redundancy,
        rankings=ranked.rankings,
        agreement=ranked.agreement,
        evidence=assess_evidence(redundancy.n, redundancy.q),
        bootstrap=bootstrap,
        irt=irt,
        consistency=consistent,
        borda=votes,
        notes=merge_notes(
            ranked.notes,
            bootstrap.notes,
            # Both set datasets aside on which all models tie, and say so in their own words.
            [note for note in irt.notes if note.code != "constant-datasets"],
            unasked,
        ),
        settings=settings,
        decision=support,
    )


def _say_nothing(_: str) -> None:
    pass
