"""Scores on original texts and along axes of transformations, one row per model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from robustrank._text import printable
from robustrank.errors import EmptyMatrixError
from robustrank.figures import style
from robustrank.figures.margin import write_column
from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray

_ORIGINAL: Final = "original"
_MARKERS: Final = ("s", "D", "^", "v", "P", "X", "<", ">")
#: Width of the legend, and of a mark in it, in inches.
_LEGEND: Final = 5.6
_HANDLE: Final = 0.35
#: Where the columns of numbers end, in points to the right of the axes.
_COLUMNS: Final = (48, 92)


@style.themed
def dumbbell(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    label: str = "score",
    total_label: str = "total",
    top: int | None = 30,
) -> Axes:
    """Draw each model's original score and its score per axis, after *HTEB* (2026), Figure 4.

    Numbers at the right are the original score and the total, the mean over the axes with the same
    weight. The row ø is the mean over all models of the table that have all scores.

    Parameters
    ----------
    table : DataFrame
        One row per model, in the order from top to bottom: ``original``, and one column per axis,
        which give the names. A score that is missing has no dot, and no total.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    label : str
        What the scores are.
    total_label : str
        What the mean over the axes is called, such as ``"HTEB"``.
    top : int or None
        How many models to draw; None for all.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownLabelError
        If there is no column ``original``.
    ParameterError
        If `top` is less than 1.
    EmptyMatrixError
        If there is no model, or no axis.
    """
    style.need(table, [_ORIGINAL])
    axes = [name for name in table.columns if name != _ORIGINAL]
    if not axes:
        raise EmptyMatrixError("There is no column but 'original'; give one per axis, too.")
    shown = style.first_rows(table, top, of=len(table))
    full = table[[_ORIGINAL, *axes]].dropna()
    mean = full.mean(axis="index").to_frame().T
    drawn = np.vstack(
        [frame[[_ORIGINAL, *axes]].to_numpy(np.float64) for frame in (shown.table, mean)]
    )
    names = [*shown.names, _mean_of(len(full), len(table), shown.left_out)]
    entries = [_ORIGINAL, *(printable(str(name)) for name in axes)]
    across = max(1, min(len(entries), int(_LEGEND // (style.name_width(entries) + _HANDLE))))
    rows = 1 + shown.n_rows + math.ceil(len(entries) / across)
    ax = style.open_axes(ax, 5.5 + style.name_width(names), 1.1 + style.ROW * rows)
    _draw_rows(ax, drawn, entries, across)
    style.name_rows(ax, names, shown.left_out)
    ax.axhline(len(shown.names) - 0.5, color=style.MUTED, linewidth=0.8)
    _write_numbers(ax, drawn[:, 0], drawn[:, 1:].mean(axis=1), printable(total_label))
    ax.set_xlabel(printable(label))
    ax.xaxis.grid(visible=True, color=style.FAINT, linewidth=0.6)
    return ax


def _mean_of(full: int, models: int, left_out: int) -> str:
    """Name the row of means, saying of which models if not of those above it."""
    if full < models:
        return f"ø of {count(full, 'model')} with all scores"
    return f"ø of all {models:,} models" if left_out else "ø"


def _draw_rows(ax: Axes, values: FloatArray, names: list[str], across: int) -> None:
    """Draw a line over the scores of each row, and a mark per score."""
    places = np.arange(len(values))
    some = ~np.isnan(values).all(axis=1)
    low, high = (end(values[some], axis=1) for end in (np.nanmin, np.nanmax))
    ax.hlines(places[some], low, high, colors=style.MUTED, alpha=0.45, linewidth=2.0, zorder=1)
    for j, name in enumerate(names[1:]):
        colour = style.CYCLE[j % len(style.CYCLE)]
        marker = _MARKERS[j % len(_MARKERS)]
        look = {"c": colour, "marker": marker, "s": 26, **style.OUTLINED}
        ax.scatter(values[:, j + 1], places, label=name, zorder=2, **look)
    ax.scatter(values[:, 0], places, c=style.INK, s=30, label=names[0], zorder=3)
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(
        [handles[-1], *handles[:-1]],
        [labels[-1], *labels[:-1]],
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=across,
        borderaxespad=0.2,
        handletextpad=0.2,
        columnspacing=1.2,
    )


def _write_numbers(ax: Axes, original: FloatArray, total: FloatArray, total_label: str) -> None:
    """Write both scores of each row at the right, and over them what they are."""
    both = np.column_stack([original, total])
    decimals = 3 if np.nanmax(np.abs(both), initial=0.0) <= 1.0 else 1
    for column, (heading, place) in enumerate(zip((_ORIGINAL, total_label), _COLUMNS, strict=True)):
        texts = [heading, *("–" if np.isnan(x) else f"{x:.{decimals}f}" for x in both[:, column])]
        write_column(ax, texts, place, [style.MUTED, *[style.INK] * len(both)])
