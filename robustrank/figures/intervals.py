"""Estimates with their intervals, one row each: the forest plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._text import printable
from robustrank.figures import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@style.themed
def intervals(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    tiers: pd.Series | None = None,
    reference: float | None = None,
    label: str = "estimate",
    ranks: bool = False,
    noun: str = "model",
    top: int | None = 30,
) -> Axes:
    """Draw estimates with their intervals, a row each: a forest plot.

    Parameters
    ----------
    table : DataFrame
        One row per name, in the order from top to bottom: ``estimate``, ``low`` and ``high``. A row
        without an estimate is counted, not drawn; one without an interval is a dot.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    tiers : Series, optional
        Tier of each name. The first tier is blue, and every second has a band behind it.
    reference : float, optional
        Where a dashed line runs, such as 0 for differences.
    label : str
        What is estimated.
    ranks : bool
        Whether ranks are estimated: 1, the best, is at the right.
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
        If a column is missing.
    ParameterError
        If `top` is less than 1.
    EmptyMatrixError
        If there is no estimate.
    """
    style.need(table, ["estimate", "low", "high"])
    rows = style.first_rows(table.dropna(subset="estimate"), top, of=len(table))
    shown = rows.table
    ax = style.open_axes(ax, 4.5 + style.name_width(rows.names), 0.9 + style.ROW * rows.n_rows)
    places = np.arange(len(shown))
    first = np.ones(len(shown), dtype=bool)
    if tiers is not None:
        own = tiers.reindex(shown.index)
        first = own.eq(1).fillna(value=False).to_numpy(dtype=bool)
        _bands(ax, own.to_numpy(dtype=float, na_value=np.nan))
    colours = [style.BLUE if leads else style.INK for leads in first]
    if reference is not None:
        ax.axvline(reference, color=style.MUTED, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    ax.hlines(places, shown["low"], shown["high"], colors=colours, linewidth=1.6, zorder=2)
    ax.scatter(shown["estimate"], places, c=colours, s=20, zorder=3)
    style.name_rows(ax, rows.names, rows.left_out, noun)
    ax.set_xlabel(printable(label))
    ax.xaxis.grid(visible=True, color=style.FAINT, linewidth=0.6)
    if ranks:
        style.rank_axis(ax, float(np.nanmax(shown[["estimate", "high"]].to_numpy(dtype=float))))
    return ax


def _bands(ax: Axes, tiers: np.ndarray) -> None:
    """Shade every second tier, and write each tier's number at the right of its first row."""
    starts = np.flatnonzero(np.r_[True, tiers[1:] != tiers[:-1]])
    ends = np.r_[starts[1:], len(tiers)]
    for start, end in zip(starts, ends, strict=True):
        if np.isnan(tiers[start]):
            continue
        if int(tiers[start]) % 2 == 0:
            ax.axhspan(start - 0.5, end - 0.5, color=style.BAND, linewidth=0, zorder=0)
        ax.annotate(
            f"tier {int(tiers[start])}",
            (1.0, start),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=style.MUTED,
            annotation_clip=False,
        )
