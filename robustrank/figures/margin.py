"""Numbers beside the rows of a figure, right of its axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


def write_column(ax: Axes, texts: Sequence[str], place: float, colours: Sequence[str]) -> None:
    """Write a heading and then a text per row, ending `place` points to the right of the axes."""
    for row, (text, colour) in enumerate(zip(texts, colours, strict=True), -1):
        ax.annotate(
            text,
            (1.0, row),
            xycoords=("axes fraction", "data"),
            xytext=(place, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=8,
            color=colour,
            annotation_clip=False,
        )
