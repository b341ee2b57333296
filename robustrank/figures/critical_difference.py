"""Mean ranks, with bars that join those that a test cannot tell apart.

After the diagram of J. Demšar, *Statistical Comparisons of Classifiers over Multiple Data Sets*,
JMLR 7 (2006). Dots mark the members of a bar, which may pass over others; and where there are too
many models for names at both sides, each takes a row and the bars stand beside them.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final, Literal

from matplotlib.lines import Line2D
from matplotlib.transforms import blended_transform_factory

from robustrank._text import printable
from robustrank.errors import ParameterError, unknown_label
from robustrank.figures import style
from robustrank.figures._group_bars import Bar, group_bars
from robustrank.figures.colorbar import inches_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.transforms import Transform

    from robustrank.figures.style import Shown

#: Up to this many names stand at both sides of the axis.
_AT_SIDES: Final = 16
#: Distance between levels of bars, in rows at the sides, in inches beside rows.
_LEVEL: Final = 0.55
_BESIDE: Final = 0.1
#: Height of ticks and label above the axis, of the ruler above these, and of a line of the remark.
_TICKS, _RULER, _LINE = 0.55, 0.3, 0.16
_WRAP: Final = 84


@style.themed
def critical_difference(
    mean_rank: pd.Series,
    groups: list[list[str]],
    ax: Axes | None = None,
    *,
    distance: float | None = None,
    label: str = "mean rank",
    best: Literal["low", "high"] = "low",
    remark: str = "",
    noun: str = "model",
    top: int | None = 30,
) -> Axes:
    """Draw mean ranks, the best at the left, and join those that a test cannot tell apart.

    Parameters
    ----------
    mean_rank : Series
        Name → mean rank, or whatever else was tested. Names without a value are counted, not drawn.
    groups : list of list of str
        Sets of names that do not differ. A bar joins each of two or more, with a dot on each of
        them; it is blue if the best is among them.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    distance : float, optional
        The critical difference, drawn as a ruler.
    label : str
        What the axis shows.
    best : {"low", "high"}
        ``"low"`` for ranks.
    remark : str
        What to write below, such as that the critical difference says little.
    noun : str
        What a name stands for, for the line that counts those left out.
    top : int or None
        How many names to draw, best first; None for all.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownLabelError
        If a group has a name without a value.
    ParameterError
        If `best` is something else, or `top` is less than 1.
    EmptyMatrixError
        If there are no values.
    """
    if best not in ("low", "high"):
        raise ParameterError(f"best must be 'low' or 'high'; got {best!r}.")
    known = mean_rank.dropna().sort_values(ascending=best == "low", kind="stable")
    shown = style.first_rows(known, top, of=len(mean_rank))
    n = len(shown.names)
    places = {str(name): i for i, name in enumerate(known.index)}
    for name in (name for group in groups for name in group):
        if name not in places:
            raise unknown_label("name in a group", name, places)
    bars = group_bars(groups, places, n)
    values = shown.table.to_numpy(dtype=float).tolist()
    decimals = 2 if abs(values[-1] - values[0]) >= 1 else 3
    written = [f"{value:.{decimals}f}" for value in values]
    lines = textwrap.wrap(printable(remark), _WRAP)
    above = _TICKS + (_RULER if distance else 0.0)
    above += _LINE * len(lines)
    if n <= _AT_SIDES and not shown.left_out:
        ax = _at_sides(ax, shown.names, written, values, bars, above)
    else:
        ax = _in_rows(ax, shown, written, values, bars, above, noun)
    _limit(ax, values, distance, best)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.set_xlabel(printable(label))
    ax.spines["top"].set_visible(True)
    ax.spines[["left", "bottom"]].set_visible(False)
    if distance:
        _ruler(ax, values[0], distance if best == "low" else -distance)
    if lines:
        ax.annotate(
            "\n".join(lines),
            (0, 0),
            xycoords="axes fraction",
            xytext=(0, -8),
            textcoords="offset points",
            va="top",
            fontsize=8,
            color=style.MUTED,
            annotation_clip=False,
        )
    return ax


def _at_sides(
    ax: Axes | None,
    names: list[str],
    written: list[str],
    values: list[float],
    bars: list[Bar],
    more: float,
) -> Axes:
    """Name the better half at the left and the other at the right, as Demšar does."""
    half = (len(names) + 1) // 2
    levels = 1 + max((bar.level for bar in bars), default=-1)
    below = 1.0 + _LEVEL * levels
    height = below + half - 0.5
    wide = style.name_width(names[:half]) + style.name_width(names[half:])
    ax = style.open_axes(ax, 5.5 + wide, more + style.ROW * height)
    for i, (name, number, value) in enumerate(zip(names, written, values, strict=True)):
        left = i < half
        row = below + (i if left else len(names) - 1 - i)
        edge = ax.get_yaxis_transform()
        ax.vlines(value, 0, row, colors=style.MUTED, linewidth=0.8, zorder=2)
        ax.annotate(
            "",
            (value, row),
            xytext=(0 if left else 1, row),
            textcoords=edge,
            arrowprops={
                "arrowstyle": "-",
                "color": style.MUTED,
                "linewidth": 0.8,
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )
        ax.annotate(
            style.beside(name, number) if left else style.beside(number, name),
            (0 if left else 1, row),
            xycoords=edge,
            xytext=(-4 if left else 4, 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
            fontsize=8,
            color=style.INK,
            annotation_clip=False,
        )
    for bar in bars:
        row = 0.6 + _LEVEL * bar.level
        at = [values[i] for i in bar.members]
        _join(ax, bar, [at[0], at[-1]], [row, row], at, [row] * len(at), ax.transData)
    ax.set_yticks([])
    ax.set_ylim(height, 0)
    return ax


def _in_rows(
    ax: Axes | None,
    shown: Shown[pd.Series],
    written: list[str],
    values: list[float],
    bars: list[Bar],
    more: float,
    noun: str,
) -> Axes:
    """Give each name a row, and stand the bars up at the right."""
    labels = style.row_labels(shown.names, shown.left_out, noun, written)
    levels = 1 + max((bar.level for bar in bars), default=-1)
    width = _BESIDE * (levels + 1)
    ax = style.open_axes(
        ax, 4.5 + style.name_width(labels) + width, more + style.ROW * shown.n_rows
    )
    style.name_rows(ax, shown.names, shown.left_out, noun, written)
    beside = blended_transform_factory(inches_from(ax, 1, 0), ax.transData)
    guide: dict[str, Any] = {"colors": style.FAINT, "linewidth": 0.6, "zorder": 0}
    lines = range(len(values))
    ax.hlines(lines, 0, 1, transform=ax.get_yaxis_transform(), **guide)
    ax.hlines(lines, 0, width, transform=beside, clip_on=False, **guide)
    first = {i for bar in bars if bar.members[0] == 0 for i in bar.members} | {0}
    colours = [style.BLUE if i in first else style.INK for i in lines]
    ax.scatter(values, lines, c=colours, s=20, zorder=3)
    for bar in bars:
        x = _BESIDE * (bar.level + 1)
        end = len(values) if bar.goes_on else bar.members[-1]
        at = list(bar.members)
        _join(ax, bar, [x, x], [at[0], end], [x] * len(at), at, beside)
    return ax


def _join(
    ax: Axes,
    bar: Bar,
    x: Sequence[float],
    y: Sequence[float],
    dots_x: Sequence[float],
    dots_y: Sequence[float],
    transform: Transform,
) -> None:
    """Draw a bar with dots on its members; in blue if the best is among them."""
    look: dict[str, Any] = {
        "color": style.BLUE if bar.members[0] == 0 else style.MUTED,
        "transform": transform,
        "clip_on": False,
    }
    ax.add_artist(Line2D(x, y, linewidth=2.2, zorder=1.5, solid_capstyle="butt", **look))
    ax.add_artist(Line2D(dots_x, dots_y, linestyle="", marker="o", markersize=5, zorder=3, **look))


def _limit(ax: Axes, values: list[float], distance: float | None, best: str) -> None:
    """Let the axis run from the best at the left to the worst, and hold the ruler."""
    length = max(abs(values[-1] - values[0]), distance or 0.0) or 1.0
    way = 1 if best == "low" else -1
    ax.set_xlim(values[0] - way * 0.04 * length, values[0] + way * 1.04 * length)


def _ruler(ax: Axes, start: float, length: float) -> None:
    """Draw the critical difference above the axis, from the best on."""
    above = blended_transform_factory(ax.transData, inches_from(ax, 0, 1))
    ruler = Line2D(
        [start, start + length],
        [_TICKS, _TICKS],
        color=style.INK,
        linewidth=1.4,
        marker="|",
        markersize=7,
        transform=above,
        clip_on=False,
    )
    ax.add_artist(ruler)
    ax.annotate(
        f"critical difference {abs(length):.3g}",
        (start, _TICKS),
        xycoords=above,
        xytext=(0, 5),
        textcoords="offset points",
        fontsize=8,
        color=style.INK,
        annotation_clip=False,
    )
