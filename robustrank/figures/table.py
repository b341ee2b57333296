"""A table of coloured cells, with the names of its rows, its colour bar and perhaps a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from robustrank.figures import cells, colorbar, style, trees

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from robustrank.figures.colorbar import Shades
    from robustrank.figures.trees import Merge

#: More texts than this, and a vector file grows heavy while nobody reads them all.
_MOST_TEXTS: Final = 720
#: The widest and the lowest that cells with texts may be, in inches.
_WIDEST: Final = 14.0
_LOWEST: Final = 0.13


def draw_table(
    table: pd.DataFrame,
    ax: Axes | None,
    shades: Shades,
    texts: NDArray[np.str_],
    *,
    annotate: bool | None = None,
    merges: Sequence[Merge] | None = None,
    left_out: int = 0,
    noun: str = "model",
) -> Axes:
    """Draw a table in its order.

    Names are at the left of the cells, or at the right where a tree is at the left.

    Parameters
    ----------
    table : DataFrame of float
    ax : Axes, optional
    shades : Shades
    texts : ndarray of str, shape of `table`
        What is written in the cells.
    annotate : bool, optional
        Whether it is; where it fits by default.
    merges : sequence of (int, int, float), optional
        The tree of the rows; see `robustrank.figures.trees.draw_tree`.
    left_out : int
        How many rows are not in the table.
    noun : str
        What a row is.
    """
    columns = cells.Columns.of(table.columns)
    names = [str(name) for name in table.index]
    rows = len(names) + bool(left_out)
    need = cells.text_pitch(texts.ravel())
    below = style.ROW if columns.groups and not left_out else 0.0
    if ax is None:
        fits = texts.size <= _MOST_TEXTS and need * columns.width <= _WIDEST
        pitch = columns.pitch(cells.BARE if annotate is False or not (annotate or fits) else need)
        beside = [*style.row_labels(names, left_out, noun), shades.label]
        width = style.name_width(beside)
        width += max(pitch * columns.width, colorbar.WIDTH) + cells.overhang(columns, pitch)
        width += 0.3 if merges is None else trees.WIDTH + 0.3
        height = cells.names_height(columns, pitch) + style.ROW * rows + below + colorbar.HEIGHT
        ax = style.open_axes(None, width, height)
    else:
        pitch, row = cells.room(ax, columns.width, rows)
        fits = texts.size <= _MOST_TEXTS and pitch >= need and row >= _LOWEST
    values = table.to_numpy(dtype=float)
    cells.fill(ax, values, columns, shades)
    if merges is not None:
        ax.yaxis.tick_right()
    style.name_rows(ax, names, left_out, noun)
    cells.name_columns(ax, columns, pitch, len(names))
    if fits if annotate is None else annotate:
        cells.write(ax, texts, columns, shades.faces(values))
    if merges is None:
        colorbar.add_colorbar(ax, shades, below=below)
    else:
        trees.draw_tree(ax, merges, len(names))
        colorbar.add_colorbar(ax, shades, side="right", below=below)
    return ax
