"""Names beside points, none over another; and a remark below an axes."""

from __future__ import annotations

import textwrap
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np

from robustrank._text import printable
from robustrank.figures import style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray

SIZE: Final = 7.5
#: A longer name goes on over several lines.
_LINE: Final = 40
#: Characters in a line of a remark below the figure.
_BELOW: Final = 90
#: How far from its point a name may be, in points, and in which of how many directions.
_REACH: Final = (5, 9, 14, 20, 27, 35, 44, 54, 66, 80, 96, 115, 138, 165, 200, 240)
_DIRECTIONS: Final = 24
#: A name this far from its point is joined to it by a line.
_JOINED: Final = 10
#: What it costs to cover a point, and to cross a line or a name by a line, in points of distance.
_COVERED: Final = 15.0
_CROSSED: Final = 100.0
#: Room around a name, in points.
_ROOM: Final = 1.5


def name_points(
    ax: Axes,
    x: ArrayLike,
    y: ArrayLike,
    names: Sequence[str],
    *,
    avoid: ArrayLike = (),
    towards: float = 45.0,
) -> list[str]:
    """Write names beside points of an axes whose limits are final.

    The first names have the first choice: of the free places near a point, that which covers the
    fewest points and lines, is nearest, and lies in the direction wanted.

    Parameters
    ----------
    ax : Axes
    x, y : array_like, shape (k,)
    names : sequence of str, shape (k,)
    avoid : array_like, shape (n, 2), optional
        Other points that names had better not cover.
    towards : float
        Direction in which names go where there is a choice, in degrees from the right.

    Returns
    -------
    list of str
        The names that no room was found for, which are not written.
    """
    if not len(names):
        return []
    own = np.column_stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    others = np.asarray(avoid, dtype=np.float64).reshape(-1, 2)
    with _measured(ax) as pixel:
        frame = np.array(ax.bbox.extents) / pixel
        at = ax.transData.transform(own) / pixel
        points = np.vstack([at, ax.transData.transform(others) / pixel])
        lines = ["\n".join(textwrap.wrap(printable(name), _LINE)) for name in names]
        sizes = [_extent(ax, text, pixel) for text in lines]
    taken = np.empty((0, 4))
    joints = np.empty((0, 2))
    homeless = []
    for name, text, (own_x, own_y), point, size in zip(
        names, lines, own.tolist(), at, sizes, strict=True
    ):
        boxes, anchors, costs = _places(point, size, towards)
        free = _inside(boxes, frame) & ~_meet(boxes, taken)
        if not free.any():
            homeless.append(name)
            continue
        joins = _joins(point, anchors)
        crossed = _cross(joins, taken) | _cover(boxes, joints).any(axis=1)
        costs = costs + _COVERED * _cover(boxes, points).sum(axis=1) + _CROSSED * crossed
        best = int(np.argmin(np.where(free, costs, np.inf)))
        _write(ax, text, (own_x, own_y), point, boxes[best], anchors[best])
        taken = np.vstack([taken, boxes[best]])
        joints = np.vstack([joints, joins[best]])
    return homeless


def say_below(ax: Axes, text: str) -> None:
    """Write a remark below the label of the horizontal axis, if there is any."""
    if text:
        ax.annotate(
            "\n".join(textwrap.wrap(printable(text), _BELOW)),
            (0.5, 0.0),
            xycoords=ax.xaxis.label,
            xytext=(0, -3),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=8,
            fontstyle="italic",
            color=style.MUTED,
            annotation_clip=False,
        )


@contextmanager
def _measured(ax: Axes) -> Iterator[float]:
    """Lay the figure out, so that sizes can be asked for; yields the pixels of a point."""
    figure = style.figure_of(ax)
    with warnings.catch_warnings():
        # Who writes the file hears of it; the SVG has the letters whatever this machine has.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.draw_without_rendering()
        yield figure.dpi / 72.0


def _extent(ax: Axes, text: str, pixel: float) -> tuple[float, float]:
    """Return width and height of a text, with room around it, in points."""
    probe = ax.text(0, 0, text, fontsize=SIZE)
    box = probe.get_window_extent()
    probe.remove()
    return box.width / pixel + 2 * _ROOM, box.height / pixel + 2 * _ROOM


def _places(
    point: FloatArray, size: tuple[float, float], towards: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return boxes (left, bottom, right, top) around a point, where they touch it, and costs."""
    angles = np.arange(_DIRECTIONS) * 2 * np.pi / _DIRECTIONS
    reach, angle = (grid.ravel() for grid in np.meshgrid(_REACH, angles, indexing="ij"))
    way = np.column_stack([np.cos(angle), np.sin(angle)])
    anchors = point + reach[:, None] * way
    # A box to the right of its anchor hangs on its left side, one above it on its lower side.
    hang = np.where(way > 0.38, 0.0, np.where(way < -0.38, 1.0, 0.5))
    corner = anchors - hang * np.array(size)
    costs = reach + 6.0 * (1.0 - np.cos(angle - np.radians(towards)))
    return np.hstack([corner, corner + np.array(size)]), anchors, costs


def _joins(point: FloatArray, anchors: FloatArray) -> FloatArray:
    """Return points along the lines from a point to its anchors, shape (places, 16, 2)."""
    along = np.linspace(0.0, 1.0, 16)[:, None]
    return np.asarray(point + along * (anchors - point)[:, None, :])


def _inside(boxes: FloatArray, frame: FloatArray) -> NDArray[np.bool_]:
    return np.asarray((boxes[:, :2] >= frame[:2]).all(1) & (boxes[:, 2:] <= frame[2:]).all(1))


def _meet(boxes: FloatArray, taken: FloatArray) -> NDArray[np.bool_]:
    """Tell which boxes overlap any of those taken."""
    apart = (boxes[:, None, :2] >= taken[None, :, 2:]) | (boxes[:, None, 2:] <= taken[None, :, :2])
    return np.asarray(np.any(~np.any(apart, axis=2), axis=1))


def _cover(boxes: FloatArray, points: FloatArray) -> NDArray[np.bool_]:
    """Tell which boxes cover which points."""
    over = (points >= boxes[:, None, :2]) & (points <= boxes[:, None, 2:])
    return np.asarray(over.all(axis=2))


def _cross(joins: FloatArray, taken: FloatArray) -> NDArray[np.bool_]:
    """Tell which lines run over a box that is taken."""
    through = np.any(_cover(taken, joins.reshape(-1, 2)), axis=0)
    return np.asarray(np.any(through.reshape(joins.shape[:2]), axis=1))


def _write(
    ax: Axes,
    text: str,
    data: tuple[float, float],
    point: FloatArray,
    box: FloatArray,
    anchor: FloatArray,
) -> None:
    """Write a name into its box, joined to its point if it is far."""
    far = float(np.hypot(*(anchor - point))) > _JOINED
    if far:
        ax.annotate(
            "",
            data,
            xytext=_pair(anchor - point),
            textcoords="offset points",
            arrowprops={
                "arrowstyle": "-",
                "color": style.MUTED,
                "linewidth": 0.5,
                "shrinkA": 0,
                "shrinkB": 2,
            },
            zorder=3.5,
        )
    ax.annotate(
        text,
        data,
        xytext=_pair((box[:2] + box[2:]) / 2 - point),
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=SIZE,
        zorder=4,
    )


def _pair(vector: FloatArray) -> tuple[float, float]:
    return float(vector[0]), float(vector[1])
