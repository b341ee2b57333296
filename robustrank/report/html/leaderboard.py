"""The leaderboard of a page: cells and what they sort by, intervals to draw, details."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from robustrank._text import percent
from robustrank.notes import count
from robustrank.report.html.details import details
from robustrank.report.tables import format_value
from robustrank.report.words import consistency_meaning, drawn_units, ranked_by

if TYPE_CHECKING:
    from robustrank.report.html.details import Detail
    from robustrank.result import Analysis

Direction = Literal["ascending", "descending"]


@dataclass(frozen=True)
class Column:
    """A column of the leaderboard.

    Attributes
    ----------
    heading : str
    meaning : str
        What it holds.
    first : {"ascending", "descending"}
        How it sorts at first: the best on top.
    more : bool
        Whether it is one of those that are folded away at first.
    """

    heading: str
    meaning: str
    first: Direction
    more: bool = False


@dataclass(frozen=True)
class Interval:
    """A bar in a cell; places are in percent of its width."""

    text: str
    low: float
    at: float
    high: float


@dataclass(frozen=True)
class Cell:
    """What a cell shows, what it sorts by (empty where undefined), and its bar."""

    text: str
    sort: str
    interval: Interval | None = None


@dataclass(frozen=True)
class Row:
    """A model: its cells in the order of the columns, and what unfolds below them.

    `starts` tells whether its tier begins here.
    """

    name: str
    tier: int | None
    starts: bool
    cells: list[Cell]
    details: list[Detail]


@dataclass(frozen=True)
class Leaderboard:
    """Columns, rows (best first), the number of tiers, and what the bars' ends stand for."""

    columns: list[Column]
    rows: list[Row]
    n_tiers: int
    scale: str


def leaderboard(analysis: Analysis) -> Leaderboard:
    """Return the leaderboard of an analysis: `Analysis.to_frame`, with details of each model."""
    frame = analysis.to_frame()
    columns, cells = zip(*_columns(analysis, frame), strict=True)
    tiers = [None if pd.isna(tier) else int(tier) for tier in frame["tier"]]
    about = details(analysis)
    rows = [
        Row(str(name), tier, tier is not None and tier != before, list(own), about[str(name)])
        for name, tier, before, own in zip(
            frame.index, tiers, [None, *tiers], zip(*cells, strict=True), strict=False
        )
    ]
    return Leaderboard(
        columns=list(columns),
        rows=rows,
        n_tiers=max((tier for tier in tiers if tier), default=0),
        scale=_scale(frame, analysis.settings["aggregate"]),
    )


def _columns(analysis: Analysis, frame: pd.DataFrame) -> list[tuple[Column, list[Cell]]]:
    found = [*_main_columns(analysis, frame), *_more_columns(analysis, frame)]
    held = analysis.matrix.scores.notna()
    if not held.all(axis=None):
        share = held.mean(axis=1).reindex(frame.index)
        cells = [Cell(percent(value), _sort(value)) for value in share]
        meaning = "Share of the datasets that it has a score on"
        found.append((Column("Coverage", meaning, "descending", more=True), cells))
    return found


def _main_columns(analysis: Analysis, frame: pd.DataFrame) -> list[tuple[Column, list[Cell]]]:
    """Return the columns that are shown at first."""
    settings, by = analysis.settings, ranked_by(analysis)
    aggregate, units = settings["aggregate"], drawn_units(settings)
    level = f"{100 * settings['confidence_level']:g}% interval over resampled {units}"
    heading = by if by == aggregate else by.capitalize()
    tier = f"in more than {100 * settings['tier_threshold']:g}% of resamples"
    return [
        (
            Column("Rank", f"By {by}, with its {level}", "ascending"),
            _with_intervals(frame, "rank", "rank_low", "rank_high"),
        ),
        (
            Column(heading, f"What ranks the models, with its {level}", "descending"),
            _with_intervals(frame, aggregate, "ci_low", "ci_high"),
        ),
        (
            Column("Tier", f"Models that their leader does not beat {tier}", "ascending"),
            _plain(frame, "tier"),
        ),
        (
            Column("P(best)", f"How often it is first when {units} are resampled", "descending"),
            [Cell(_chance(value), _sort(value)) for value in frame["p_best"].tolist()],
        ),
    ]


