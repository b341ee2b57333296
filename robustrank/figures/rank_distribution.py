"""Where each model comes over all rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.lines import Line2D

from robustrank._text import printable
from robustrank.figures import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray

_ROW: Final = 0.5  # height of a row, in inches
_BOX: Final = 0.3  # half of the height of a box, in rows
_LANES: Final = 0.42  # the same of the lanes of dots
_SMALLEST: Final = 5.0  # area of a dot, in square points
_LARGEST: Final = 36.0


@style.themed
def rank_distribution(ranks: pd.DataFrame, ax: Axes | None = None, *, top: int | None = 10) -> Axes:
    """Draw every rank of each model over ranking schemes and dataset compositions.

    After Gjorgjevikj, Koroušić Seljak and Eftimov, *On the Robustness of Multilingual Text
    Embedding Rankings* (2026), Figure 2. A line runs from the best to the worst rank of a model, a
    box over the middle half, with the median. Dots are single ranks, in a lane per composition:
    the larger, the more of its schemes give this rank.

    Parameters
    ----------
    ranks : DataFrame, model × (composition, scheme)
        Models from top to bottom. One with a missing rank is counted, not drawn.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    top : int or None
        How many models to draw, from the first; None for all.

    Returns
    -------
    Axes
        Rank 1 is at the right.

    Raises
    ------
    EmptyMatrixError
        If no model has all ranks.
    ParameterError
        If `top` is less than 1.
    """
    shown = style.first_rows(ranks.dropna(), top, of=len(ranks))
    width = 6.5 + style.name_width(style.row_labels(shown.names, shown.left_out))
    ax = style.open_axes(ax, width, 0.9 + _ROW * shown.n_rows)
    _draw_boxes(ax, shown.table.to_numpy(dtype=float))
    _draw_dots(ax, shown.table)
    style.name_rows(ax, shown.names, shown.left_out)
    style.rank_axis(ax, float(shown.table.to_numpy().max()))
    ax.set_xlabel("rank (larger dots: more schemes agree)")
    ax.xaxis.grid(visible=True, color=style.FAINT, linewidth=0.6)
    return ax


def _draw_boxes(ax: Axes, ranks: FloatArray) -> None:
    low, lower, middle, upper, high = np.quantile(ranks, [0, 0.25, 0.5, 0.75, 1], axis=1)
    rows = np.arange(len(ranks))
    ax.hlines(rows, low, high, colors=style.MUTED, linewidth=1.0, zorder=1)
    ax.barh(
        rows,
        upper - lower,
        left=lower,
        height=2 * _BOX,
        color=style.BAND,
        edgecolor=style.MUTED,
        linewidth=0.8,
        zorder=2,
    )
    ax.vlines(middle, rows - _BOX, rows + _BOX, colors=style.INK, linewidth=1.8, zorder=3)


def _draw_dots(ax: Axes, ranks: pd.DataFrame) -> None:
    """Draw ranks as dots, one lane and colour per composition; equal ones are one dot."""
    compositions = list(dict.fromkeys(ranks.columns.get_level_values(0)))
    lanes = _LANES * ((np.arange(len(compositions)) + 0.5) / len(compositions) * 2 - 1)
    handles = []
    for j, (composition, lane) in enumerate(zip(compositions, lanes, strict=True)):
        values = ranks.loc[:, ranks.columns.get_level_values(0) == composition].to_numpy(
            dtype=float
        )
        rows = np.repeat(np.arange(len(values)), values.shape[1])
        dots, counts = np.unique(np.c_[rows, values.ravel()], axis=0, return_counts=True)
        sizes = np.maximum(_SMALLEST, _LARGEST * counts / values.shape[1])
        colour = style.CYCLE[j % len(style.CYCLE)]
        for size in np.unique(sizes):  # dots of one size are one shape in vector files
            row, rank = dots[sizes == size].T
            ax.scatter(rank, row + lane, s=size, c=colour, zorder=4, **style.OUTLINED)
        name = printable(str(composition))
        handle = Line2D([], [], marker="o", linestyle="", color=colour, label=name)
        handle.set(markeredgecolor=style.MUTED, markeredgewidth=0.5)
        handles.append(handle)
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=6, handlelength=0.8)
