"""Numbers as colours: the rows and columns of a table, fixed or ordered by likeness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.colors import Normalize

from robustrank._dendrogram import cluster_models
from robustrank.errors import EmptyMatrixError, MissingScoresError, ParameterError, as_floats
from robustrank.figures import cells, style
from robustrank.figures.colorbar import Shades
from robustrank.figures.table import draw_table
from robustrank.figures.trees import merges_of
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray


@style.themed
def heatmap(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    label: str,
    center: float | None = None,
    limits: tuple[float, float] | None = None,
    decimals: int = 2,
    annotate: bool | None = None,
    order_by_likeness: bool = False,
    noun: str = "model",
    top: int | None = 30,
) -> Axes:
    """Draw a table of numbers as colours.

    Parameters
    ----------
    table : DataFrame
        Rows in the order from top to bottom. Columns of two levels are grouped by the first. A cell
        without a number is empty, with a dash where the others have numbers.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    label : str
        What the numbers are.
    center : float, optional
        The middle of two colours, such as 0 for differences; one colour from low to high by
        default.
    limits : (float, float), optional
        Where the colours end; what lies beyond has the last one. Those of the data by default. With
        a `center`, the colours reach equally far to both sides.
    decimals : int
        Of the numbers in the cells.
    annotate : bool, optional
        Whether the numbers are written; where they fit by default.
    order_by_likeness : bool
        Whether rows that are alike come together, those with high values first, with their tree:
        average linkage on Euclidean distances. Else they stay in their order.
    noun : str
        What a row is, for the line that counts those left out.
    top : int or None
        How many rows to draw, from the first; None for all.

    Returns
    -------
    Axes

    Raises
    ------
    EmptyMatrixError
        If there is no number.
    MissingScoresError
        If a cell without a number keeps rows from being ordered by likeness.
    NonNumericError
        If the table holds anything but numbers.
    ParameterError
        If a setting is out of range.
    """
    shown = table.head(style.cut(len(table), top))
    merges = None
    if order_by_likeness:
        _check_complete(shown, noun)
        # Upside down: the tree has the side with the lower mean first.
        tree = cluster_models(-shown)
        shown, merges = shown.loc[tree.order], merges_of(tree)
    values = as_floats("What a heatmap shows", shown)
    return draw_table(
        shown,
        ax,
        _shades(values, label, center, limits),
        cells.as_text(values, decimals),
        annotate=annotate,
        merges=merges,
        left_out=len(table) - len(shown),
        noun=noun,
    )


def _check_complete(table: pd.DataFrame, noun: str) -> None:
    incomplete = list(table.index[table.isna().any(axis=1)])
    if incomplete:
        raise MissingScoresError(
            f"{count(len(incomplete), noun)} with empty cells cannot be ordered by likeness: "
            f"{name_some(incomplete)}. Leave them out, or keep the order.",
            incomplete,
        )


def _shades(
    values: FloatArray, label: str, center: float | None, limits: tuple[float, float] | None
) -> Shades:
    if not np.isfinite(values).any():
        raise EmptyMatrixError("There is nothing to draw: no cell of the table has a number.")
    low, high = limits or (float(np.nanmin(values)), float(np.nanmax(values)))
    if limits and not low < high:
        raise ParameterError(f"limits are a low and a higher number; got {limits!r}.")
    if center is not None:
        reach = max(abs(low - center), abs(high - center)) or 1.0
        norm = Normalize(center - reach, center + reach)
        return Shades(mpl.colormaps[style.DIVERGING], norm, label)
    return Shades(
        mpl.colormaps[style.SEQUENTIAL], Normalize(low, high if low < high else low + 1.0), label
    )
