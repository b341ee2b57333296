"""`RobustnessPlots`: the figures of *HTEB* §4.2, of any models and datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pandas as pd

from robustrank import figures
from robustrank.errors import EmptyMatrixError
from robustrank.evaluators.hteb.statistics.scores import TOTAL
from robustrank.figures.accessor import Plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from robustrank.evaluators.hteb.statistics.robustness import Robustness


class RobustnessPlots(Plots[Literal["deltas", "dumbbell", "scale", "shifts", "stability", "taus"]]):
    """Figures of robustness: ``found.plot("deltas")`` or ``found.plot.deltas()``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size. Models come from the highest total down.

    Parameters
    ----------
    robustness : Robustness
    """

    def __init__(self, robustness: Robustness) -> None:
        self._found = robustness

    def dumbbell(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw each model's score on original texts and along each axis, as *HTEB*, Figure 4."""
        profiles = self._found.profiles.table
        axes = list(self._found.scores.axes)
        by_part = profiles["score"].unstack("part")[axes]  # noqa: PD010 - of a series
        original = profiles["original"].xs(TOTAL, level="part")
        table = by_part.reindex(original.index)
        table.insert(0, "original", original)
        return figures.dumbbell(
            100.0 * table, ax, label="mean score in points", total_label=TOTAL, top=top
        )

    def deltas(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw what each transformation changes for each model, as *HTEB*, Figure 6."""
        profiles = self._found.profiles.table
        axes = self._found.scores.axes
        columns = [(axis, name) for axis, names in axes.items() for name in names]
        table = profiles["delta"].unstack("part")  # noqa: PD010 - of a series
        table = table.loc[profiles.index.unique("model"), [name for _, name in columns]]
        table.columns = pd.MultiIndex.from_tuples(columns)
        return figures.heatmap(
            100.0 * table,
            ax,
            label="transformed minus original, in points",
            center=0.0,
            decimals=1,
            top=top,
        )

    def shifts(self, ax: Axes | None = None) -> Axes:
        """Draw the shift of each transformation over datasets, as *HTEB*, Figure 7."""
        return self._found.shifts.plot.forest(ax)

    def stability(self, ax: Axes | None = None) -> Axes:
        """Draw how far original and transformed texts rank models alike, as *HTEB*, Table 7."""
        return self._found.stability.plot.intervals(ax)

    def taus(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw the same for each dataset."""
        return self._found.stability.plot.datasets(ax, top=top)

    def scale(self, ax: Axes | None = None) -> Axes:
        """Draw what doubling the parameters changes, by family of models."""
        effect = self._found.scale
        if effect is None:
            raise EmptyMatrixError("There are no families of models to draw; pass families=.")
        return effect.plot.slopes(ax)
