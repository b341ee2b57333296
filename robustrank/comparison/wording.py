"""Comparisons in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.comparison.boards import Comparison
    from robustrank.comparison.cohorts import CohortShift
    from robustrank.notes import Note

_UNMOVED = "No model has another rank on B than on A"
_MOST_COHORTS = 3


def findings(comparison: Comparison) -> list[str]:
    """State what was compared and the three correlations, one fact a line."""
    only_a, only_b = len(comparison.unmatched_a), len(comparison.unmatched_b)
    models = count(len(comparison.table), "model")
    level = f"{comparison.confidence_level * 100:g}% interval over resampled models"
    return [
        f"{models} compared; on A only: {only_a}, on B only: {only_b}",
        f"Spearman  {comparison.spearman}  ({level})",
        f"Pearson   {comparison.pearson}",
        f"Kendall   {comparison.kendall}",
    ]


def short_summary(comparison: Comparison) -> str:
    """Return the findings and the largest shift: the repr."""
    first, *rest = findings(comparison)
    model, row = next(comparison.largest_shifts(1).iterrows())
    if row["shift"]:
        shift = f"Largest shift  {model}: {row['rank_a']:g} on A, {row['rank_b']:g} on B"
    else:
        shift = _UNMOVED
    shift += _noted(comparison.notes)
    return "\n".join([f"Comparison: {first}", *(f"  {line}" for line in (*rest, shift))])


def full_summary(comparison: Comparison, top: int) -> str:
    """Return the findings, correlations by task type and the largest shifts as text."""
    blocks = [findings(comparison)]
    types = comparison.by_task_type
    if len(types):
        rows = [
            [
                str(name),
                *_correlation(row),
                f"{row['n_datasets_a']:.0f} / {row['n_datasets_b']:.0f}",
            ]
            for name, row in types.sort_values("spearman", ascending=False).iterrows()
        ]
        head = ["task type", "Spearman", "interval", "datasets A / B"]
        blocks.append(["By task type", *_aligned([head, *rows])])
    shifts = comparison.largest_shifts(top)
    shifts = shifts[shifts["shift"] != 0]
    if len(shifts):
        head = ["model", "rank on A", "rank on B", "places gained on B"]
        blocks.append([f"Largest shifts ({len(shifts)})", *_aligned([head, *_shift_rows(shifts)])])
    else:
        blocks.append([f"{_UNMOVED}."])
    return "\n\n".join("\n".join(block) for block in blocks)


def short_cohorts(found: CohortShift) -> str:
    """Return the test and the first cohorts: the repr of a `CohortShift`."""
    table = found.table
    p = "no test" if math.isnan(found.p_value) else f"p = {found.p_value:.3g}"
    size = f"{count(int(table['n'].sum()), 'model')} in {count(len(table), 'cohort')}"
    lines = [f"CohortShift of {size}: {found.test}, {p}{_noted(found.notes)}"]
    for name, row in table.head(_MOST_COHORTS).iterrows():
        low_high = "" if math.isnan(row["low"]) else f" [{row['low']:+.1f}, {row['high']:+.1f}]"
        lines.append(
            f"  {name}: {row['shift']:+.1f} ranks{low_high} ({count(int(row['n']), 'model')})"
        )
    if len(table) > _MOST_COHORTS:
        lines[-1] += f"; {count(len(table) - _MOST_COHORTS, 'more cohort')}"
    return "\n".join(lines)


def _correlation(row: pd.Series) -> tuple[str, str]:
    if math.isnan(row["spearman"]):
        return "undefined", ""
    return f"{row['spearman']:.3f}", f"[{row['spearman_low']:.3f}, {row['spearman_high']:.3f}]"


def _noted(notes: tuple[Note, ...]) -> str:
    return f"; {count(len(notes), 'note')}" if notes else ""


def _shift_rows(shifts: pd.DataFrame) -> list[list[str]]:
    return [
        [str(model), f"{row['rank_a']:g}", f"{row['rank_b']:g}", f"{row['shift']:+g}"]
        for model, row in shifts.iterrows()
    ]


def _aligned(rows: list[list[str]]) -> list[str]:
    """Pad columns to one width, the first to the left and the rest to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)),
            ]
        )
        for row in rows
    ]
