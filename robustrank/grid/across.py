"""Across task types, and across languages: who stays on top, and how strong the evidence is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import EmptyMatrixError, check_count
from robustrank.evidence import ASSESSABLE, evidence_category
from robustrank.grid.cells import best, join_names

if TYPE_CHECKING:
    from collections.abc import Mapping


def coverage_weighted(
    consistency: Mapping[tuple[str, str], pd.Series],
    models: pd.Index,
    languages: list[str],
    n_tasks: int,
    field: str,
) -> pd.DataFrame:
    """Return coverage-weighted consistency (CW of *Slavic*), model × language.

    The sum of a model's consistency over the task types of a language that could be evaluated,
    divided by the number of all task types. NaN for a language that none could be evaluated on.
    """
    place = {language: j for j, language in enumerate(languages)}
    total = np.zeros((len(models), len(languages)))
    evaluated = np.zeros(len(languages), dtype=bool)
    for (language, _), values in consistency.items():
        total[models.get_indexer(values.index), place[language]] += values.to_numpy()
        evaluated[place[language]] = True
    total[:, ~evaluated] = np.nan
    columns = pd.Index(languages, name=field)
    return pd.DataFrame(total / n_tasks, index=models.rename("model"), columns=columns)


def language_table(
    cells: pd.DataFrame, weighted: pd.DataFrame, n_datasets: Mapping[str, int]
) -> pd.DataFrame:
    """Return one row per language; the columns are described in `Study`."""
    groups = cells.groupby(level=0, sort=False)
    score = groups["ess"].mean()
    leaders = {language: best(weighted[language]) for language in weighted}
    return pd.DataFrame(
        {
            "n_datasets": pd.Series(dict(n_datasets)),
            "ess": score,
            "category": score.map(evidence_category),
            "evaluable_tasks": groups["n_models"].agg(lambda sizes: int((sizes > 0).sum())),
            "n_tasks": groups.size(),
            "assessed_rs": (cells["level"].map(ASSESSABLE) > 0).groupby(level=0, sort=False).sum(),
            "assessed_ds": groups["ds"].sum(),
            "most_consistent_model": pd.Series(
                {language: join_names(names) for language, names in leaders.items()}, dtype=object
            ),
            "coverage_weighted": weighted.max(),
        },
        index=pd.Index(list(leaders), name=cells.index.names[0]),
    )


def task_table(cells: pd.DataFrame, n_models: pd.Series) -> pd.DataFrame:
    """Return one row per task type; the columns are described in `Study`."""
    groups = cells.groupby(level=1, sort=False)
    score = groups["ess"].mean()
    first = {task: _most_often(group["most_consistent_model"]) for task, group in groups}
    return pd.DataFrame(
        {
            "n_models": n_models,
            "languages": groups["n"].agg(lambda sizes: int((sizes > 0).sum())),
            "evaluable_languages": groups["n_models"].agg(lambda sizes: int((sizes > 0).sum())),
            "ess": score,
            "category": score.map(evidence_category),
            "assessed_ds": groups["ds"].sum(),
            "most_often_first": pd.Series(
                {t: name for t, (name, _) in first.items()}, dtype=object
            ),
            "share_first": pd.Series({task: share for task, (_, share) in first.items()}),
        },
        index=pd.Index(list(first), name=cells.index.names[1]),
    )


def _most_often(leaders: pd.Series) -> tuple[object, float]:
    """Return the models that lead most cells of a task type, and their share of the cells."""
    known = leaders.dropna()
    if known.empty:
        return np.nan, np.nan
    names = known.str.split(" = ").explode()
    counts = names.groupby(names).size()
    return join_names(best(counts)), float(counts.max() / len(known))


def cross_task(
    ranks: Mapping[str, pd.DataFrame], top_k: int, compositions: list[str]
) -> pd.DataFrame:
    """Count, per composition and scheme, the task types on which a model is in the top η.

    A task type without that many compositions is represented by ``all``.

    Returns
    -------
    DataFrame, model × (composition, scheme)
    """
    check_count("top_k", top_k, 1)
    if not ranks:
        raise EmptyMatrixError("No task type could be evaluated, so there is nothing to count.")
    total: pd.DataFrame | None = None
    for table in ranks.values():
        own = table.columns.unique("composition")
        parts = {name: table[name if name in own else "all"] <= top_k for name in compositions}
        inside = pd.concat(parts, axis="columns", names=["composition", "scheme"]).astype(float)
        total = inside if total is None else total.add(inside, fill_value=0.0)
    assert total is not None  # noqa: S101 - there is at least one table
    return total[compositions].rename_axis(index="model")


def in_top(counts: pd.DataFrame) -> pd.DataFrame:
    """Return the models that are in the top at least once, the most consistent first."""
    kept = counts[counts.max(axis=1) > 0].sort_index()
    return kept.loc[kept.mean(axis=1).sort_values(ascending=False, kind="stable").index]


def leading(weighted: pd.DataFrame, top: int) -> pd.DataFrame:
    """Return whether a model is among the `top` most transfer-consistent ones of a language.

    Ties at the last place all count. Languages without evaluable task types are left out.

    Returns
    -------
    DataFrame of bool, model × language
        Models that are anywhere among them, the one with the best coverage first.
    """
    check_count("top", top, 1)
    known = weighted.dropna(axis="columns", how="all")
    places = known.round(9).rank(ascending=False, method="min")
    inside = (places <= top) & (known > 0)
    kept = inside[inside.any(axis=1)].sort_index()
    order = kept.mean(axis=1).sort_values(ascending=False, kind="stable").index
    return kept.loc[order]
