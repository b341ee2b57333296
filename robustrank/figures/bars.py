"""Shares as bars, with their values written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._text import percent, printable
from robustrank.errors import ParameterError
from robustrank.figures import style
from robustrank.notes import name_some

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@style.themed
def shares(
    values: pd.Series,
    ax: Axes | None = None,
    *,
    label: str = "share",
    noun: str = "model",
    top: int | None = 15,
) -> Axes:
    """Draw shares as bars, a row each, with the values at their ends.

    Parameters
    ----------
    values : Series
        Name → share, 0..1, in the order from top to bottom. Those that are missing, and zeros after
        the last share above 0, are counted, not drawn.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    label : str
        What they are shares of.
    noun : str
        What a row is, for the line that counts those left out.
    top : int or None
        How many rows to draw; None for all.

    Returns
    -------
    Axes

    Raises
    ------
    ParameterError
        If a share is not on 0..1, or `top` is less than 1.
    EmptyMatrixError
        If there is no share.
    """
    known = values.dropna()
    outside = list(known.index[(known < 0) | (known > 1)])
    if outside:
        raise ParameterError(
            f"Shares lie between 0 and 1; {name_some(outside)} "
            f"{'does' if len(outside) == 1 else 'do'} not. Divide percentages by 100.",
            outside,
        )
    positive = np.flatnonzero(known.to_numpy(dtype=float) > 0)
    last = positive[-1] + 1 if len(positive) else len(known)
    shown = style.first_rows(known.iloc[:last], top, of=len(values))
    ax = style.open_axes(ax, 4.5 + style.name_width(shown.names), 0.9 + style.ROW * shown.n_rows)
    lengths = shown.table.to_numpy(dtype=float)
    ax.barh(range(len(lengths)), lengths, height=0.62, color=style.BLUE, linewidth=0)
    for row, length in enumerate(lengths):
        ax.annotate(
            percent(length),
            (length, row),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=style.INK,
            annotation_clip=False,
        )
    style.name_rows(ax, shown.names, shown.left_out, noun)
    # A tenth is kept for the value at the end of the longest bar.
    ax.set_xlim(0, max(float(lengths.max()), 0.01) * 1.1)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    ax.set_xlabel(printable(label))
    ax.xaxis.grid(visible=True, color=style.FAINT, linewidth=0.6)
    return ax
