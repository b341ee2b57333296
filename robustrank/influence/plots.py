"""The figures of `Influence`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank.errors import EmptyMatrixError
from robustrank.figures.accessor import Plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from robustrank.influence.result import Influence

#: Groups that a figure of the lead shows, those with which the lead is smallest.
_SMALLEST = 15
#: Groups and models that a figure of rank changes shows at most.
_SHOWN = 20


class InfluencePlots(Plots[Literal["margins", "rank_changes", "ranks"]]):
    """The figures: ``found.plot("margins")`` or ``found.plot.margins()``.

    Parameters
    ----------
    found : Influence
    """

    def __init__(self, found: Influence) -> None:
        self._found = found

    def margins(self, ax: Axes | None = None) -> Axes:
        """Draw the lead of the first model without each group, the smallest on top."""
        found = self._found
        self._need_several_groups()
        margins = found.table["margin"].sort_values(kind="stable")
        rows = pd.DataFrame({"estimate": margins, "low": np.nan, "high": np.nan})
        label = f"lead of {found.leaders[0]} without the {found.noun}"
        return figures.intervals(
            rows, ax, reference=0.0, label=label, noun=found.noun, top=_SMALLEST
        )

    def ranks(self, ax: Axes | None = None) -> Axes:
        """Draw the rank of each model, and those it takes when a group is left out."""
        self._need_several_groups()
        rows = self._found.models.rename(
            columns={"rank": "estimate", "rank_low": "low", "rank_high": "high"}
        )
        label = f"rank, and its range when one {self._found.noun} is left out"
        return figures.intervals(rows, ax, ranks=True, label=label)

    def rank_changes(self, ax: Axes | None = None) -> Axes:
        """Draw how leaving out a group changes the ranks of the top, what changes most first."""
        found = self._found
        self._need_several_groups()
        top = found.rank_changes.iloc[:, : min(found.settings["top_k"], _SHOWN)]
        moved = top.abs().sum(axis=1).to_numpy()
        top = top.iloc[np.argsort(-moved, kind="stable")]
        return figures.heatmap(
            top,
            ax,
            label=f"change of rank without the {found.noun}",
            center=0.0,
            decimals=1 if (top % 1.0 > 0.0).any(axis=None) else 0,  # tied models share a rank
            noun=found.noun,
            top=_SHOWN,
        )

    def _need_several_groups(self) -> None:
        if len(self._found.table) == 1:
            raise EmptyMatrixError(
                f"There is nothing to draw: a single {self._found.noun} cannot be left out."
            )
