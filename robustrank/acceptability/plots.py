"""`AcceptabilityPlots`: the figures of an `Acceptability`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from robustrank import figures
from robustrank.errors import InputError
from robustrank.figures.accessor import Plots
from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Models and ranks that are drawn.
_TOP = 15
#: Groups up to which their weights are drawn.
_MOST_GROUPS = 30


class AcceptabilityPlots(Plots[Literal["first_places", "rank_acceptability", "central_weights"]]):
    """Figures of an acceptability analysis: ``found.plot("first_places")``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size.

    Parameters
    ----------
    p_best : Series
        Share of the draws in which each model is first, best first.
    rank_acceptability : DataFrame, model × rank
    central_weights : DataFrame, model × group
    noun : str
        What gets a weight.
    """

    def __init__(
        self,
        p_best: pd.Series,
        rank_acceptability: pd.DataFrame,
        central_weights: pd.DataFrame,
        noun: str,
    ) -> None:
        self._p_best = p_best
        self._rank_acceptability = rank_acceptability
        self._central_weights = central_weights
        self._noun = noun

    def first_places(self, ax: Axes | None = None) -> Axes:
        """Draw how often each model is first."""
        return figures.shares(self._p_best, ax, label="share of weightings with the model first")

    def rank_acceptability(self, ax: Axes | None = None) -> Axes:
        """Draw how often each of the best models takes each of the best ranks."""
        best = self._rank_acceptability.iloc[:_TOP, :_TOP]
        best = best.set_axis([str(rank) for rank in best.columns], axis=1)
        return figures.heatmap(
            best, ax, label="share of weightings with this rank", limits=(0.0, 1.0)
        )

    def central_weights(self, ax: Axes | None = None) -> Axes:
        """Draw the weights under which models are first."""
        groups = self._central_weights.shape[1]
        if groups > _MOST_GROUPS:
            raise InputError(
                f"The weights of {count(groups, self._noun)} cannot be told apart in a figure: "
                f"weigh at most {_MOST_GROUPS} groups, or see `central_weights`."
            )
        return figures.heatmap(
            self._central_weights, ax, label="mean weight where the model is first", top=_TOP
        )
