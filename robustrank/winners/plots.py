"""`WinnerPlots` and `PlannedComparisonPlots`: intervals by method, and by rival."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from robustrank import figures
from robustrank.errors import EmptyMatrixError
from robustrank.figures.accessor import Plots

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: What the quantities of a winner are called.
LABELS: Final = {
    "mean": "mean",
    "over_average": "lead over the average model",
    "over_runner_up": "lead over the runner-up",
}


class WinnerPlots(Plots[Literal["mean", "over_average", "over_runner_up"]]):
    """Figures of a winner: ``found.plot("mean")`` or ``found.plot.mean()``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size. An interval without an end is a dot.

    Parameters
    ----------
    by_method : DataFrame
        Index ``quantity``, ``method``; ``estimate``, ``low`` and ``high``.
    """

    def __init__(self, by_method: pd.DataFrame) -> None:
        self._by_method = by_method

    def mean(self, ax: Axes | None = None) -> Axes:
        """Draw the leader's mean by every method."""
        return self._draw("mean", ax, reference=None)

    def over_average(self, ax: Axes | None = None) -> Axes:
        """Draw the leader's lead over the mean of all models by every method."""
        return self._draw("over_average", ax, reference=0.0)

    def over_runner_up(self, ax: Axes | None = None) -> Axes:
        """Draw the leader's lead over the runner-up by every method."""
        return self._draw("over_runner_up", ax, reference=0.0)

    def _draw(self, quantity: str, ax: Axes | None, *, reference: float | None) -> Axes:
        rows = self._by_method.loc[quantity]
        if rows["estimate"].drop("naive").isna().all():
            raise EmptyMatrixError(
                "There is nothing to draw: the datasets, or groups of them, are too few to correct "
                "the leader's scores."
            )
        finite = rows.replace([np.inf, -np.inf], np.nan)
        shown = finite.dropna().reindex(rows.index).assign(estimate=finite["estimate"])
        return figures.intervals(
            shown, ax, reference=reference, label=LABELS[quantity], noun="method"
        )


class PlannedComparisonPlots(Plots[Literal["differences"]]):
    """The figure of a planned comparison: ``found.plot.differences()``.

    Parameters
    ----------
    model : str
    table : DataFrame
        ``difference``, ``low`` and ``high`` per rival.
    """

    def __init__(self, model: str, table: pd.DataFrame) -> None:
        self._model = model
        self._table = table

    def differences(self, ax: Axes | None = None) -> Axes:
        """Draw the differences and their intervals; a side that is not asked for ends in the dot.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure by default.
        """
        middle = self._table["difference"]
        ends = self._table[["low", "high"]].replace([np.inf, -np.inf], np.nan)
        shown = ends.apply(lambda end: end.fillna(middle)).assign(estimate=middle)
        return figures.intervals(
            shown, ax, reference=0.0, label=f"difference of {self._model} from", top=None
        )
