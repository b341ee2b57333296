"""Scores over a resource, and the models that nothing beats at their price."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from robustrank._text import percent, printable
from robustrank.errors import ParameterError
from robustrank.figures import style
from robustrank.figures.labels import name_points, say_below

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: A resource that spans more than this factor has a logarithmic axis.
_SPAN: Final = 30.0
#: A model off the front is named if it is on it in at least this share of the resamples.
_CLOSE: Final = 0.2
_SHARES: Final = (0.1, 0.5, 1.0)
#: Most names in the key, and the height of one, in inches.
_NAMED: Final = 40
_ROW: Final = 0.165
_UNITS: Final = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))


@style.themed
def pareto(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    label: str = "resource",
    score_label: str = "score",
    better: Literal["low", "high"] = "low",
    remark: str = "",
) -> Axes:
    """Draw scores over a resource, with the front as a staircase, after *MTEB-PT* (2026), Figure 3.

    Numbered, and named in a key at the right, are the models on the front, and those off it that
    are on it in at least a fifth of the resamples, each with this share.

    Parameters
    ----------
    table : DataFrame
        One row per model, best resource first: ``resource``, ``score``, ``on_front`` and
        ``p_front``, as `ParetoFront.table` has them; and ``low`` and ``high``, the interval of the
        score, if known.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    label, score_label : str
        What the resource and the score are.
    better : {"low", "high"}
        Which end of the resource is desirable.
    remark : str
        What to say below the figure, such as who is not shown.

    Returns
    -------
    Axes
        A resource that spans more than a factor of 30 has a logarithmic axis, which is linear from
        0 to the least positive value if there is a 0.

    Raises
    ------
    UnknownLabelError
        If a column is missing.
    ParameterError
        If `better` is something else.
    EmptyMatrixError
        If there is no model.
    """
    if better not in ("low", "high"):
        raise ParameterError(f"better must be 'low' or 'high'; got {better!r}.")
    style.need(table, ["resource", "score", "on_front", "p_front"])
    style.cut(len(table), None)
    front = table["on_front"].to_numpy(dtype=bool)
    x, y, chance = (
        table[name].to_numpy(dtype=np.float64) for name in ("resource", "score", "p_front")
    )
    close = np.flatnonzero(~front & (chance >= _CLOSE))
    numbered = np.r_[np.flatnonzero(front), close][:_NAMED]
    key = [_entry(i, str(table.index[row]), chance[row]) for i, row in enumerate(numbered, 1)]
    left_out = int(front.sum()) + len(close) - len(numbered)
    height = max(4.8, 1.0 + _ROW * (len(key) + 3))
    ax = style.open_axes(ax, 6.0 + style.name_width(key), height)
    sizes = _area(chance)
    ax.scatter(x[~front], y[~front], s=sizes[~front], c=style.MUTED, alpha=0.55, linewidths=0)
    ax.scatter(x[front], y[front], s=sizes[front], c=style.BLUE, linewidths=0, zorder=3)
    ax.set_xlabel(f"{printable(label)} ({'less' if better == 'low' else 'more'} is better)")
    ax.set_ylabel(printable(score_label))
    _scale(ax, x)
    whiskers = _draw_intervals(ax, table, front)
    _limit(ax, x, np.r_[y, table.get("low", y), table.get("high", y)])
    stairs = _stairs(ax, x[front], y[front], better)
    ax.plot(*stairs.T, color=style.BLUE, linewidth=1.0, zorder=1)
    _add_legend(ax, known=not np.isnan(chance).all())
    _write_key(ax, key, int(front[numbered].sum()), left_out)
    say_below(ax, remark)
    name_points(
        ax,
        x[numbered],
        y[numbered],
        [str(i) for i in range(1, len(numbered) + 1)],
        avoid=np.vstack([np.column_stack([x, y]), _between(ax, stairs), whiskers]),
        towards=135.0 if better == "low" else 45.0,
    )
    return ax


def _area(chance: FloatArray) -> FloatArray:
    """Return the area of a dot in square points; an unknown chance has the least."""
    return np.asarray(10.0 + 60.0 * np.nan_to_num(chance))


def _entry(number: int, name: str, chance: float) -> str:
    share = "" if np.isnan(chance) else f"({percent(chance)})"
    return style.beside(f"{number}", name, share)


def _scale(ax: Axes, x: FloatArray) -> None:
    """Make the axis of a resource that spans orders of magnitude logarithmic."""
    positive = x[x > 0.0]
    if x.min() >= 0.0 and len(positive) and positive.max() / positive.min() > _SPAN:
        if x.min() > 0.0:
            ax.set_xscale("log")
        else:
            ax.set_xscale("symlog", linthresh=positive.min(), linscale=0.5)
        decades = np.arange(np.floor(np.log10(positive.min())), np.log10(positive.max()) + 1)
        steps = [1.0] if len(decades) > 5 else [1.0, 3.0]
        ticks = np.outer(10.0**decades, steps).ravel()
        ticks = ticks[(ticks >= 0.6 * positive.min()) & (ticks <= 1.6 * positive.max())]
        ax.xaxis.set_major_locator(FixedLocator([0.0, *ticks] if x.min() == 0.0 else [*ticks]))
        ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _short(value)))
    ax.grid(visible=True, color=style.FAINT, linewidth=0.6)


def _short(value: float) -> str:
    """Write 560000000 as 560M."""
    for unit, sign in _UNITS:
        if abs(value) >= unit * 0.9995:
            return f"{value / unit:.4g}{sign}"
    return f"{value:.4g}"


def _limit(ax: Axes, x: FloatArray, y: FloatArray) -> None:
    scale = ax.xaxis.get_transform()
    at = scale.transform(x)
    spare = 0.06 * (np.ptp(at) or 1.0)
    ax.set_xlim(*scale.inverted().transform(np.array([at.min() - spare, at.max() + spare])))
    low, high = np.nanmin(y), np.nanmax(y)
    spare = 0.06 * (high - low or 0.1)
    ax.set_ylim(low - spare, high + spare)


def _draw_intervals(ax: Axes, table: pd.DataFrame, front: NDArray[np.bool_]) -> FloatArray:
    """Draw the intervals of the scores, if known; return points along those of the front."""
    if not {"low", "high"} <= set(table.columns):
        return np.empty((0, 2))
    ends = table[["resource", "low", "high"]]
    for rows, colour, alpha in ((~front, style.MUTED, 0.4), (front, style.BLUE, 0.6)):
        some = ends[rows].dropna()
        lines = ax.vlines(some["resource"], some["low"], some["high"], colors=colour)
        lines.set(linewidth=1.0, alpha=alpha, zorder=0.5 + 0.1 * alpha)
    x, low, high = ends[front].dropna().to_numpy(dtype=np.float64).T
    steps = np.linspace(0.0, 1.0, 9)[:, None]
    along = low + steps * (high - low)
    return np.column_stack([np.broadcast_to(x, along.shape).ravel(), along.ravel()])


def _stairs(ax: Axes, x: FloatArray, y: FloatArray, better: str) -> FloatArray:
    """Return the corners of the front, from the lower edge to the end of the axes."""
    low = better == "low"
    order = np.lexsort((y, x if low else -x))
    across = np.repeat(np.r_[x[order], ax.get_xlim()[1 if low else 0]], 2)[:-1]
    up = np.r_[ax.get_ylim()[0], np.repeat(y[order], 2)]
    return np.column_stack([across, up])


def _between(ax: Axes, corners: FloatArray) -> FloatArray:
    """Return points along the stairs, close enough for a number not to pass between them."""
    at = ax.transData.transform(corners)
    steps = np.linspace(0.0, 1.0, 40, endpoint=False)[:, None, None]
    between = (at[:-1] + steps * (at[1:] - at[:-1])).reshape(-1, 2)
    return np.asarray(ax.transData.inverted().transform(between))


def _add_legend(ax: Axes, *, known: bool) -> None:
    entries = [_dot(style.BLUE, 40.0, "on the front"), _dot(style.MUTED, 40.0, "dominated")]
    if known:
        for share, area in zip(_SHARES, _area(np.array(_SHARES)), strict=True):
            unit = " of resamples on the front" if share == _SHARES[-1] else ""
            entries.append(_dot(style.INK, area, f"{percent(share)}{unit}"))
    ax.legend(
        handles=entries,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=len(entries),
        borderaxespad=0.2,
        handletextpad=0.2,
        columnspacing=1.2,
    )


def _dot(colour: str, area: float, text: str) -> Line2D:
    size = float(np.sqrt(area))
    dot = Line2D([], [], color=colour, marker="o", linestyle="none", markersize=size, label=text)
    dot.set_markeredgewidth(0.0)
    return dot


def _write_key(ax: Axes, key: list[str], on_front: int, left_out: int) -> None:
    """Write who is who at the right: the front in its order, then those close to it."""
    rows = [("on the front", style.MUTED), *((text, style.INK) for text in key[:on_front])]
    if key[on_front:]:
        rows += [(f"off it, but on it in {percent(_CLOSE)} of resamples or more", style.MUTED)]
        rows += [(text, style.INK) for text in key[on_front:]]
    if left_out:
        rows.append((f"{left_out:,} more are not named", style.MUTED))
    for i, (text, colour) in enumerate(rows):
        ax.annotate(
            text,
            (1.0, 1.0),
            xycoords="axes fraction",
            xytext=(8, -72 * _ROW * i),
            textcoords="offset points",
            va="top",
            fontsize=8,
            color=colour,
            annotation_clip=False,
        )
