"""Discrimination and difficulty of items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

from robustrank._text import printable
from robustrank.figures import style
from robustrank.figures.labels import name_points, say_below
from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray

#: More items than this are small dots without names or intervals.
_MANY: Final = 400
#: How many items can all be named; of more, this many at either end of discrimination are.
_NAMED: Final = 25
_ENDS: Final = 6
#: Discriminations that span more than this factor have a logarithmic axis.
_SPAN: Final = 10.0
#: How many interquartile ranges beyond the quartiles a difficulty is drawn at the edge.
_FENCE: Final = 3.0
_MARKERS: Final = ("o", "s", "D", "^")


@style.themed
def items(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    discrimination_interval: pd.DataFrame | None = None,
    difficulty_interval: pd.DataFrame | None = None,
    groups: pd.Series | None = None,
    noun: str = "dataset",
) -> Axes:
    """Draw how sharply items tell models apart, over the ability at which they do.

    Up to 25 items are all named. Of more, those that discriminate most and least, and the easiest
    and hardest, are; of more than 400 none, and intervals are not drawn.

    Parameters
    ----------
    table : DataFrame
        One row per item: ``discrimination``, which is positive, and ``difficulty``. Items without
        them are counted, not drawn.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    discrimination_interval, difficulty_interval : DataFrame, optional
        ``low`` and ``high`` per item. They are cut off at the edges of the axes, which are those
        of the items.
    groups : Series, optional
        Item to group, such as the task type, which colours it.
    noun : str
        What an item is.

    Returns
    -------
    Axes
        A difficulty far beyond the rest, by more than three times the interquartile range, is a
        triangle at the edge, and counted below.

    Raises
    ------
    UnknownLabelError
        If a column is missing.
    EmptyMatrixError
        If no item has a discrimination and a difficulty.
    """
    style.need(table, ["discrimination", "difficulty"])
    known = table.dropna(subset=["discrimination", "difficulty"])
    style.cut(len(known), None)
    a, b = (known[name].to_numpy(dtype=np.float64) for name in ("discrimination", "difficulty"))
    many = len(known) > _MANY
    ax = style.open_axes(ax, 8.5, 5.5)
    ax.set_xlabel("difficulty: the ability at which half of the score is expected")
    ax.set_ylabel("discrimination")
    low, high = _fence(b)
    at = b.clip(low, high)
    _limit(ax, at, a)
    if not many:
        _draw_intervals(ax, known.index, at, a, difficulty_interval, discrimination_interval)
    _draw_groups(ax, known.index, at, a, b, groups, many=many)
    remarks = _remarks(len(table) - len(known), int((at != b).sum()), noun)
    if not many:
        chosen, rule = _choose(a, b)
        names = [str(known.index[i]) for i in chosen]
        points = np.column_stack([at, a])
        homeless = name_points(ax, at[chosen], a[chosen], names, avoid=points)
        if homeless:
            rule = f"{rule}, {count(len(homeless), 'name')} left out for want of room".lstrip(", ")
        remarks = [rule, *remarks] if rule else remarks
    say_below(ax, "; ".join(remarks))
    return ax


def _fence(b: FloatArray) -> tuple[float, float]:
    """Return between which difficulties items are drawn where they are."""
    first, third = np.quantile(b, [0.25, 0.75])
    reach = _FENCE * (third - first)
    return first - reach, third + reach


def _limit(ax: Axes, b: FloatArray, a: FloatArray) -> None:
    ax.set_axisbelow(True)
    ax.grid(visible=True, color=style.FAINT, linewidth=0.6)
    spare = 0.06 * (np.ptp(b) or 1.0)
    ax.set_xlim(b.min() - spare, b.max() + spare)
    if a.min() > 0.0 and a.max() / a.min() > _SPAN:
        ax.set_yscale("log")
        spare = (a.max() / a.min()) ** 0.06
        ax.set_ylim(a.min() / spare, a.max() * spare)
        ticks = np.outer(10.0 ** np.arange(-4, 5), [1.0, 2.0, 5.0]).ravel()
        ax.yaxis.set_major_locator(FixedLocator(ticks.tolist()))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    else:
        spare = 0.06 * (np.ptp(a) or 1.0)
        ax.set_ylim(max(a.min() - spare, 0.0), a.max() + spare)


def _draw_intervals(
    ax: Axes,
    index: pd.Index,
    b: FloatArray,
    a: FloatArray,
    across: pd.DataFrame | None,
    up: pd.DataFrame | None,
) -> None:
    look: dict[str, Any] = {"colors": style.MUTED, "alpha": 0.45, "linewidth": 0.8, "zorder": 1}
    for draw, at, ends in ((ax.hlines, a, across), (ax.vlines, b, up)):
        if ends is not None:
            style.need(ends, ["low", "high"])
            low, high = ends[["low", "high"]].reindex(index).to_numpy(dtype=np.float64).T
            draw(at, low, high, **look)


def _draw_groups(
    ax: Axes,
    index: pd.Index,
    at: FloatArray,
    a: FloatArray,
    b: FloatArray,
    groups: pd.Series | None,
    *,
    many: bool,
) -> None:
    """Draw the items, each group in its colour and, where those run out, its mark."""
    of = np.full(len(index), "", dtype=object)
    if groups is not None:
        of = groups.reindex(index).astype(object).fillna("without a group").to_numpy()
    names = list(dict.fromkeys(sorted(map(str, of))))
    for i, name in enumerate(names):
        colour = style.CYCLE[i % len(style.CYCLE)]
        marker = _MARKERS[i // len(style.CYCLE) % len(_MARKERS)]
        mine = of.astype(str) == name
        for side, mark in ((at == b, marker), (at < b, ">"), (at > b, "<")):
            rows = mine & side
            dots = ax.scatter(at[rows], a[rows], c=colour, marker=mark, zorder=2, **style.OUTLINED)
            dots.set(sizes=[24], alpha=0.9)
            if many:
                dots.set(sizes=[5], alpha=0.3, linewidths=0)
            # Thousands of dots would make a vector file of many megabytes.
            dots.set_rasterized(many)
        ax.scatter([], [], c=colour, s=24, marker=marker, label=printable(name), **style.OUTLINED)
    if len(names) > 1:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.0)


def _choose(a: FloatArray, b: FloatArray) -> tuple[list[int], str]:
    """Return the items to name, most telling first, and what to say of the choice."""
    order = np.lexsort((b, -a))
    if len(a) <= _NAMED:
        return list(order), ""
    hard = np.lexsort((a, b))
    few = _ENDS // 2
    ends = [*order[:_ENDS], *order[-_ENDS:], *hard[:few], *hard[-few:]]
    rule = f"named: the {_ENDS} that discriminate most and least, the {few} easiest and hardest"
    return list(dict.fromkeys(int(i) for i in ends)), rule


def _remarks(undefined: int, beyond: int, noun: str) -> list[str]:
    remarks = []
    if beyond:
        remarks.append(f"{count(beyond, noun)} with a difficulty beyond this range at its edges")
    if undefined:
        remarks.append(f"{count(undefined, noun)} without a discrimination not shown")
    return remarks
