"""The map of evidence on a study's page: language × task type, and what each cell unfolds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._text import percent, printable
from robustrank.evidence import LEVELS
from robustrank.grid.cells import standings
from robustrank.grid.layout import block_of
from robustrank.report.findings import format_ess
from robustrank.report.tables import format_value

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from robustrank.grid.block import Block
    from robustrank.grid.layout import BlockId
    from robustrank.grid.study import Study
    from robustrank.matrix import ScoreMatrix

#: How many models of a cell the page shows.
_TOP = 10
_PLACES = {level: place for place, level in enumerate(LEVELS)}


@dataclass(frozen=True)
class MapCell:
    """A cell of the map: its number among those with datasets, or None; place of its level."""

    number: int | None
    level: int
    ess: str
    sort: str
    label: str


@dataclass(frozen=True)
class MapRow:
    """A language: mean ESS over all task types, evaluable task types, the strongest level."""

    name: str
    ess: str
    sort: str
    category: str
    least: int
    cells: list[MapCell]


def short_level(level: str) -> str:
    """Return a level without its E: ``"RS+DS"`` of ``"E_RS+DS"``, but ``"E1"`` as it is."""
    return level.removeprefix("E_")


def split_name(name: str) -> list[str]:
    """Return where a name such as ``PairClassification`` may be broken."""
    return re.split(r"(?<=[a-z])(?=[A-Z])", printable(name))


def map_rows(study: Study) -> list[MapRow]:
    """Return the map row by row; cells with datasets are numbered in that order."""
    width = len(study.plan.task_types)
    numbers = iter(range(len(study.cells)))
    levels = study.cells["level"].tolist()
    cells = [
        MapCell(
            number=next(numbers) if n else None,
            level=_PLACES[level],
            ess=format_ess(ess),
            sort=f"{ess:.10g}",
            label=f"{language}, {task_type}: {level}, ESS {format_ess(ess)}",
        )
        for (language, task_type), n, level, ess in zip(
            study.cells.index, study.cells["n"], levels, study.cells["ess"], strict=True
        )
    ]
    languages = study.languages
    return [
        MapRow(
            name=str(name),
            ess=format_ess(ess),
            sort=f"{ess:.10g}",
            category=category,
            least=max(cell.level for cell in cells[i * width : (i + 1) * width]),
            cells=cells[i * width : (i + 1) * width],
        )
        for i, (name, ess, category) in enumerate(
            zip(languages.index, languages["ess"], languages["category"], strict=True)
        )
    ]


#: What a cell tells beside its standings: columns of `Study.cells` and what they are called.
_MEASURES = {
    "n": "datasets (n)",
    "n_scored": "with results",
    "n_ranked": "that tell models apart",
    "q": "clusters (q)",
    "n_unique": "distinct picks (U)",
    "n_models": "models ranked",
    "n_rankings": "rankings counted",
    "w_schemes": "Kendall's W over schemes",
    "w_compositions": "Kendall's W over compositions",
}
_REMARKS = {
    "robust_models": "Robust models",
    "unscored": "Without results",
    "partial": "Partial scores of the most consistent model",
}


def cell_data(study: Study) -> dict[str, Any]:
    """Return what cells unfold as JSON-safe values, every block and every name once.

    Returns
    -------
    dict
        What ``measures``, ``remarks`` and ``columns`` of the standings are called; ``names`` of
        models; ``meanings`` of levels; ``cells``, each with its title, level, values (null where
        there is none) and the number of its block (null if it is not ranked); ``blocks``, each with
        its datasets, the best models, how many more there are, and notes.
    """
    level = study.settings["level"]
    names: dict[str, int] = {}
    numbers: dict[BlockId, int] = {}
    blocks: list[dict[str, Any]] = []
    cells = []
    for plan, row in zip(study.plan.cells, study.cells.to_dict("records"), strict=True):
        if not row["n"]:
            continue
        key = block_of(plan, level)
        if key in study.blocks and key not in numbers:
            numbers[key] = len(blocks)
            blocks.append(_block(study, study.blocks[key], study.matrices[key], names))
        cells.append(
            {
                "title": [printable(plan.language), printable(plan.task_type)],
                "level": row["level"],
                "ess": format_ess(row["ess"]),
                "measures": [_fact(row[name]) for name in _MEASURES],
                "remarks": [_fact(row[name]) for name in _REMARKS],
                "block": numbers.get(key),
            }
        )
    columns = list(_standings_columns(study.settings["n_resamples"] > 0))
    return {
        "measures": list(_MEASURES.values()),
        "remarks": list(_REMARKS.values()),
        "columns": columns,
        "names": list(names),
        "cells": cells,
        "blocks": blocks,
        "meanings": dict(LEVELS),
    }


def _fact(value: Any) -> str | None:
    if pd.isna(value):
        return None
    return f"{value:.3f}" if isinstance(value, float) else printable(f"{value}")


def _block(
    study: Study, block: Block, matrix: ScoreMatrix, names: dict[str, int]
) -> dict[str, Any]:
    table = standings(block, study.settings["top_k"], study.settings["consistency"])
    makers = _standings_columns(study.settings["n_resamples"] > 0)
    shown = table.head(_TOP)
    rows = [
        [
            names.setdefault(printable(str(model)), len(names)),
            *(_value(own, columns) for columns in makers.values()),
        ]
        for model, own in zip(shown.index, shown.to_dict("records"), strict=True)
    ]
    return {
        "datasets": [printable(name) for name in matrix.scores.columns],
        "rows": rows,
        "more": len(table) - len(rows),
        "notes": [[note.code, printable(note.message)] for note in block.notes],
    }


def _standings_columns(resampled: bool) -> dict[str, tuple[str, ...]]:
    """Return headings and the columns of `Grid.standings` that they show; two make a span."""
    columns = {
        "Consistency": ("consistency",),
        "Mean rank": ("mean_rank",),
        "Best–worst": ("best_rank", "worst_rank"),
        "First in": ("share_first",),
        "Mean score": ("mean",),
        "ST": ("scheme_variance",),
        "SN": ("composition_variance",),
    }
    return columns | ({"P(best)": ("p_best",)} if resampled else {})


def _value(row: Mapping[Hashable, Any], columns: tuple[str, ...]) -> str:
    if columns == ("share_first",):
        return percent(row["share_first"])
    if columns == ("mean",):
        return format_value("consistency", row["mean"])
    return "–".join(format_value(name, row.get(name, float("nan"))) for name in columns)
