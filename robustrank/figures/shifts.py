"""Shifts with their intervals and what tests say of them: a forest plot with columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._text import printable
from robustrank.errors import check_alpha
from robustrank.figures import style
from robustrank.figures.margin import write_column

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@style.themed
def shifts(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    alpha: float = 0.05,
    label: str = "Hodges–Lehmann shift",
    noun: str = "transformation",
    top: int | None = None,
) -> Axes:
    """Draw shifts with their intervals, after *HTEB* (2026), Figure 7.

    Parameters
    ----------
    table : DataFrame
        One row per name, in the order from top to bottom: ``estimate``, ``low`` and ``high``; if
        known, ``p_value``, and ``median_difference``, the median of the absolute differences. A
        row without an estimate is counted, not drawn.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    alpha : float
        Rows with a p-value of at least this, or with none that is defined, are grey.
    label : str
        What is estimated.
    noun : str
        What a row is, for the line that counts those left out.
    top : int or None
        How many rows to draw; None for all.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownLabelError
        If ``estimate``, ``low`` or ``high`` is missing.
    ParameterError
        If `alpha` does not lie between 0 and 1, or `top` is less than 1.
    EmptyMatrixError
        If there is no estimate.
    """
    alpha = check_alpha(alpha)
    style.need(table, ["estimate", "low", "high"])
    rows = style.first_rows(table.dropna(subset="estimate"), top, of=len(table))
    shown = rows.table
    ax = style.open_axes(ax, 5.0 + style.name_width(rows.names), 1.1 + style.ROW * rows.n_rows)
    clear = np.ones(len(shown), dtype=bool)
    if "p_value" in shown.columns:
        clear = shown["p_value"].to_numpy(dtype=np.float64) < alpha
    colours = [style.BLUE if sure else style.MUTED for sure in clear]
    places = np.arange(len(shown))
    ax.axvline(0.0, color=style.MUTED, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    ax.hlines(places, shown["low"], shown["high"], colors=colours, linewidth=1.6, zorder=2)
    ax.scatter(shown["estimate"], places, c=colours, s=24, zorder=3)
    style.name_rows(ax, rows.names, rows.left_out, noun)
    for tick, sure in zip(ax.get_yticklabels(), clear, strict=False):
        tick.set_color(style.INK if sure else style.MUTED)
    place = 0
    inks = [style.MUTED, *(style.INK if sure else style.MUTED for sure in clear)]
    for column, (heading, width, write) in _COLUMNS.items():
        if column in shown.columns:
            place += width
            texts = [heading, *map(write, shown[column].to_numpy(dtype=np.float64))]
            write_column(ax, texts, place, inks)
    ax.set_xlabel(printable(label))
    ax.xaxis.grid(visible=True, color=style.FAINT, linewidth=0.6)
    return ax


def _difference(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3g}"


def _p_value(value: float) -> str:
    if np.isnan(value):
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


#: What is written at the right: heading, width in points, and how.
_COLUMNS = {"median_difference": ("median |Δ|", 64, _difference), "p_value": ("p", 52, _p_value)}
