"""Who stays on top: top-η consistency over rankings, and over tasks.

Sources: Gjorgjevikj et al., *On the Robustness of Multilingual Text Embedding Rankings* (2026),
Eq. 3; the same authors, *Dataset Scarcity Limits Robust Evaluation of Multilingual Embedding
Models* (2026), whose transfer consistency prints no formula: the rank-weighted one was inferred
from its Table 11, which it reproduces.
"""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank.errors import EmptyMatrixError, FormatError, ParameterError, check_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    Table = pd.DataFrame | pd.Series

ConsistencyKind = Literal["rank-weighted", "membership"]


def transfer_consistency(
    ranks: pd.DataFrame | ArrayLike, top_k: int = 10, *, kind: ConsistencyKind = "rank-weighted"
) -> pd.Series:
    """Return how consistently each model is near the top of many rankings.

    Parameters
    ----------
    ranks : DataFrame or array_like, shape (m, k)
        Rows are models, columns rankings; 1 is best.
    top_k : int
        η, how far down a ranking counts.
    kind : {"rank-weighted", "membership"}
        ``"rank-weighted"``: the mean over rankings of max(0, η + 1 - rank) / η, which is 1 for a
        model that is always first. ``"membership"``: the share of rankings with rank ≤ η.

    Returns
    -------
    Series
        Between 0 and 1, in the order of `ranks`; NaN for a model without a rank.
    """
    if kind not in get_args(ConsistencyKind):
        raise ParameterError(f"kind must be 'rank-weighted' or 'membership'; got {kind!r}.")
    check_count("top_k", top_k, 1)
    if not isinstance(ranks, pd.DataFrame):
        ranks = pd.DataFrame(np.asarray(ranks, dtype=np.float64))
    # In one memory layout, so that the mean adds in one order wherever the table comes from.
    places = np.ascontiguousarray(ranks.to_numpy(dtype=np.float64))
    if kind == "membership":
        credit = np.where(np.isnan(places), np.nan, places <= top_k)
    else:
        credit = np.maximum(top_k + 1 - places, 0.0) / top_k  # NaN stays NaN
    return pd.DataFrame(credit, index=ranks.index).mean(axis=1).rename("consistency")


def cross_task_consistency(ranks: Mapping[str, pd.DataFrame], top_k: int = 10) -> pd.DataFrame:
    """Count the tasks on which a model is in the top η.

    CT(η, i), Equation 3 of *Robustness*, sums, over tasks, the share of the task's compositions
    that put model i in the top η.

    Parameters
    ----------
    ranks : mapping of str to DataFrame, model × (composition, scheme)
        The rankings of each task, for example ``analysis.rankings.ranks``.
    top_k : int
        η.

    Returns
    -------
    DataFrame, model × scheme
        Between 0 and the number of tasks. A model that a task lacks gets nothing from it.

    Warns
    -----
    UserWarning
        If two tasks have identical rankings: a file may have been given under two names.
    """
    _check_tasks(ranks)
    for task, table in ranks.items():
        if list(table.columns.names) != ["composition", "scheme"]:
            raise FormatError(
                f"The rankings of {task!r} need columns (composition, scheme), as "
                "analysis.rankings.ranks has.",
                [task],
            )
    return count_tasks(ranks, top_k)


def count_tasks(ranks: Mapping[str, pd.DataFrame], top_k: int) -> pd.DataFrame:
    """Count as `cross_task_consistency` does, tasks with identical rankings alike."""
    check_count("top_k", top_k, 1)
    total: pd.DataFrame | None = None
    for table in ranks.values():
        inside = (table <= top_k).astype(float)
        share = inside.T.groupby(level="scheme", sort=False).mean().T
        total = share if total is None else total.add(share, fill_value=0.0)
    if total is None:
        raise EmptyMatrixError("No task was given; cross-task consistency needs at least one.")
    return total.rename_axis(index="model", columns="scheme")


def coverage_weighted_consistency(
    consistency: Mapping[str, pd.Series], n_tasks: int | None = None
) -> pd.Series:
    """Return cross-task transfer consistency, weighted by coverage.

    CW(i), as in Table 11 of *Slavic*, sums the transfer consistency of model i over the tasks that
    could be evaluated and divides by the number of all tasks.

    Parameters
    ----------
    consistency : mapping of str to Series
        Transfer consistency of the models, per evaluable task.
    n_tasks : int, optional
        Number of all tasks, with those that have no dataset; the given ones by default.

    Returns
    -------
    Series
        Between 0 and 1, best first. A model that a task lacks gets nothing from it.
    """
    if not consistency:
        raise EmptyMatrixError("No task was given; cross-task consistency needs at least one.")
    tasks = len(consistency) if n_tasks is None else n_tasks
    if tasks < len(consistency):
        raise ParameterError(f"n_tasks is {tasks}, but {len(consistency)} tasks were given.")
    summed = pd.DataFrame(dict(consistency)).sum(axis=1) / tasks
    ordered = summed.sort_values(ascending=False, kind="stable")
    return ordered.rename("coverage_weighted_consistency").rename_axis("model")


def _check_tasks(tables: Mapping[str, Table]) -> None:
    if not tables:
        raise EmptyMatrixError("No task was given; cross-task consistency needs at least one.")
    for (one, first), (other, second) in combinations(tables.items(), 2):
        if (
            len(first.index) > 2
            and np.array_equal(first.index, second.index)
            and np.array_equal(first.to_numpy(), second.to_numpy(), equal_nan=True)
        ):
            warnings.warn(
                f"Tasks {one!r} and {other!r} have identical results; if one is a copy under "
                "another name, leave it out.",
                stacklevel=3,
            )
