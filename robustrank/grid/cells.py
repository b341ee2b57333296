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
    """Return the names of the largest value above 0, all that tie in alphabetical order."""
    known = values[values > 0]
    return sorted(map(str, known.index[known >= known.max() - _TIED])) if len(known) else []


def join_names(names: Iterable[str], separator: str = " = ") -> object:
    """Return names as one cell of a table, NaN where there is none; tied ones by an equals sign."""
    return separator.join(names) or np.nan


def standings(block: Block, top_k: int, kind: ConsistencyKind) -> pd.DataFrame:
    """Return `Block.statistics` with ``consistency`` in front, the most consistent model first."""
    table = block.statistics
    consistency = block.consistency(top_k, kind).loc[table.index]
    table = pd.concat([consistency, table], axis="columns")
    return table.sort_values(
        ["consistency", "mean_rank"], ascending=[False, True], kind="stable"
    ).rename_axis("model")


def top_lists(ranks: pd.DataFrame, top_k: int) -> pd.DataFrame:
    """Return the models on the first places of every ranking, place × ranking."""
    check_count("top_k", top_k, 1)
    lists = {}
    for name, column in ranks.items():
        inside = column[column <= top_k].sort_index().sort_values(kind="stable")
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
    counts = ["n", "n_scored", "n_ranked", "q", "n_unique", "n_models", "n_rankings"]
    texts = ["most_consistent_model", "leader", "robust_models", "unscored", "partial"]
    return table.astype(dict.fromkeys(counts, "int64") | dict.fromkeys(texts, "object"))


def _row(
    cell: CellPlan, block: Block | None, found: dict[str, Any], saturation: int
) -> dict[str, Any]:
    n = len(cell.datasets)
    ranked, q, n_unique = (0, 0, 0) if block is None else (block.n, block.q, block.n_unique)
    evidence = assess_evidence(n, q, unscored=n - ranked, saturation=saturation)
    empty = {
        "n_models": 0,
        "n_rankings": 0,
        **dict.fromkeys(("w_schemes", "w_compositions"), np.nan),
        "most_consistent_model": np.nan,
        "consistency": np.nan,
        "scheme_variance": np.nan,
        "composition_variance": np.nan,
        "p_best": np.nan,
        "leader": np.nan,
        "leader_mean_rank": np.nan,
        "robust_models": np.nan,
        "partial": np.nan,
    }
    return {
        "n": n,
        "n_scored": len(cell.scored),
        "n_ranked": ranked,
        "q": q,
        "n_unique": n_unique,
        "level": evidence.level,
        "ess": evidence.score,
        "category": evidence.category,
        "rs": evidence.level != "E0",
        "ds": evidence.level == "E_RS+DS" and n_unique > 1,
        **(found or empty),
        "unscored": join_names(cell.unscored, ", "),
    }


def _describe(
    block: Block, matrix: ScoreMatrix | None, top_k: int, kind: ConsistencyKind
) -> dict[str, Any]:
    table = standings(block, top_k, kind)
    consistent = best(table["consistency"])
    first = best(1.0 / table["mean_rank"])
    picked = block.agreement.w_schemes[block.picks]
    share_first = table["share_first"]
    robust = share_first.index[share_first >= ROBUST_SHARE - _TIED]
    return {
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
