"""How much a set of items says about ability, and where the models are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from robustrank._text import printable
from robustrank.figures import style
from robustrank.figures.labels import say_below
from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from robustrank._numeric import FloatArray

_BINS: Final = 40
#: Standard errors are drawn up to so many times the least.
_WORST: Final = 5.0
#: Height of the histogram of models, as a share of that of the curve.
_SHARE: Final = 0.22


@style.themed
def information(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    abilities: pd.Series | None = None,
    label: str = "information",
    remark: str = "",
) -> Axes:
    """Draw the Fisher information of items about ability θ, over θ.

    The items' errors are taken to be independent, so that information adds up, and 1 / √information
    is the standard error of an ability; it is drawn as a dashed line.

    Parameters
    ----------
    table : DataFrame
        One row per ability, in ascending order: ``ability`` and ``information``.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    abilities : Series, optional
        θ per model, whose histogram hangs below. Those outside of the table are not in it.
    label : str
        Whose information it is, or how it is found.
    remark : str
        What to say below the figure, such as which items are left out.

    Returns
    -------
    Axes
        Its first line is the information, and that of its right axis the standard error.

    Raises
    ------
    UnknownLabelError
        If a column is missing.
    EmptyMatrixError
        If there is no information at any ability.

    Notes
    -----
    Source: F. M. Lord, *Applications of Item Response Theory to Practical Testing Problems* (1980),
    ch. 5, for answers; least squares for scores.
    """
    style.need(table, ["ability", "information"])
    known = table[["ability", "information"]].dropna()
    style.cut(int((known["information"] > 0.0).sum()), None)
    theta, told = known.to_numpy(dtype=np.float64).T
    ax = style.open_axes(ax, 6.5, 4.2)
    ax.fill_between(theta, told, color=style.BLUE, alpha=0.15, linewidth=0)
    ax.plot(theta, told, color=style.BLUE, linewidth=1.8)
    ax.set_xlim(theta[0], theta[-1])
    ax.set_xlabel("ability θ")
    ax.set_ylabel(printable(label))
    models = np.empty(0) if abilities is None else abilities.dropna().to_numpy(dtype=np.float64)
    _hang_models(ax, models, told.max())
    error = _add_error(ax, theta, told)
    ax.legend(
        handles=[ax.lines[0], error],
        labels=["information", "standard error"],
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=2,
        borderaxespad=0.2,
    )
    say_below(ax, remark)
    return ax


def _hang_models(ax: Axes, models: FloatArray, peak: float) -> None:
    """Hang a histogram of the models' abilities below the curve."""
    ax.set_ylim(-1.35 * _SHARE * peak * bool(len(models)), 1.08 * peak)
    ax.axhline(0.0, color=style.MUTED, linewidth=0.8)
    ticks = ax.get_yticks()
    ax.set_yticks(ticks[(ticks >= 0.0) & (ticks <= 1.08 * peak)])
    if not len(models):
        return
    counts, edges = np.histogram(models, bins=_BINS, range=ax.get_xlim())
    heights = -_SHARE * peak * counts / counts.max()
    ax.bar(edges[:-1], heights, np.diff(edges), align="edge", color=style.MUTED, linewidth=0)
    ax.text(
        0.01,
        0.02,
        count(len(models), "model"),
        transform=ax.transAxes,
        fontsize=8,
        color=style.MUTED,
    )


def _add_error(ax: Axes, theta: FloatArray, told: FloatArray) -> Line2D:
    """Draw the standard error on an axis at the right, as far as it is of use; return its line."""
    right = ax.twinx()
    with np.errstate(divide="ignore"):
        error = 1.0 / np.sqrt(told)
    look: dict[str, Any] = {"color": style.VERMILION, "linewidth": 1.4, "linestyle": (0, (5, 2))}
    (line,) = right.plot(theta, error, **look)
    bottom, top = ax.get_ylim()
    most = min(float(error.max()), _WORST * float(error.min())) * 1.05
    right.set_ylim(most * bottom / top, most)
    ticks = right.get_yticks()
    right.set_yticks(ticks[(ticks >= 0.0) & (ticks <= most)])
    right.set_ylabel("standard error of θ, 1 / √information")
    return line
