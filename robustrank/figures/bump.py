"""Ranks on two boards, joined by a line per model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.path import Path

from robustrank._text import printable
from robustrank.figures import style
from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray

#: How strongly the least shift is drawn, as a share of the largest.
_FAINTEST: Final = 0.35


@style.themed
def bump(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    top: int | None = 30,
) -> Axes:
    """Draw how models move from their rank on board A to that on board B.

    After *MTEB-PT* (2026), Figure 2. Best is on top. Both sides list the models drawn in the order
    of their ranks, one a row, and write the ranks, which are among all models of the table. A line
    is blue where the model gains places on B and vermilion where it loses some, the stronger the
    more; grey where it keeps its rank.

    Parameters
    ----------
    table : DataFrame
        One row per model: ``rank_a``, ``rank_b`` (1 is best), and ``name_b``, its name on B, if it
        has another. Rows without either rank are counted, not drawn.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    names : tuple of str
        What the boards are called.
    top : int or None
        How many models to draw, best on A first; None for all.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownLabelError
        If there is no column ``rank_a`` or ``rank_b``.
    ParameterError
        If `top` is less than 1.
    EmptyMatrixError
        If no model has both ranks.
    """
    style.need(table, ["rank_a", "rank_b"])
    known = table.dropna(subset=["rank_a", "rank_b"]).sort_values("rank_a", kind="stable")
    rows = style.first_rows(known, top, of=len(table))
    shown = rows.table
    a, b = (shown[side].to_numpy(dtype=np.float64) for side in ("rank_a", "rank_b"))
    left = np.arange(len(shown), dtype=np.float64)
    right = np.empty(len(shown))
    right[np.argsort(b, kind="stable")] = left
    ranks_a = [f"{rank:g}" for rank in a]
    names_a = style.row_labels(rows.names, rows.left_out, values=ranks_a)
    other = shown["name_b"] if "name_b" in shown.columns else shown.index
    names_b = [_right(*row) for row in zip(other, b, a - b, strict=True)]
    width = 2.6 + style.name_width(names_a) + style.name_width(names_b)
    ax = style.open_axes(ax, width, 1.2 + style.ROW * rows.n_rows)
    shift = a - b
    strength = _FAINTEST + (1.0 - _FAINTEST) * np.abs(shift) / (np.abs(shift).max() or 1.0)
    _draw_lines(ax, left, right, shift, strength)
    style.name_rows(ax, rows.names, rows.left_out, values=ranks_a)
    for row, name in zip(right, names_b, strict=True):
        ax.annotate(
            name,
            (1.0, row),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            annotation_clip=False,
        )
    ax.set_xlim(0.0, 1.0)
    ax.set_xticks([0, 1], [printable(name) for name in names])
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", length=0, labelsize=9)
    ax.spines[:].set_visible(False)
    _add_legend(ax, printable(names[1]), len(known))
    return ax


def _right(name: object, rank: float, gain: float) -> str:
    """Write what stands at the right of a line, such as ``"4  some model  ▲ 3"``."""
    moved = "" if gain == 0 else f"{'▲' if gain > 0 else '▼'} {abs(gain):g}"
    return style.beside(f"{rank:g}", str(name), moved)


def _draw_lines(
    ax: Axes, left: FloatArray, right: FloatArray, shift: FloatArray, strength: FloatArray
) -> None:
    """Draw a smooth line per model, those that move most on top."""
    order = np.argsort(np.abs(shift), kind="stable")
    colours = np.where(shift > 0, style.BLUE, np.where(shift < 0, style.VERMILION, style.MUTED))
    bend = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    paths = [
        Path([(0.0, left[i]), (0.5, left[i]), (0.5, right[i]), (1.0, right[i])], bend)
        for i in order
    ]
    lines = PathCollection(
        paths,
        facecolors="none",
        edgecolors=colours[order],
        linewidths=(0.8 + 2.0 * strength)[order],
        alpha=strength[order],
        clip_on=False,
    )
    ax.add_collection(lines)
    ends = np.zeros(len(left)), np.ones(len(left))
    for x, y in zip(ends, (left, right), strict=True):
        ax.scatter(x, y, c=colours, s=14, linewidths=0, zorder=3, clip_on=False)


def _add_legend(ax: Axes, board: str, compared: int) -> None:
    meanings = {
        f"higher on {board}": style.BLUE,
        f"lower on {board}": style.VERMILION,
        "same rank": style.MUTED,
    }
    ax.legend(
        handles=[Line2D([], [], color=colour, label=text) for text, colour in meanings.items()],
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=3,
        columnspacing=1.2,
        title=f"ranks among {count(compared, 'model')}",
        title_fontsize=8,
    )
