"""The chance that one model ranks above another, for all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.patches import Rectangle

from robustrank.errors import FormatError
from robustrank.figures import style
from robustrank.figures.cells import DARK
from robustrank.figures.colorbar import HEIGHT, WIDTH, Shades, add_colorbar

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

#: Up to this many rows each is as high as a name in ordinary type; beyond, half of it.
_LARGE: Final = 60
#: Up to this many columns each has its number.
_NUMBERED: Final = 40
#: Of the outlines: cells are pale on a dark page, too, where ink turns light.
_TIER: Final = DARK
#: The part of the colours on which outlines can be seen: the ends are nearly black.
_LIT: Final = (0.12, 0.88)


@style.themed
def pairwise(
    probability: pd.DataFrame,
    ax: Axes | None = None,
    *,
    tiers: pd.Series | None = None,
    threshold: float = 0.95,
    noun: str = "model",
    top: int | None = 30,
) -> Axes:
    """Draw P(row above column) for all pairs, with tiers as blocks on the diagonal.

    Parameters
    ----------
    probability : DataFrame, shape (m, m)
        Rows and columns have the same names in the same order, best first. Pairs without a value
        are grey, as the diagonal is; names without any are counted, not drawn.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    tiers : Series, optional
        Tier of each name; neighbours of the same tier are outlined.
    threshold : float
        Marked on the colour bar: above it one is taken to be better than another.
    noun : str
        What a row is, for the line that counts those left out.
    top : int or None
        How many rows and columns to draw; None for all.

    Returns
    -------
    Axes

    Raises
    ------
    FormatError
        If rows and columns do not have the same names.
    ParameterError
        If `top` is less than 1.
    EmptyMatrixError
        If no pair has a value.
    """
    if not probability.index.equals(probability.columns):
        raise FormatError("Rows and columns of P(row above column) must have the same names.")
    known = probability.dropna(how="all")
    shown = style.first_rows(known, top, of=len(probability))
    n = len(shown.names)
    cell = style.ROW if n <= _LARGE else style.ROW / 2
    side = max(cell * shown.n_rows, WIDTH)
    numbers = [f"{i}" for i in range(1, n + 1)]
    labels = style.row_labels(shown.names, shown.left_out, noun, numbers)
    ax = style.open_axes(ax, 0.8 + style.name_width(labels) + side, 0.5 + side + HEIGHT)
    cells = shown.table[shown.table.index].to_numpy(dtype=float, copy=True)
    np.fill_diagonal(cells, np.nan)
    _square(ax, 0, n, facecolor=style.FAINT, edgecolor="none", zorder=0)
    colours = ListedColormap(mpl.colormaps[style.DIVERGING](np.linspace(*_LIT, 256)))
    ax.imshow(cells, cmap=colours, vmin=0.0, vmax=1.0, interpolation="none", aspect="equal")
    style.name_rows(ax, shown.names, shown.left_out, noun, numbers)
    if n > _LARGE:
        ax.tick_params(axis="y", labelsize=6)
    numbered = range(n) if n <= _NUMBERED else [0, *range(9, n, 10)]
    ax.set_xticks(numbered, [numbers[i] for i in numbered])
    ax.tick_params(axis="x", length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    if tiers is not None:
        _outline(ax, tiers.reindex(shown.table.index).to_numpy(dtype=float, na_value=np.nan))
    ticks = sorted({1.0 - threshold, 0.5, threshold})
    shades = Shades(colours, Normalize(0.0, 1.0), "P(row above column)", ticks)
    add_colorbar(ax, shades)
    return ax


def _outline(ax: Axes, tiers: NDArray[np.float64]) -> None:
    """Draw a square around each run of rows of the same tier."""
    starts = np.flatnonzero(np.r_[True, tiers[1:] != tiers[:-1]])
    ends = np.r_[starts[1:], len(tiers)]
    for start, end in zip(starts, ends, strict=True):
        if not np.isnan(tiers[start]):
            _square(ax, int(start), int(end), fill=False, edgecolor=_TIER, linewidth=1.5)


def _square(ax: Axes, start: int, end: int, **look: Any) -> None:
    """Draw a square on the diagonal over the rows and columns from `start` to before `end`."""
    ax.add_patch(Rectangle((start - 0.5, start - 0.5), end - start, end - start, **look))
