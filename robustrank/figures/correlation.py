"""How datasets correlate, as a heatmap in the order of their tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
import numpy as np
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from robustrank.errors import EmptyMatrixError
from robustrank.figures import cells, colorbar, style, trees

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from robustrank.figures.trees import Merge

#: Up to so many datasets, cells hold their numbers; up to so many, columns have names too.
_NUMBERED: Final = 20
_NAMED: Final = 60
#: Names are smaller where rows are lower than this, in inches.
_SMALL: Final = 0.15
#: Of the threshold and the clusters it makes.
_MARK: Final = style.VERMILION


@style.themed
def correlation(
    correlation: pd.DataFrame,
    merges: pd.DataFrame,
    clusters: pd.Series,
    ax: Axes | None = None,
    *,
    tau: float,
    top: int | None = None,
) -> Axes:
    """Draw the correlation between datasets, their tree with τ, and outline their clusters.

    Parameters
    ----------
    correlation : DataFrame, dataset × dataset
        NaN where it is undefined, as for a dataset on which all models tie.
    merges : DataFrame
        Strongest first: ``dataset_a`` and ``dataset_b``, one of each of the two sides, and the
        ``correlation`` at which these merge; see `robustrank.redundancy.Redundancy`.
    clusters : Series of int
        Cluster of each dataset; 0 for none.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    tau : float
        The correlation above which datasets make a cluster.
    top : int or None
        How many datasets to draw, from the first in the order of the tree, in which the larger of
        two sides comes first; None for all.

    Returns
    -------
    Axes
        Rows and columns are the datasets in the order of the tree. With more than 60, only rows
        are named.

    Raises
    ------
    EmptyMatrixError
        If no correlation is defined.
    ParameterError
        If `top` is less than 1.
    """
    # Where all models tie there is no cluster: those come last.
    names = list(correlation.index[np.argsort(clusters[correlation.index] == 0, kind="stable")])
    leaves, joins = trees.tree_of(merges, names)
    n = style.cut(len(leaves), top)
    left_out = len(leaves) - n
    order, joins = leaves[:n], trees.prune(joins, len(leaves), n)
    values = correlation.loc[order, order].to_numpy(dtype=float)
    if np.isnan(values).all():
        raise EmptyMatrixError("There is nothing to draw: no correlation is defined.")
    columns = cells.Columns.of(correlation.loc[order].index)
    if ax is None:
        pitch = 0.34 if n <= _NUMBERED else 0.17 if n <= _NAMED else 0.11
        ax = _open(columns, left_out, pitch)
    else:
        pitch = min(cells.room(ax, n, n))
    norm = Normalize(min(float(np.nanmin(values)), tau), 1.0)
    shades = colorbar.Shades(mpl.colormaps[style.SEQUENTIAL], norm, "correlation of datasets")
    cells.fill(ax, values, columns, shades)
    ax.yaxis.tick_right()
    style.name_rows(ax, order, left_out, "dataset")
    ax.tick_params(axis="y", labelsize=8 if pitch >= _SMALL else 6)
    ax.set_xticks([])
    if n <= _NAMED:
        cells.name_columns(ax, columns, pitch, n)
    if n <= _NUMBERED and pitch >= cells.text_pitch(["0.00"]):
        cells.write(ax, cells.as_text(values, 2), columns, shades.faces(values))
    _outline(ax, clusters[order].to_numpy())
    _draw_tree(ax, joins, n, tau)
    colorbar.add_colorbar(ax, shades, side="right")
    return ax


def _open(columns: cells.Columns, left_out: int, pitch: float) -> Axes:
    n = len(columns.names)
    above = cells.names_height(columns, pitch) if n <= _NAMED else 0.25
    beside = style.name_width(
        style.row_labels(columns.names, left_out, "dataset"), 8 if pitch >= _SMALL else 6
    )
    beside = max(beside, cells.overhang(columns, pitch), 1.6)
    width = _tree_width(n) + max(pitch * n, colorbar.WIDTH) + beside + 0.2
    return style.open_axes(None, width, above + pitch * (n + bool(left_out)) + colorbar.HEIGHT)


def _tree_width(n: int) -> float:
    return 1.6 if n <= _NAMED else 3.2


def _outline(ax: Axes, clusters: NDArray[np.int64]) -> None:
    """Draw a frame round every cluster of two datasets or more."""
    starts = np.flatnonzero(np.r_[True, clusters[1:] != clusters[:-1]])
    for start, end in zip(starts, [*starts[1:], len(clusters)], strict=True):
        if clusters[start] and end - start > 1:
            corner, side = (start - 0.5, start - 0.5), end - start
            frame = Rectangle(corner, side, side, fill=False, edgecolor=_MARK, linewidth=1.5)
            ax.add_patch(frame).set_clip_on(False)


def _draw_tree(ax: Axes, joins: list[Merge], n: int, tau: float) -> None:
    """Draw the tree on an axis of correlation, and τ."""
    tree = trees.draw_tree(ax, joins, n, leaf=1.0, width=_tree_width(n))
    left, right = tree.get_xlim()
    tree.set_xlim(min(left, tau - 0.03), right)
    tree.axvline(tau, color=_MARK, linewidth=1.2)
    tree.annotate(
        f"τ = {tau:g}",
        (tau, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=8,
        annotation_clip=False,
    )
    tree.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    tree.tick_params(axis="x", length=2, pad=2, labelsize=7)
    tree.spines["bottom"].set_visible(True)
    tree.annotate(
        "merged at a correlation of",
        (0.5, 0.0),
        xycoords="axes fraction",
        xytext=(0, -15),
        textcoords="offset points",
        ha="center",
        va="top",
        fontsize=7,
        annotation_clip=False,
    )