def _more_columns(analysis: Analysis, frame: pd.DataFrame) -> list[tuple[Column, list[Cell]]]:
    """Return the columns that are folded away at first."""
    settings = analysis.settings
    over = "ranking schemes and dataset compositions"
    counted = count(analysis.n_rankings, "ranking")
    plain: list[tuple[str, str, str, Direction]] = [
        (
            "consistency",
            "Consistency",
            f"Over {counted} by {over}: {consistency_meaning(settings)}",
            "descending",
        ),
        ("borda_rank", "Borda", "Rank by Borda count: every dataset is a vote", "ascending"),
        ("ability", "Ability", "By item response theory; mean 0, deviation 1", "descending"),
        ("scheme_variance", "ST", "Variance of its rank over ranking schemes", "ascending"),
        ("composition_variance", "SN", "Variance of its rank over compositions", "ascending"),
    ]
    if settings["aggregate"] != "mean":
        plain.insert(0, ("mean", "Mean", "Mean over all datasets", "descending"))
    meaning = f"Mean rank over all {over} (best–worst)"
    return [
        (Column("Schemes", meaning, "ascending", more=True), _schemes(frame)),
        *(
            (Column(heading, meaning, first, more=True), _plain(frame, name))
            for name, heading, meaning, first in plain
        ),
    ]


def _plain(frame: pd.DataFrame, column: str) -> list[Cell]:
    return [Cell(format_value(column, value), _sort(value)) for value in frame[column].tolist()]


def _chance(value: float) -> str:
    """Format a probability, which is 0 or 1 only where it is exactly that."""
    if 0.0 < value < 0.005:
        return "<0.01"
    if 0.995 <= value < 1.0:
        return ">0.99"
    return format_value("p_best", value)


def _schemes(frame: pd.DataFrame) -> list[Cell]:
    columns = ("mean_rank", "best_rank", "worst_rank")
    cells = []
    for row in frame[list(columns)].to_numpy().tolist():
        mean, best, worst = map(format_value, columns, row)
        cells.append(Cell(f"{mean} ({best}–{worst})" if mean != "–" else mean, _sort(row[0])))
    return cells


def _with_intervals(frame: pd.DataFrame, at: str, low: str, high: str) -> list[Cell]:
    """Return values with bars, all of a column on one scale; that of ranks starts at 1."""
    table = frame[[low, at, high]].to_numpy(dtype=np.float64, na_value=np.nan)
    start = 1.0 if at == "rank" else np.nanmin(table, initial=np.inf)
    width = np.nanmax(table, initial=-np.inf) - start
    shares = 100 * (table - start) / (width if width > 0 else 1.0)
    cells = []
    for values, places in zip(table.tolist(), shares.tolist(), strict=True):
        texts = [_short(at, value) for value in values]
        known = not np.isnan(values).any()
        span = texts[0] if texts[0] == texts[2] else f"{texts[0]}–{texts[2]}"
        interval = Interval(span, *places) if known else None
        cells.append(Cell(texts[1], _sort(values[1]), interval))
    return cells


def _short(column: str, value: float) -> str:
    """Format ranks as everywhere; scores, whose intervals are wide, with three decimals."""
    return format_value("rank", value) if column == "rank" else format_value("consistency", value)


def _sort(value: Any) -> str:
    return "" if pd.isna(value) else f"{float(value):.10g}"


def _scale(frame: pd.DataFrame, aggregate: str) -> str:
    low, high = frame["ci_low"].min(), frame["ci_high"].max()
    if pd.isna(low) or pd.isna(high):
        return "There are no intervals to draw."
    what = "scores" if aggregate == "mean" else f"{aggregate} values"
    last = format_value("rank", float(frame["rank_high"].max()))
    return (
        f"The bars of a column share one scale: ranks run from 1 to {last}, {what} from "
        f"{low:.3f} to {high:.3f}."
    )
