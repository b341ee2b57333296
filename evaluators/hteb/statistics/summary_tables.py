"""Robustness as tables for a terminal, in points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from robustrank import presenting
from robustrank._text import percent
from robustrank.evaluators.hteb.statistics.scores import TOTAL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robustrank.evaluators.hteb.statistics.robustness import Robustness


def points(value: float) -> str:
    """Write a difference on 0..1 in points."""
    return f"{100.0 * value:+z.1f}"


def models(found: Robustness, top: int) -> str:
    """Return what changes for each of the best models."""
    total = found.profiles.of_part(TOTAL)
    axes = list(found.scores.axes)
    table = pd.DataFrame(
        {
            "original": 100.0 * total["original"],
            "total": 100.0 * total["score"],
            "change": 100.0 * total["delta"],
            "interval": _intervals(total),
            "relative %": 100.0 * total["relative"],
            **{axis: 100.0 * found.profiles.of_part(axis)["delta"] for axis in axes},
        }
    ).head(top)
    if len(axes) > 1:
        most = found.disruption.table.loc[table.index]
        table["most"] = most["axis"]
        table["P"] = ["–" if math.isnan(share) else percent(share) for share in most["probability"]]
    return presenting.to_text(table, signed=["change", "relative %", *axes])


def parts(found: Robustness) -> str:
    """Return what each transformation and axis changes, and how it orders models."""
    stability, halves = found.stability.table, found.split_half.table
    shifts = found.shifts.table.reindex(halves.index)
    deltas = found.profiles.table["delta"].groupby(level="part", sort=False).mean()
    table = pd.DataFrame(
        {
            "change": 100.0 * deltas.reindex(halves.index),
            "shift": 100.0 * shifts["estimate"],
            "interval": _intervals(shifts),
            "p": shifts["p_value"],
            "median |Δ|": 100.0 * shifts["median_difference"],
            "τ": stability["mean"],
            "τ of runs": stability["within"],
            "ρ of halves": halves["median"],
        }
    )
    decimals = dict.fromkeys(("τ", "τ of runs", "ρ of halves"), 2)
    return presenting.to_text(table, decimals, signed=["change", "shift"])


def _intervals(rows: pd.DataFrame) -> list[str]:
    ends: Iterable[tuple[float, float]] = zip(rows["low"], rows["high"], strict=True)
    return ["–" if math.isnan(low) else f"{points(low)} to {points(high)}" for low, high in ends]


def legend(found: Robustness) -> str:
    """Explain the headings of both tables."""
    level = presenting.level(found.settings["confidence_level"])
    return (
        "total: mean over axes of means over transformations. change: transformed minus original, "
        f"mean over datasets (and models). interval: {level}, over other datasets. relative: "
        "of the original score. most, P: axis that changes scores most, and in which share of "
        "resamples of the datasets. shift: Hodges–Lehmann, p after Holm, of transformations over "
        f"{found.settings['observations']}. median |Δ|: of the sizes of their differences. τ: "
        "Kendall, of the models' order on original and transformed texts, and in two runs. ρ: "
        "Spearman, of the models' changes in two halves of the datasets."
    )
