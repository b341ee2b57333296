"""What robustness statistics found, one fact a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from robustrank._numeric import TIE_DECIMALS
from robustrank.evaluators.hteb.statistics.scores import LANGUAGE, TOTAL, TOTAL_WITHOUT_LANGUAGE
from robustrank.evaluators.hteb.statistics.summary_tables import points
from robustrank.notes import count, name_some
from robustrank.presenting import p_value
from robustrank.report.words import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robustrank.evaluators.hteb.statistics.robustness import Robustness


def findings(found: Robustness) -> Iterator[str]:
    """State what was found, a heading and a fact in each line."""
    total = found.profiles.of_part(TOTAL).dropna(subset="delta")
    if len(total):
        yield _drop(found, total)
    if len(total) > 1:
        yield _models(total)
        yield _leader(total)
    shifts = found.shifts.table.dropna(subset="estimate")
    if len(shifts):
        ordered = shifts.sort_values("estimate", kind="stable")
        ends = [ordered.iloc[0], ordered.iloc[-1]] if len(ordered) > 1 else [ordered.iloc[0]]
        shown = [f"{row.name} {points(row['estimate'])}{_within(row)}" for row in ends]
        yield f"Shifts     {' to '.join(shown)}"
    yield from _axes(found)
    yield from _ranks(found)
    if found.scale is not None:
        gaps = pd.DataFrame(found.scale.slopes.xs("gap", level="value")).dropna(subset="estimate")
        shown = [
            f"{row.name} {points(row['estimate'])}{_within(row)}" for _, row in gaps.iterrows()
        ]
        yield (
            "Scale      a doubling of parameters changes total minus original by "
            f"{name_some(shown) or 'what no family of two sizes shows'}"
        )


def _within(row: pd.Series) -> str:
    """Write an interval in points; nothing where there is none."""
    low, high = row["low"], row["high"]
    return "" if math.isnan(low) else f" [{points(low)}, {points(high)}]"


def _drop(found: Robustness, total: pd.DataFrame) -> str:
    axes = [
        f"{axis} {points(found.profiles.of_part(axis)['delta'].mean())}"
        for axis in found.scores.axes
    ]
    line = f"Drop       {points(total['delta'].mean())} on average; {', '.join(axes)}"
    if TOTAL_WITHOUT_LANGUAGE in found.profiles.table.index.unique("part"):
        without = found.profiles.of_part(TOTAL_WITHOUT_LANGUAGE)["delta"].mean()
        line += f"; {points(without)} without {LANGUAGE}"
    return line


def _models(total: pd.DataFrame) -> str:
    ordered = total.sort_values("delta", ascending=False, kind="stable")
    shown = [
        f"{row.name} {points(row['delta'])}{_within(row)}"
        for _, row in ordered.iloc[[0, -1]].iterrows()
    ]
    return f"Models     {' to '.join(shown)}"


def _leader(total: pd.DataFrame) -> str:
    first, before = (_highest(total[name]) for name in ("score", "original"))
    if set(first) == set(before):
        return f"Leader     {listing(first)}, as on original texts"
    return f"Leader     {listing(first)}; on original texts {listing(before)}"


def _highest(scores: pd.Series) -> list[str]:
    """Return the models with the highest score, as far as sums of floats can tell."""
    rounded = scores.round(TIE_DECIMALS)
    return list(scores.index[rounded == rounded.max()])


def _axes(found: Robustness) -> Iterator[str]:
    table = found.disruption.table
    named = table.dropna(subset="axis")
    if len(found.scores.axes) < 2 or named.empty:
        return
    level = found.settings["confidence_level"]
    counts = named["axis"].value_counts()
    shown = ", ".join(f"{axis} {number}" for axis, number in counts.items())
    yield (
        f"Axis       that changes a model's scores most: {shown} of {count(len(table), 'model')}; "
        f"with P > {level:g} for {int((named['probability'] > level).sum())}"
    )


def _ranks(found: Robustness) -> Iterator[str]:
    taus = found.stability.table["mean"].drop(TOTAL).dropna()
    if len(taus) > 2:  # of more than one transformation and its axis
        taus = taus.sort_values(kind="stable")
        low, high = taus.index[[0, -1]]
        yield f"Ranks      τ from {taus.iloc[0]:.2f} ({low}) to {taus.iloc[-1]:.2f} ({high})"
    halves = found.split_half.table.loc[list(found.scores.axes)].dropna(subset="median")
    if len(halves):
        shown = [
            f"{axis} {row['median']:.2f} [{row['low']:.2f}, {row['high']:.2f}], "
            f"p {_sign(row['p_value'])}"
            for axis, row in halves.iterrows()
        ]
        yield f"Halves     ρ between halves of the datasets: {'; '.join(shown)}"


def _sign(value: float) -> str:
    written = p_value(value)
    return written if written.startswith("<") else f"= {written}"
