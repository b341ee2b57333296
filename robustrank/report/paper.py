"""The ranking in documents: with all columns, or the few that a paper has room for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

import pandas as pd

from robustrank.errors import ParameterError, check_count
from robustrank.report.export import (
    escape_latex,
    frame_to_latex,
    frame_to_markdown,
    pipe_table,
    tabular,
)
from robustrank.report.tables import format_frame

if TYPE_CHECKING:
    from robustrank.result import Analysis

Table = Literal["all", "paper"]


def ranking_to_markdown(analysis: Analysis, table: Table, top: int | None) -> str:
    """Return the ranking as a pipe table; see `Analysis.to_markdown`."""
    frame = _rows(analysis, table, top)
    if table == "all":
        return frame_to_markdown(frame)
    return pipe_table(_cells(analysis, frame), ["Model"])


def ranking_to_latex(analysis: Analysis, table: Table, top: int | None) -> str:
    """Return the ranking as a tabular for booktabs; see `Analysis.to_latex`."""
    frame = _rows(analysis, table, top)
    if table == "all":
        return frame_to_latex(frame)
    cells = _cells(analysis, frame).replace("–", "--")
    cells["Model"] = cells["Model"].map(escape_latex)
    tiers = frame["tier"].fillna(0).tolist()
    breaks = [row for row in range(1, len(tiers)) if tiers[row] != tiers[row - 1]]
    return tabular(cells.rename(columns=escape_latex), ["Model"], breaks)


def _rows(analysis: Analysis, table: Table, top: int | None) -> pd.DataFrame:
    if table not in get_args(Table):
        known = ", ".join(map(repr, get_args(Table)))
        raise ParameterError(f"table must be one of {known}; got {table!r}.", [table])
    frame = analysis.to_frame()
    return frame if top is None else frame.head(check_count("top", top, 1))


def _cells(analysis: Analysis, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the columns for a paper as text, ranks and scores with their intervals."""
    name, level = (analysis.settings[key] for key in ("aggregate", "confidence_level"))
    text = format_frame(frame)
    places = zip(text["rank"], text["rank_low"], text["rank_high"], strict=True)
    ends = zip(frame["ci_low"], frame["ci_high"], strict=True)
    return pd.DataFrame(
        {
            "Rank": [at if low == "–" else f"{at} [{low}, {high}]" for at, low, high in places],
            "Model": text["model"],
            "Mean" if name == "mean" else name: [_score(value) for value in frame[name]],
            f"{100 * level:g}% interval": [
                "–" if math.isnan(low) else f"[{_score(low)}, {_score(high)}]" for low, high in ends
            ],
            "Tier": text["tier"],
            "P(best)": text["p_best"],
            "Mean rank": text["mean_rank"],
        }
    )


def _score(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"
