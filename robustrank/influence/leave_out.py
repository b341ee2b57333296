"""`dataset_influence`: rank again without each dataset, or each group of datasets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._arrange import by_content
from robustrank._groups import group_datasets
from robustrank._numeric import TIE_DECIMALS
from robustrank.aggregation import Aggregate, Kernel, resolve_aggregate
from robustrank.errors import EmptyMatrixError, check_count
from robustrank.influence.contributions import contributions
from robustrank.influence.rankings import Rankings
from robustrank.influence.remarks import influence_notes
from robustrank.influence.result import Influence
from robustrank.influence.tables import group_table, lead_of, model_table, neighbour_table
from robustrank.matrix import ScoreMatrix
from robustrank.notes import merge_notes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._groups import By, Groups


def dataset_influence(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    by: By = "datasets",
    aggregate: str | Aggregate = "mean",
    top_k: int = 10,
) -> Influence:
    """Say which datasets decide a ranking: leave each of them out, and rank again.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models with missing scores are left out, except by Borda counts and
        Bradley-Terry strengths, which rank them too.
    by : {"datasets", "clusters", "task_type"}, mapping or Series
        What is left out together: a dataset; the datasets that correlate above 0.9 over models
        (`cluster_datasets`); a task type; or dataset → name of its group.
    aggregate : str
        What ranks the models: a name in `AGGREGATES`. All but the discriminations of
        ``"discrimination-weighted-mean"`` is computed again without the dataset.
    top_k : int
        How far down a ranking counts as the top.

    Returns
    -------
    Influence

    Raises
    ------
    InputError
        If the aggregate, a task type or a group is unknown, or `top_k` is below 1.
    EmptyMatrixError
        If fewer than two models can be ranked.

    References
    ----------
    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, ch. 11 (the jackknife); Cook
    (1977), *Detection of Influential Observation in Linear Regression*, Technometrics 19(1) (case
    deletion).

    Examples
    --------
    Every dataset but ``d3`` has ``m2`` before ``m1``:

    >>> import robustrank as rr
    >>> board = [[0.7, 0.6, 0.9, 0.8], [0.8, 0.7, 0.2, 0.9], [0.2, 0.3, 0.1, 0.4]]
    >>> found = rr.dataset_influence(board)
    >>> found.table["leader"].to_dict()
    {'d3': 'm2', 'd1': 'm1', 'd2': 'm1', 'd4': 'm1'}
    """
    check_count("top_k", top_k, 1)
    chosen = resolve_aggregate(aggregate)
    matrix, work, kernel = _prepare(ScoreMatrix.coerce(scores), chosen)
    groups = group_datasets(work, by)
    found = _rank_without_each(work, kernel, groups, chosen.name)
    lead = lead_of(found)
    table = group_table(found, lead, top_k)
    order = table.index.to_numpy()
    table.index = pd.Index([groups.names[g] for g in order], name=_index_name(groups))
    changes = (found.without_ranks - found.ranks[:, None])[:, order].T
    settings: dict[str, Any] = {
        "aggregate": chosen.name,
        "by": {str(name): label for name, label in by.items()}
        if isinstance(by, Mapping | pd.Series)
        else by,
        "top_k": top_k,
    }
    return Influence(
        table=table,
        rank_changes=pd.DataFrame(changes, index=table.index, columns=found.models),
        models=model_table(found),
        neighbours=neighbour_table(found, top_k),
        groups=pd.Series(
            [groups.names[g] for g in groups.codes],
            index=pd.Index(work.scores.columns, name="dataset"),
            name=_index_name(groups),
            dtype=object,
        ).loc[matrix.scores.columns],
        leaders=lead.leaders,
        runner_up=lead.runner_up,
        margin=lead.margin,
        margin_standard_error=lead.standard_error,
        noun=groups.noun,
        settings=settings,
        notes=merge_notes(
            matrix.notes, influence_notes(matrix, found, table, groups, settings, kernel)
        ),
    )


def _prepare(given: ScoreMatrix, aggregate: Aggregate) -> tuple[ScoreMatrix, ScoreMatrix, Kernel]:
    """Return the matrix without what cannot be ranked, in its order and by content; its kernel."""
    matrix = given.resolve_missing("keep")
    work = by_content(matrix)
    kernel = aggregate.prepare(work)
    if not kernel.partial and not matrix.is_complete:
        matrix = given.resolve_missing("drop-models")
        work = by_content(matrix)
        kernel = aggregate.prepare(work)
    return matrix, work, kernel


def _rank_without_each(
    work: ScoreMatrix, kernel: Kernel, groups: Groups, aggregate: str
) -> Rankings:
    """Rank with everything, and without each group, in one call of the kernel."""
    counts = np.vstack([np.ones(work.shape[1]), ~groups.member])
    values = kernel(counts)
    values[:, counts.sum(axis=1) == 0] = np.nan  # a scheme ties all models on no dataset
    ranked = np.flatnonzero(kernel.ranked & ~np.isnan(values[:, 0]))
    if len(ranked) < 2:
        raise EmptyMatrixError(
            f"{aggregate} can rank {len(ranked)} of {work.shape[0]} models, but a ranking needs "
            "two: select datasets that more models ran."
        )
    best_first = ranked[np.argsort(-values[ranked, 0].round(TIE_DECIMALS), kind="stable")]
    parts = contributions(kernel)
    by_group = None if parts is None else parts[best_first] @ groups.member.T.astype(np.float64)
    return Rankings(
        models=pd.Index([str(name) for name in work.scores.index[best_first]], name="model"),
        groups=groups.names,
        sizes=groups.member.sum(axis=1),
        aggregate=values[best_first, 0],
        without=values[best_first, 1:],
        contributions=by_group,
    )


def _index_name(groups: Groups) -> str:
    return groups.noun.replace(" ", "_")
