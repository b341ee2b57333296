"""`paired_bootstrap`: resample the datasets, with one draw for all models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import pandas as pd

from robustrank._arrange import by_content
from robustrank._groups import cluster_numbers
from robustrank.aggregation import Aggregate, Kernel, resolve_aggregate, task_type_codes
from robustrank.aggregation.kernels import LinearKernel
from robustrank.errors import (
    ParameterError,
    check_count,
    check_level,
    check_seed,
    describe_seed,
)
from robustrank.matrix import ScoreMatrix
from robustrank.notes import merge_notes
from robustrank.resampling._remarks import bootstrap_notes
from robustrank.resampling._summary import in_order, summarise
from robustrank.resampling.bootstrap import check_threshold
from robustrank.resampling.draws import Resampling, draw_counts
from robustrank.resampling.two_level import check_overlap, instance_notes, within_noise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from robustrank.instances import InstanceScores
    from robustrank.notes import Note
    from robustrank.resampling.bootstrap import Bootstrap


def paired_bootstrap(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    aggregate: str | Aggregate = "mean",
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    resampling: Resampling = "datasets",
    clusters: pd.Series | Mapping[str, Any] | None = None,
    tier_threshold: float = 0.95,
    top_k: int = 10,
    instances: InstanceScores | None = None,
    seed: int | np.random.Generator = 0,
) -> Bootstrap:
    """Say how much a ranking depends on which datasets happen to be in the benchmark.

    Datasets are drawn with replacement and the aggregate of every model is computed again; all
    models see the same draws, so that differences between them keep their pairing.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Missing scores are allowed: means are over what a model ran, it takes no
        rank (Borda counts and Bradley-Terry strengths rank it), and pairs are compared over the
        datasets that both ran.
    aggregate : str
        What ranks the models: a name in `AGGREGATES`, ``"mean"`` or ``"topsis/critic"`` among them.
    n_resamples : int
    confidence_level : float
        Of the intervals.
    resampling : {"datasets", "balanced", "clusters"}
        Draw datasets; datasets within each task type, so that every type keeps its number; or
        clusters of datasets that repeat each other, so that copies do not pass for evidence.
    clusters : Series or mapping, optional
        Dataset → cluster. By default, datasets whose scores correlate above 0.9 over models are
        linked (`cluster_datasets`); those on which all models tie stand alone.
    tier_threshold : float
        Probability above which one model counts as better than another.
    top_k : int
        For `p_top`.
    instances : InstanceScores, optional
        Scores per instance: every copy of a dataset drawn then draws its instances too (two-level
        bootstrap).
    seed : int or numpy.random.Generator

    Returns
    -------
    Bootstrap

    Raises
    ------
    InputError
        If an aggregate, a dataset or a task type is unknown, or a setting out of range.

    References
    ----------
    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*. Tiers, P(best) and resolved pairs
    as in *MTEB-PT* (2026), §5, §6 and App. 16.

    Examples
    --------
    >>> import robustrank as rr
    >>> board = [[0.7, 0.6, 0.8, 0.9], [0.6, 0.7, 0.8, 0.8], [0.2, 0.3, 0.1, 0.4]]
    >>> rr.paired_bootstrap(board).tiers.to_dict()
    {'m1': 1, 'm2': 1, 'm3': 2}
    """
    matrix = ScoreMatrix.coerce(scores)
    chosen = resolve_aggregate(aggregate)
    check_settings(
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        resampling=resampling,
        tier_threshold=tier_threshold,
        top_k=top_k,
        seed=seed,
    )
    # In an order of content, arrangement and names change no draw and no bit of a sum.
    work = by_content(matrix)
    given, n = matrix.scores.index, matrix.shape[1]
    described, rng = describe_seed(seed), np.random.default_rng(seed)
    numbers = cluster_numbers(work, clusters)
    strata = task_type_codes(work) if resampling == "balanced" else None
    counts = draw_counts(
        rng,
        n_resamples,
        n,
        strata=strata,
        clusters=numbers if resampling == "clusters" else None,
    )
    kernel = chosen.prepare(work)
    samples = kernel(counts)
    notes: list[Note] = []
    if instances is not None:
        linear = _linear(chosen, kernel)
        check_overlap(matrix, instances)
        noise, known = within_noise(work, linear, counts, instances, rng)
        samples += noise
        notes = [*instances.notes, *instance_notes(matrix, instances, known)]
    settings = {
        "aggregate": chosen.name,
        "resampling": resampling,
        "n_units": int(numbers.max()) + 1 if resampling == "clusters" else n,
        "n_resamples": n_resamples,
        "confidence_level": confidence_level,
        "tier_threshold": tier_threshold,
        "top_k": top_k,
        "two_level": instances is not None,
        "seed": described,
    }
    units = numbers if resampling == "clusters" else np.arange(n)
    found = summarise(work, kernel, counts, samples, settings, units)
    by_name = pd.Series(numbers, index=work.scores.columns).loc[matrix.scores.columns]
    remarks = bootstrap_notes(matrix, kernel, settings, by_name, found)
    found = replace(found, notes=merge_notes(matrix.notes, remarks, notes))
    return in_order(found, work.scores.index.get_indexer(given))


def check_settings(
    *,
    n_resamples: object,
    confidence_level: object,
    resampling: object,
    tier_threshold: object,
    top_k: object,
    seed: object,
) -> None:
    """Raise if a setting of `paired_bootstrap` is out of range."""
    check_count("n_resamples", n_resamples, 1)
    check_count("top_k", top_k, 1)
    check_seed(seed)
    check_level(confidence_level)
    check_threshold(tier_threshold, "tier_threshold")
    if resampling not in get_args(Resampling):
        options = ", ".join(map(repr, get_args(Resampling)))
        raise ParameterError(f"resampling must be one of {options}; got {resampling!r}.")


def _linear(aggregate: Aggregate, kernel: Kernel) -> LinearKernel:
    """Return the kernel if noise within datasets can be added to its aggregate."""
    if not isinstance(kernel, LinearKernel):
        raise ParameterError(
            f"Noise within datasets cannot be added to {aggregate.name!r}, which is no mean of "
            "scores. Use aggregate='mean', or leave instances out."
        )
    return kernel
