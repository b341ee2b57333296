"""Tables for people: rounded cells, short headings, names that cannot break a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from robustrank._text import align, printable
from robustrank.report.words import consistency_meaning, drawn_units, ranked_by

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robustrank.result import Analysis

#: Decimals of the columns of `Analysis.to_frame` when shown to people; 4 for the others.
DECIMALS = {
    "rank": 1,
    "rank_low": 1,
    "rank_high": 1,
    "tier": 0,
    "p_best": 2,
    "borda_rank": 1,
    "mean_rank": 1,
    "best_rank": 1,
    "worst_rank": 1,
    "ability": 2,
    "scheme_variance": 2,
    "composition_variance": 2,
    "consistency": 3,
}
#: Ranks that are whole numbers unless models tie.
_PLACES = {"rank", "rank_low", "rank_high", "borda_rank", "best_rank", "worst_rank"}

LEGEND = (
    "rank: by {aggregate}; interval and ranks: {level:g}% intervals over resampled {units}. tier: "
    "models that their leader does not beat with a probability above {threshold:g}. first: "
    "probability of being first. borda: rank by Borda count. schemes: mean, best and worst rank "
    "over all schemes and compositions. ability: by item response theory. ST, SN: variance of the "
    "rank over schemes, over compositions. consistency: {consistency}."
)


def format_value(column: str, value: object) -> str:
    """Format one cell for reading: whole ranks without decimals, a dash where undefined."""
    if value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if not isinstance(value, int | float):
        return printable(str(value))
    if column in _PLACES and float(value).is_integer():
        return f"{value:.0f}"
    return f"{value:.{DECIMALS.get(column, 4)}f}"


def format_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with every cell formatted for reading, the index as first column."""
    cells = {
        column: [format_value(str(column), value) for value in frame[column].tolist()]
        for column in frame.columns
    }
    return pd.DataFrame({str(frame.index.name): _names(frame.index), **cells})


def _names(index: Iterable[object]) -> list[str]:
    return [printable(str(name)) for name in index]


def ranking_lines(analysis: Analysis, top: int) -> list[str]:
    """Return the best models as lines for a terminal, intervals in one column."""
    frame = analysis.to_frame().head(top)
    cells = format_frame(frame)
    aggregate = analysis.settings["aggregate"]

    def span(low: str, high: str, digits: int | None = None) -> list[str]:
        ends = (frame[low].tolist(), frame[high].tolist())
        if digits is not None:
            return [
                "–" if a != a else f"{a:.{digits}f}–{b:.{digits}f}"  # noqa: PLR0124 - NaN
                for a, b in zip(*ends, strict=True)
            ]
        pairs = zip(cells[low], cells[high], strict=True)
        return [a if a == b else f"{a}–{b}" for a, b in pairs]

    schemes = [
        mean if mean == "–" else f"{mean} ({places})"
        for mean, places in zip(cells["mean_rank"], span("best_rank", "worst_rank"), strict=True)
    ]
    columns = {
        "model": cells["model"],
        aggregate: cells[aggregate],
        "interval": span("ci_low", "ci_high", 3),
        "rank": cells["rank"],
        "ranks": span("rank_low", "rank_high"),
        "tier": cells["tier"],
        "first": cells["p_best"],
        "borda rank" if aggregate == "borda" else "borda": cells["borda_rank"],
        "schemes": schemes,
        "ability": cells["ability"],
        "ST": cells["scheme_variance"],
        "SN": cells["composition_variance"],
        "consistency": cells["consistency"],
    }
    rows = zip(*columns.values(), strict=True)
    return align([list(columns), *map(list, rows)])


def legend(analysis: Analysis) -> str:
    """Explain the headings of `ranking_lines`."""
    settings = analysis.settings
    return LEGEND.format(
        aggregate=ranked_by(analysis),
        level=100 * settings["confidence_level"],
        units=drawn_units(settings),
        threshold=settings["tier_threshold"],
        consistency=consistency_meaning(settings),
    )
