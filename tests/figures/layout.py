"""Whether people can read a figure: no text over another, and none cut off."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

#: By how many pixels two labels may overlap, and one may leave what is saved.
SLACK = 1.5


class Label(NamedTuple):
    """A text that was drawn, as a rectangle that may be turned."""

    text: str
    centre: np.ndarray
    #: Half of its sides, as two vectors.
    across: np.ndarray
    along: np.ndarray
    box: Bbox
    #: What it is clipped to, if anything.
    clip: Bbox | None


def read(text: Text) -> str:
    """Return a text with two spaces where a name ends and its number begins."""
    return text.get_text().replace("\u2002", "  ")


def assert_readable(ax: Axes) -> None:
    """Draw the figure of an axes; fail if two texts overlap, or one is outside of what is saved."""
    labels, saved = draw_labels(ax.get_figure(root=True))
    assert labels, "the figure has no text"
    cut = [label.text for label in labels if not _inside(label.box, saved)]
    assert not cut, f"outside of what is saved: {cut[:6]}"
    clipped = [label.text for label in labels if label.clip and not _inside(label.box, label.clip)]
    assert not clipped, f"clipped: {clipped[:6]}"
    over = [(a.text, b.text) for a, b in _close(labels) if _overlap(a, b)]
    assert not over, f"{len(over)} overlapping: {over[:6]}"


def draw_labels(figure: Figure) -> tuple[list[Label], Bbox]:
    """Draw a figure; return the texts that were drawn, and in pixels what is saved of it.

    They are those of ticks, titles, legends and annotations, of all its axes.
    """
    drawn: dict[int, Text] = {}
    draw = Text.draw

    def record(self: Text, renderer, *args, **kwargs):
        if self.get_visible() and self.get_text().strip():
            drawn[id(self)] = self
        return draw(self, renderer, *args, **kwargs)

    before = figure.canvas
    canvas = FigureCanvasAgg(figure)
    try:
        with warnings.catch_warnings(), patch.object(Text, "draw", record):
            # Letters that the font lacks are drawn as boxes: wide enough for their place.
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            canvas.draw()
            renderer = canvas.get_renderer()
            saved = figure.get_tightbbox(renderer).transformed(figure.dpi_scale_trans)
            return [_label(text, renderer) for text in drawn.values()], saved
    finally:
        figure.set_canvas(before)


def _label(text: Text, renderer) -> Label:
    box = Text.get_window_extent(text, renderer)
    angle = text.get_rotation()
    text.set_rotation(0)
    level = Text.get_window_extent(text, renderer)
    text.set_rotation(angle)
    turn = np.radians(angle)
    across = np.array([np.cos(turn), np.sin(turn)]) * level.width / 2
    along = np.array([-np.sin(turn), np.cos(turn)]) * level.height / 2
    centre = np.array([box.x0 + box.x1, box.y0 + box.y1]) / 2
    clip = text.get_clip_box() if text.get_clip_on() else None
    return Label(text.get_text(), centre, across, along, box, clip)


def _inside(box: Bbox, area: Bbox) -> bool:
    return bool(
        box.x0 >= area.x0 - SLACK
        and box.y0 >= area.y0 - SLACK
        and box.x1 <= area.x1 + SLACK
        and box.y1 <= area.y1 + SLACK
    )


def _close(labels: list[Label]) -> list[tuple[Label, Label]]:
    """Return the pairs whose upright boxes overlap: few of all, so that the rest is quick."""
    x0, y0, x1, y1 = np.array([label.box.extents for label in labels]).T
    apart = (x1[:, None] < x0) | (y1[:, None] < y0)
    close = np.argwhere(np.triu(~(apart | apart.T), k=1))
    return [(labels[a], labels[b]) for a, b in close]


def _overlap(a: Label, b: Label) -> bool:
    """Whether no side of either parts two rectangles (separating axes)."""
    gap = b.centre - a.centre
    for side in (a.across, a.along, b.across, b.along):
        length = np.hypot(*side)
        if length == 0:
            continue
        way = side / length
        reach = sum(abs(half @ way) for half in (a.across, a.along, b.across, b.along))
        if abs(gap @ way) >= reach - SLACK:
            return False
    return True
