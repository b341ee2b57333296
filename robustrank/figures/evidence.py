"""How strong the evidence is: levels by language and task type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import matplotlib as mpl
import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patches import Patch

from robustrank.errors import unknown_label
from robustrank.figures import cells, style
from robustrank.figures.colorbar import Shades

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Levels from the weakest: what is written in a cell, and what it means.
_LEVELS: Final = {
    "E0": ("0", "no dataset to rank by"),
    "E1": ("1", "a single dataset"),
    "E_SC": ("SC", "a single cluster of datasets"),
    "E_RS": ("RS", "stability over schemes assessable"),
    "E_RS+DS": ("RS+DS", "over schemes and compositions"),
}

_LEGEND: Final = 3.4  # its width, in inches

#: Equal steps of lightness; the weakest level has no colour.
_SHADES: Final = Shades(
    ListedColormap(mpl.colormaps[style.SEQUENTIAL](np.linspace(0.25, 1.0, len(_LEVELS) - 1))),
    BoundaryNorm(np.arange(0.5, len(_LEVELS)), len(_LEVELS) - 1),
    "evidence level",
)


@style.themed
def evidence(
    levels: pd.DataFrame,
    ax: Axes | None = None,
    *,
    noun: str = "language",
    top: int | None = 60,
) -> Axes:
    """Draw the evidence level of every language and task type.

    After Gjorgjevikj, Koroušić Seljak and Eftimov, *Dataset Scarcity Limits Robust Evaluation of
    Multilingual Embedding Models* (2026), Figure 2.

    Parameters
    ----------
    levels : DataFrame of str, language × task type
        ``"E0"``, ``"E1"``, ``"E_SC"``, ``"E_RS"`` or ``"E_RS+DS"``; languages from top to bottom.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    noun : str
        What a row is, for the line that counts those left out.
    top : int or None
        How many rows to draw, from the first; None for all.

    Returns
    -------
    Axes
        Cells hold 0 to 4, from the weakest level.

    Raises
    ------
    EmptyMatrixError
        If there is no row.
    ParameterError
        If `top` is less than 1.
    UnknownLabelError
        For any other level.
    """
    shown = style.first_rows(levels, top, of=len(levels))
    flat, shape = shown.table.to_numpy().ravel(), shown.table.shape
    unknown = set(flat) - set(_LEVELS)
    if unknown:
        raise unknown_label("evidence level", min(map(str, unknown)), _LEVELS)
    strength = np.array([list(_LEVELS).index(level) for level in flat]).reshape(shape)
    texts = np.array([_LEVELS[level][0] for level in flat]).reshape(shape)
    columns = cells.Columns.of(levels.columns)
    need = cells.text_pitch(text for text, _ in _LEVELS.values())
    if ax is None:
        pitch = columns.pitch(need)
        height = cells.names_height(columns, pitch) + style.ROW * max(shown.n_rows, 6) + 0.2
        right = max(_LEGEND, cells.overhang(columns, pitch))
        labels = style.row_labels(shown.names, shown.left_out, noun)
        width = style.name_width(labels) + pitch * columns.width + right
        ax = style.open_axes(None, width, height)
    else:
        pitch, _ = cells.room(ax, columns.width, shown.n_rows)
    # A band where there is nothing to rank by; its colour is the page's, light or dark.
    drawn = np.where(strength == 0, np.nan, strength)
    ax.axhspan(-0.5, len(shown.names) - 0.5, color=style.BAND, linewidth=0, zorder=-1)
    cells.fill(ax, drawn, columns, _SHADES)
    style.name_rows(ax, shown.names, shown.left_out, noun)
    cells.name_columns(ax, columns, pitch, len(shown.names))
    if pitch >= need:
        cells.write(ax, texts, columns, _SHADES.faces(drawn))
    colours = [style.BAND, *_SHADES.faces(np.arange(1.0, len(_LEVELS)))]
    ax.legend(
        handles=[
            Patch(facecolor=colour, label=style.beside(level, meaning))
            for colour, (level, (_, meaning)) in zip(colours, _LEVELS.items(), strict=True)
        ],
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        handlelength=1.2,
    )
    return ax
