"""A comparison in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.comparison.boards import Comparison


def findings(comparison: Comparison) -> list[str]:
    """State what was compared and the three correlations, one fact a line."""
    only_a, only_b = len(comparison.unmatched_a), len(comparison.unmatched_b)
    models = count(len(comparison.table), "model")
    level = f"{comparison.confidence_level * 100:g} % interval over resampled models"
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
    notes = f"; {count(len(comparison.notes), 'note')}" if comparison.notes else ""
    shift = f"Largest shift  {model}: {row['rank_a']:g} on A, {row['rank_b']:g} on B{notes}"
    return "\n".join([f"Comparison: {first}", *(f"  {line}" for line in (*rest, shift))])


def full_summary(comparison: Comparison, top: int) -> str:
    """Return the findings, correlations by task type and the largest shifts as text."""
    blocks = [findings(comparison)]
    types = comparison.by_task_type
    if len(types):
        rows = [
            [
                str(name),
                f"{row['spearman']:.3f}",
                f"[{row['spearman_low']:.3f}, {row['spearman_high']:.3f}]",
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
        blocks.append(["No model has another rank on B than on A."])
    return "\n\n".join("\n".join(block) for block in blocks)


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
