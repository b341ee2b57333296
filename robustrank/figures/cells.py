"""Tables as coloured cells: where columns stand, what they are called, what is written in them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.colors import to_rgb

from robustrank._text import printable
from robustrank.errors import ParameterError
from robustrank.figures import style

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.figures.colorbar import Shades

#: Text on coloured cells; not the ink of the page, which a report may turn light.
DARK: Final = "#111111"
LIGHT: Final = "#fafafa"

#: Width of a column without text, in inches.
BARE: Final = 0.16

_GAP = 0.35  # between groups, in columns
_SMALL = 7  # size of text in cells, in points
_WIDEST = 0.95  # a column that is as wide as its name, at most, in inches


@dataclass(frozen=True)
class Columns:
    """Where the columns of a table stand.

    Attributes
    ----------
    names : list of str
    places : ndarray of float
        Centre of each column; columns are 1 wide, with a gap between groups.
    groups : list of (str, int, int)
        Neighbours that share the first level of their labels: name, first column, and the one after
        the last. Empty where labels have one level.
    """

    names: list[str]
    places: FloatArray
    groups: list[tuple[str, int, int]]

    @classmethod
    def of(cls, labels: pd.Index) -> Columns:
        """Place columns by their labels, of one or two levels."""
        n = len(labels)
        if labels.nlevels == 1:
            names = [printable(str(name)) for name in labels]
            return cls(names, np.arange(n, dtype=float), [])
        if labels.nlevels > 2:
            raise ParameterError(
                f"Columns of a figure have one or two levels of labels; got {labels.nlevels}."
            )
        outer = [printable(str(name)) for name in labels.get_level_values(0)]
        names = [printable(str(name)) for name in labels.get_level_values(1)]
        starts = [j for j in range(n) if j == 0 or outer[j] != outer[j - 1]]
        groups = [(outer[a], a, b) for a, b in pairwise([*starts, n])]
        gaps = np.repeat(np.arange(len(groups)), [b - a for _, a, b in groups])
        return cls(names, np.arange(n) + _GAP * gaps, groups)

    @property
    def width(self) -> float:
        """How wide all are, in columns."""
        return float(self.places[-1]) + 1.0

    def pitch(self, least: float) -> float:
        """Return how wide to make columns, in inches: for their names and those of the groups."""
        for name, start, end in self.groups:
            least = max(least, (style.text_width(name) + 0.1) / (end - start))
        level = self.level_pitch
        return max(least, level) if level <= _WIDEST and len(self.names) <= 12 else least

    @property
    def level_pitch(self) -> float:
        """How wide a column must be for level names, in inches."""
        return max(style.text_width(name) for name in self.names) + 0.1


def text_pitch(texts: Iterable[str]) -> float:
    """Return how wide a column must be for the texts in its cells, in inches."""
    return max((style.text_width(text, _SMALL) for text in texts), default=0.0) + 0.09


def room(ax: Axes, columns: float, rows: float) -> tuple[float, float]:
    """Return the width of a column and the height of a row on axes as they are now, in inches."""
    box = ax.get_window_extent()
    dpi = style.figure_of(ax).dpi
    return box.width / dpi / columns, box.height / dpi / rows


def fill(ax: Axes, values: FloatArray, columns: Columns, shades: Shades) -> None:
    """Colour the cells of a table; those without a number stay empty.

    Groups of columns are an image each. Images stay small in vector files however many cells.
    """
    runs = [(a, b) for _, a, b in columns.groups] or [(0, len(columns.names))]
    for start, end in runs:
        left, right = columns.places[start] - 0.5, columns.places[end - 1] + 0.5
        ax.imshow(
            np.ma.masked_invalid(values[:, start:end]),
            cmap=shades.cmap,
            norm=shades.norm,
            aspect="auto",
            interpolation="none",
            extent=(left, right, len(values) - 0.5, -0.5),
        )
    ax.set_xlim(-0.5, columns.width - 0.5)
    for spine in ax.spines.values():
        spine.set_visible(False)


def as_text(values: FloatArray, decimals: int) -> NDArray[np.str_]:
    """Return numbers as text: with a true minus, none before zero, and a dash where none is."""
    texts = [
        "–" if np.isnan(value) else f"{value:z.{decimals}f}".replace("-", "−")
        for value in values.ravel()
    ]
    return np.array(texts, dtype=np.str_).reshape(values.shape)


def write(ax: Axes, texts: NDArray[np.str_], columns: Columns, faces: FloatArray) -> None:
    """Write into cells, each text in what contrasts with its colour.

    Parameters
    ----------
    ax : Axes
    texts : ndarray of str, shape (rows, columns)
        Nothing is written for an empty text.
    columns : Columns
    faces : ndarray, shape (rows, columns, 4)
        Colours of the cells. The text of a transparent one is muted.
    """
    for i, j in zip(*np.nonzero(texts != ""), strict=True):
        ax.text(
            columns.places[j],
            i,
            texts[i, j],
            ha="center",
            va="center",
            fontsize=_SMALL,
            color=contrasting(faces[i, j]),
            in_layout=False,  # it lies within the cell: measuring hundreds of them takes long
        )


def contrasting(face: FloatArray) -> str:
    """Return the colour of text on a colour: dark or light, whichever contrasts more.

    Contrast is that of the Web Content Accessibility Guidelines 2.2: (L₁ + 0.05) / (L₂ + 0.05) of
    relative luminances.
    """
    if face[3] == 0:
        return style.MUTED
    ground = _luminance(face[:3])
    light, dark = (_luminance(np.array(to_rgb(colour))) for colour in (LIGHT, DARK))
    return LIGHT if (light + 0.05) * (dark + 0.05) > (ground + 0.05) ** 2 else DARK


def _luminance(rgb: FloatArray) -> float:
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def name_columns(ax: Axes, columns: Columns, pitch: float, rows: int) -> None:
    """Name columns above the cells, level where they fit, and groups below the last row."""
    ax.xaxis.tick_top()
    ax.set_xticks(columns.places, columns.names)
    ax.tick_params(axis="x", length=0, pad=3)
    if columns.level_pitch > pitch:
        steep = _upright(columns, pitch)
        for label in ax.get_xticklabels():
            label.set_rotation(90 if steep else 45)
            label.set_rotation_mode("anchor")
            label.set_horizontalalignment("left")
            label.set_verticalalignment("center" if steep else "baseline")
    if pitch < 0.15:
        ax.tick_params(axis="x", labelsize=6)
    for name, start, end in columns.groups:
        left, right = columns.places[[start, end - 1]]
        ax.annotate(
            name,
            ((left + right) / 2, rows - 0.5),
            xytext=(0, -3),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=8,
            annotation_clip=False,
        )


def names_height(columns: Columns, pitch: float) -> float:
    """Return how much height the names above the cells take, in inches."""
    level = columns.level_pitch
    if level <= pitch:
        return 0.25
    return level if _upright(columns, pitch) else 0.75 * level


def overhang(columns: Columns, pitch: float) -> float:
    """Return by how much slanted names stick out at the right of the cells, in inches."""
    if columns.level_pitch <= pitch or _upright(columns, pitch):
        return 0.0
    after = pitch * (columns.width - columns.places - 0.5)
    widths = np.array([style.text_width(name) for name in columns.names])
    return max(float((0.75 * widths - after).max()), 0.0)


def _upright(columns: Columns, pitch: float) -> bool:
    """Whether names stand upright instead of slanted: narrow, or above groups."""
    return bool(columns.groups) or pitch < 0.24
