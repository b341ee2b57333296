"""One row per cell: how strong its evidence is, whether rankings agree, who is on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank.errors import check_count
from robustrank.evidence import assess_evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from robustrank.consistency import ConsistencyKind
    from robustrank.grid.block import Block
    from robustrank.grid.plan import CellPlan, Plan
    from robustrank.matrix import ScoreMatrix

#: A model counts as robust if at least this share of all rankings puts it first.
ROBUST_SHARE = 0.2
_TIED = 1e-9


def best(values: pd.Series) -> list[str]:
    """Return the names of the largest value, all that tie."""
    known = values.dropna()
    return list(map(str, known.index[known >= known.max() - _TIED])) if len(known) else []


def join_names(names: Iterable[str], separator: str = " = ") -> object:
    """Return names as one cell of a table, NA where there is none; tied ones by an equals sign."""
    return separator.join(names) or pd.NA


def standings(block: Block, top_k: int, kind: ConsistencyKind) -> pd.DataFrame:
    """Return one row per model of a block, the most consistent first.

    Columns: ``consistency``, ``mean_rank``, ``best_rank`` and ``worst_rank`` over all schemes and
    compositions, the share of these rankings that put it first (``share_first``), ``mean`` score,
    ``scheme_variance`` (ST, averaged over compositions), ``composition_variance`` (SN, averaged
    over schemes); with resamples, ``rank_low``,
    ``rank_high`` (the widest over schemes), ``p_best`` and ``p_top`` (averaged over schemes).
    """
    ranks, agreement = block.ranks, block.agreement
    first = ranks.eq(ranks.min()).astype(float)
    table = pd.DataFrame(
        {
            "consistency": block.consistency(top_k, kind),
            "mean_rank": ranks.mean(axis=1),
            "best_rank": ranks.min(axis=1),
            "worst_rank": ranks.max(axis=1),
            "share_first": (first / first.sum()).mean(axis=1),
            "mean": block.mean,
            "scheme_variance": agreement.scheme_variance.mean(axis=1),
            "composition_variance": agreement.composition_variance.mean(axis=1),
        }
    )
    if block.bootstrap is not None:
        low, high, first, top = (
            block.bootstrap.loc[:, (slice(None), name)] for name in _STATISTICS
        )
        table["rank_low"], table["rank_high"] = low.min(axis=1), high.max(axis=1)
        table["p_best"], table["p_top"] = first.mean(axis=1), top.mean(axis=1)
    ordered = table.sort_values(
        ["consistency", "mean_rank"], ascending=[False, True], kind="stable"
    )
    return ordered.rename_axis("model")


_STATISTICS = ("rank_low", "rank_high", "p_best", "p_top")


def top_lists(ranks: pd.DataFrame, top_k: int) -> pd.DataFrame:
    """Return the models on the first places of every ranking, place × ranking."""
    check_count("top_k", top_k, 1)
    lists = {}
    for name, column in ranks.items():
        inside = column[column <= top_k].sort_values(kind="stable")
        lists[name] = pd.Series(inside.index, index=range(1, len(inside) + 1), dtype=object)
    return pd.DataFrame(lists, columns=ranks.columns).rename_axis(index="place")


def cell_table(
    plan: Plan,
    block_for: Callable[[CellPlan], Block | None],
    matrix_for: Callable[[CellPlan], ScoreMatrix | None],
    *,
    top_k: int,
    kind: ConsistencyKind,
    saturation: int,
) -> pd.DataFrame:
    """Return the table of all cells; its columns are described in `Study`."""
    about: dict[int, dict[str, Any]] = {}
    rows = []
    for cell in plan.cells:
        block = block_for(cell)
        if block is not None and id(block) not in about:  # many cells share a block
            about[id(block)] = _describe(block, matrix_for(cell), top_k, kind)
        rows.append(_row(cell, block, about.get(id(block), {}), saturation))
    index = pd.MultiIndex.from_tuples(
        [(cell.language, cell.task_type) for cell in plan.cells], names=plan.by
    )
    table = pd.DataFrame(rows, index=index)
    counts = ["n", "n_scored", "q", "n_unique", "n_models", "n_rankings"]
    texts = ["most_consistent_model", "leader", "robust_models", "unscored", "partial"]
    return table.astype(dict.fromkeys(counts, "int64") | dict.fromkeys(texts, "object"))


def _row(
    cell: CellPlan, block: Block | None, found: dict[str, Any], saturation: int
) -> dict[str, Any]:
    n = len(cell.datasets)
    ranked, q = (0, 0) if block is None else (block.n, block.q)
    evidence = assess_evidence(n, q, unscored=n - ranked, saturation=saturation)
    empty = {
        "n_unique": 0,
        "n_models": 0,
        "n_rankings": 0,
        **dict.fromkeys(("w_schemes", "w_compositions"), np.nan),
        "most_consistent_model": pd.NA,
        "consistency": np.nan,
        "scheme_variance": np.nan,
        "composition_variance": np.nan,
        "p_best": np.nan,
        "leader": pd.NA,
        "leader_mean_rank": np.nan,
        "robust_models": pd.NA,
        "partial": pd.NA,
    }
    return {
        "n": n,
        "n_scored": len(cell.scored),
        "q": q,
        "level": evidence.level,
        "ess": evidence.score,
        "category": evidence.category,
        "rs": evidence.level != "E0",
        "ds": evidence.level == "E_RS+DS",
        **(found or empty),
        "unscored": join_names(cell.unscored, ", "),
    }


def _describe(
    block: Block, matrix: ScoreMatrix | None, top_k: int, kind: ConsistencyKind
) -> dict[str, Any]:
    table = standings(block, top_k, kind)
    consistent = best(table["consistency"])
    first = best(-table["mean_rank"])
    picked = block.agreement.w_schemes[block.picks]
    share_first = table["share_first"]
    robust = share_first.index[share_first >= ROBUST_SHARE - _TIED]
    return {
        "n_unique": block.n_unique,
        "n_models": len(table),
        "n_rankings": block.n_rankings,
        "w_schemes": picked.mean(),
        "w_compositions": block.agreement.w_compositions.mean(),
        "most_consistent_model": join_names(consistent),
        "consistency": table["consistency"].max(),
        "scheme_variance": table.loc[consistent, "scheme_variance"].mean(),
        "composition_variance": table.loc[consistent, "composition_variance"].mean(),
        "p_best": table.loc[consistent, "p_best"].sum() if "p_best" in table else np.nan,
        "leader": join_names(first),
        "leader_mean_rank": table["mean_rank"].min(),
        "robust_models": join_names(map(str, robust), ", "),
        "partial": join_names(_partial(matrix, consistent), ", "),
    }


def _partial(matrix: ScoreMatrix | None, models: list[str]) -> list[str]:
    """Return the partial scores of some models on the datasets of a matrix."""
    if matrix is None or "partial_scores" not in matrix.models:
        return []
    here = tuple(f"{name}: " for name in matrix.scores.columns)
    listed = matrix.models["partial_scores"].loc[models]
    parts = (part for cell in listed if isinstance(cell, tuple) for part in map(str, cell))
    return [part for part in parts if part.startswith(here)]
