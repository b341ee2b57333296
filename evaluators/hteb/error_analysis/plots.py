"""`ErrorPlots`: the figures of error rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank.evaluators.hteb.error_analysis.finding import TOTAL
from robustrank.evaluators.hteb.error_analysis.wording import SHORT
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.figures.accessor import Plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AXIS = {name: each.axis for name, each in TRANSFORMATIONS.items()}


class ErrorPlots(Plots[Literal["rates", "totals", "transformations"]]):
    """Figures of error rates: ``found.plot("rates")`` or ``found.plot.rates()``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size.

    Parameters
    ----------
    rates, by_transformation, totals : DataFrame
        As `ErrorRates` has them.
    """

    def __init__(
        self, rates: pd.DataFrame, by_transformation: pd.DataFrame, totals: pd.DataFrame
    ) -> None:
        self._rates = rates
        self._by_transformation = by_transformation
        self._totals = totals

    def rates(self, ax: Axes | None = None) -> Axes:
        """Draw the share of outputs with each type of error, a row per generator."""
        table = 100.0 * self._rates[[*ERROR_TYPES, TOTAL]].rename(columns=SHORT)
        return _draw(table, ax, "outputs with the error, %")

    def transformations(self, ax: Axes | None = None) -> Axes:
        """Draw the share of outputs with any error under each transformation."""
        table = self._by_transformation[TOTAL].unstack("transformation")  # noqa: PD010 - of a series
        order = [name for name in TRANSFORMATIONS if name in table.columns]
        table = 100.0 * table.loc[self._rates.index, order]
        table.columns = pd.MultiIndex.from_tuples([(_AXIS[name], name) for name in order])
        return _draw(table, ax, "outputs with any error, %")

    def totals(self, ax: Axes | None = None) -> Axes:
        """Draw the share of outputs with any error, with its interval."""
        table = 100.0 * self._totals[["total", "low", "high"]].rename(columns={"total": "estimate"})
        return figures.intervals(table, ax, label="outputs with any error, %", noun="generator")


def _draw(table: pd.DataFrame, ax: Axes | None, label: str) -> Axes:
    highest = float(np.nanmax(table.to_numpy()))
    return figures.heatmap(
        table, ax, label=label, limits=(0.0, highest or 1.0), decimals=1, noun="generator"
    )
