"""What the colours of a heatmap mean, in one line below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from robustrank._text import printable
from robustrank.figures import style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.transforms import Transform

    from robustrank._numeric import FloatArray

#: How much height it takes below the axes, in inches.
HEIGHT: Final = 0.5
#: How wide it is, in inches.
WIDTH: Final = 1.8

_THICK = 0.09
_TOP = 0.14


@dataclass(frozen=True)
class Shades:
    """What colours mean.

    Attributes
    ----------
    cmap, norm
        From numbers to colours; the ends of `norm` are set.
    label : str
        What the numbers are.
    ticks : sequence of float, optional
        Which numbers to write beside the bar; a few round ones by default.
    """

    cmap: Colormap
    norm: Normalize
    label: str
    ticks: Sequence[float] | None = None

    def faces(self, values: FloatArray) -> FloatArray:
        """Return the colours of numbers, transparent where there is none."""
        colours: FloatArray = self.cmap(self.norm(np.ma.masked_invalid(values)))
        return colours


def add_colorbar(
    ax: Axes, shades: Shades, *, side: Literal["left", "right"] = "left", below: float = 0.0
) -> Axes:
    """Draw a colour bar below axes, and its label beside it, under the names of the rows.

    Parameters
    ----------
    ax : Axes
    shades : Shades
    side : {"left", "right"}
        Where the names of the rows are.
    below : float
        Further below, in inches.

    Returns
    -------
    Axes
        Of the bar: 0 and 1 are the ends of the colours.
    """
    start = 0.0 if side == "left" else -WIDTH
    bar = ax.inset_axes(
        (start, -_TOP - _THICK - below, WIDTH, _THICK),
        transform=inches_from(ax, 0.0 if side == "left" else 1.0, 0.0),
    )
    # An image, where matplotlib's own colour bar is 256 shapes in vector files.
    bar.imshow(np.linspace(0, 1, 256)[None], cmap=shades.cmap, aspect="auto", extent=(0, 1, 0, 1))
    norm, ticks = shades.norm, shades.ticks
    if ticks is None:
        low, high = np.array([norm.vmin, norm.vmax], dtype=np.float64)
        ticks = [
            float(t)
            for t in MaxNLocator(4, steps=[1, 2, 5, 10]).tick_values(low, high)
            if low <= t <= high
        ]
    names = [f"{tick:g}".replace("-", "−") for tick in ticks]
    bar.set_xticks([float(norm(tick)) for tick in ticks], names)
    bar.set_yticks([])
    bar.tick_params(length=2, pad=2, labelsize=7)
    for spine in bar.spines.values():
        spine.set_visible(False)
    bar.annotate(
        printable(shades.label),
        (0.0 if side == "left" else 1.0, 0.5),
        xycoords="axes fraction",
        xytext=(-6 if side == "left" else 6, 0),
        textcoords="offset points",
        ha="right" if side == "left" else "left",
        va="center",
        fontsize=8,
        color=style.INK,
        annotation_clip=False,
    )
    return bar


def inches_from(ax: Axes, x: float, y: float) -> Transform:
    """Return the transform of inches from a point of axes, given in their fractions."""
    scale: Transform = style.figure_of(ax).dpi_scale_trans
    return scale + ScaledTranslation(x, y, ax.transAxes)  # type: ignore[arg-type]
