"""`JudgePlots`: the figures of judges' ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from robustrank import figures
from robustrank.figures.accessor import Plots

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_LABEL = "mean rating, 1 to 5"


class JudgePlots(Plots[Literal["averages", "groups", "judges", "transformations"]]):
    """Figures of ratings: ``scores.plot("judges")`` or ``scores.plot.judges()``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size.

    Parameters
    ----------
    average, by_judge, by_transformation : DataFrame
    groups : list of list of str
        See `JudgeScores`.
    """

    def __init__(
        self,
        average: pd.DataFrame,
        groups: list[list[str]],
        by_judge: pd.DataFrame,
        by_transformation: pd.DataFrame,
    ) -> None:
        self._average = average
        self._groups = groups
        self._by_judge = by_judge
        self._by_transformation = by_transformation

    def averages(self, ax: Axes | None = None) -> Axes:
        """Draw the mean rating of each generator with its interval and its letters."""
        table = self._average.rename(columns={"mean": "estimate"})
        letters = self._average["letters"]
        table.index = [f"{name} ({given})" for name, given in letters.items()]
        return figures.intervals(table, ax, label=_LABEL, noun="generator")

    def groups(self, ax: Axes | None = None) -> Axes:
        """Draw the mean ratings on a line, and join the generators that are not told apart."""
        means = self._average["mean"].rename("mean rating")
        return figures.critical_difference(
            means, self._groups, ax, label=_LABEL, best="high", noun="generator"
        )

    def judges(self, ax: Axes | None = None) -> Axes:
        """Draw the mean ratings that each judge gives each generator."""
        return figures.heatmap(self._by_judge, ax, label=_LABEL, noun="judge")

    def transformations(self, ax: Axes | None = None) -> Axes:
        """Draw the mean ratings of each generator on each transformation."""
        return figures.heatmap(self._by_transformation, ax, label=_LABEL, noun="transformation")
