"""Figures of confidence sets: ``found.plot.rank_sets()`` and ``found.plot.confidence_set()``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pandas as pd

from robustrank import figures, presenting
from robustrank.figures.accessor import Plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from robustrank.confidence_sets.model_sets import ConfidenceSet
    from robustrank.confidence_sets.rank_sets import RankSets


class RankSetsPlots(Plots[Literal["rank_sets"]]):
    """The figure of sets of ranks.

    Parameters
    ----------
    found : RankSets
    """

    def __init__(self, found: RankSets) -> None:
        self._found = found

    def rank_sets(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw the ranks and their sets.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure of a fitting size by default.
        top : int or None
            How many models to draw; None for all.

        Returns
        -------
        Axes
        """
        found = self._found
        names = {"rank": "estimate", "rank_low": "low", "rank_high": "high"}
        sets = found.table[list(names)].rename(columns=names)
        together = "simultaneous" if found.settings["simultaneous"] else "marginal"
        level = presenting.level(found.settings["confidence_level"])
        label = f"rank, with its {together} confidence set at {level}"
        return figures.intervals(sets, ax, label=label, ranks=True, top=top)


class ConfidenceSetPlots(Plots[Literal["confidence_set"]]):
    """The figure of a set of best models.

    Parameters
    ----------
    found : ConfidenceSet
    """

    def __init__(self, found: ConfidenceSet) -> None:
        self._found = found

    def confidence_set(self, ax: Axes | None = None, *, top: int | None = 20) -> Axes:
        """Draw the p-values of the first models.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure of a fitting size by default.
        top : int or None
            How many models to draw; None for all.

        Returns
        -------
        Axes
            A dashed line at alpha: the models to the right of it are in the set.
        """
        p = self._found.table["p_value"]
        dots = pd.DataFrame({"estimate": p, "low": p, "high": p})
        label = "p-value of being among the best (dashed: level of the set)"
        alpha = float(self._found.settings["alpha"])
        return figures.intervals(dots, ax, reference=alpha, label=label, top=top)
