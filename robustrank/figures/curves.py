"""Lines over a common quantity, each with its band: how something grows with a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from robustrank._text import printable
from robustrank.errors import ParameterError, unknown_label
from robustrank.figures import style
from robustrank.figures.labels import say_below

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from matplotlib.axes import Axes

#: Dashes of the second and later lines, so that colour is not all that tells them apart.
_DASHES: Final = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))


@style.themed
def curves(
    lines: pd.DataFrame,
    ax: Axes | None = None,
    *,
    bands: Mapping[str, pd.DataFrame] | None = None,
    thresholds: Mapping[str, float] | None = None,
    marks: Mapping[str, float] | None = None,
    x_label: str,
    y_label: str,
    remark: str = "",
) -> Axes:
    """Draw lines over a common quantity.

    Parameters
    ----------
    lines : DataFrame
        The index is the quantity, in ascending order, with whole ticks if it is whole; a column
        per line, at most as many as there are colours. NaN is a gap.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    bands : mapping of str to DataFrame, optional
        Column of `lines` → ``low`` and ``high`` on the same index.
    thresholds : mapping of str to float, optional
        Label → height at which a dashed line runs, with the label at its right end.
    marks : mapping of str to float, optional
        Label → place at which a dotted line stands, with the label at its top.
    x_label, y_label : str
    remark : str
        What to say below the figure.

    Returns
    -------
    Axes

    Raises
    ------
    UnknownLabelError
        If a band belongs to no line.
    ParameterError
        If there are more lines than colours.
    EmptyMatrixError
        If there is no line, or none has a value.
    """
    names = [str(name) for name in lines.columns]
    if len(names) > len(style.CYCLE):
        raise ParameterError(
            f"{len(names)} lines cannot be told apart in one figure: draw at most "
            f"{len(style.CYCLE)}.",
            names,
        )
    for name in bands or {}:
        if name not in names:
            raise unknown_label("line", name, names)
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - matplotlib loads with a figure

    style.cut(int(lines.notna().to_numpy().any(axis=1).sum()), None)
    ax = style.open_axes(ax, 6.5, 4.0)
    x = lines.index.to_numpy(dtype=np.float64)
    if (x == np.round(x)).all():
        ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    for place, name in enumerate(names):
        colour = style.CYCLE[place]
        band = (bands or {}).get(name)
        if band is not None:
            low, high = band[["low", "high"]].to_numpy(dtype=np.float64).T
            ax.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
        y = lines.iloc[:, place].to_numpy(dtype=np.float64)
        look: dict[str, Any] = {"color": colour, "linestyle": _DASHES[place % len(_DASHES)]}
        # A dot shows a point that has no neighbour to be joined with.
        few: dict[str, Any] = {"marker": "o", "markersize": 3.5} if len(x) <= 30 else {}
        ax.plot(x, y, linewidth=1.6, label=printable(name), **look, **few)
    for name, height in (thresholds or {}).items():
        ax.axhline(height, color=style.MUTED, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        _note(ax, name, (1.0, height), ("axes fraction", "data"), (4, 0), "left", "center")
    for name, where in (marks or {}).items():
        ax.axvline(where, color=style.MUTED, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
        side = _side(where, *ax.get_xlim())
        _note(ax, name, (where, 1.0), ("data", "axes fraction"), (0, 3), side, "bottom")
    ax.set_xlabel(printable(x_label))
    ax.set_ylabel(printable(y_label))
    ax.yaxis.grid(visible=True, color=style.FAINT, linewidth=0.6)
    if len(names) > 1:
        # Above the labels of marks, where no line is.
        ax.legend(
            loc="lower left",
            bbox_to_anchor=(0.0, 1.09 if marks else 1.0),
            ncols=min(len(names), 3),
            borderaxespad=0.2,
        )
    say_below(ax, remark)
    return ax


def _side(where: float, left: float, right: float) -> str:
    """Return how to align a label above a place, so that it leaves the axes at no side."""
    share = (where - left) / (right - left)
    return "left" if share < 0.2 else "right" if share > 0.8 else "center"


def _note(
    ax: Axes,
    text: str,
    at: tuple[float, float],
    coordinates: tuple[str, str],
    offset: tuple[int, int],
    horizontal: str,
    vertical: str,
) -> None:
    ax.annotate(
        printable(text),
        at,
        xycoords=coordinates,
        xytext=offset,
        textcoords="offset points",
        ha=horizontal,
        va=vertical,
        fontsize=8,
        color=style.MUTED,
        annotation_clip=False,
    )
