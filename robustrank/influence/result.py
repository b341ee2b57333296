"""`Influence`: what leaving out each dataset does to a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustrank.influence.plots import InfluencePlots
from robustrank.influence.summary import headline, summary
from robustrank.presenting import Answer

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Influence(Answer):
    """A ranking without each dataset, cluster or task type in turn.

    Attributes
    ----------
    table : DataFrame
        One row per group left out, that which reorders most pairs of models first:

        - ``n_datasets``: how many the group holds.
        - ``distance``: share of the pairs of models in reverse order; a pair that is tied in one
          ranking alone counts half. ``tau``: Kendall's τ-b.
        - ``n_moved``: models whose rank changes. ``largest_move``: the rank without the group
          less the rank with it, negative for a rise, of the model in ``moves_most``.
        - ``leader``: who is first then, tied models joined by ``" = "``; ``leader_changes``.
        - ``margin``: of the leader (with every dataset) over the best other model then, below 0
          where it is overtaken; ``margin_change``.
        - ``margin_share``: of the lead over the runner-up, what the group contributes. They sum
          to 1; one above 1, or below 0, is made up for by others. NaN if the aggregate is no sum
          over datasets.
        - ``top_entering``, ``top_leaving``: models that enter and leave the best `top_k`.
    rank_changes : DataFrame, group × model
        The rank without the group less the rank with it; NaN for a model without a rank then.
    models : DataFrame
        One row per ranked model, best first: ``aggregate``, its ``jackknife_standard_error``,
        ``rank``, ``rank_low`` and ``rank_high`` (the best and the worst over all rankings), and
        ``n_moving`` (groups whose leaving out changes the rank).
    neighbours : DataFrame
        For each of the best `top_k`, by ``place``: ``model``, ``next_model``, their ``margin``;
        ``n_holding`` and ``held_apart_by`` (groups each of which alone holds them apart: without
        it they tie or change places); ``least_margin`` (over all groups) and ``least_without``,
        the group that is then left out (None if none makes the margin smaller).
    groups : Series
        Dataset → group.
    leaders : tuple of str
        The first model; several where they tie.
    runner_up : str
        The second model.
    margin : float
        The lead over the runner-up, in the unit of the aggregate.
    margin_standard_error : float
        Its jackknife standard error, with groups as sampling units.
    noun : str
        ``"dataset"``, ``"cluster"``, ``"task type"`` or ``"group"``.
    settings : dict
        `aggregate`, `by` and `top_k`.
    notes : tuple of Note
    """

    table: pd.DataFrame
    rank_changes: pd.DataFrame
    models: pd.DataFrame
    neighbours: pd.DataFrame
    groups: pd.Series
    leaders: tuple[str, ...]
    runner_up: str
    margin: float
    margin_standard_error: float
    noun: str
    settings: dict[str, Any]

    @property
    def headline(self) -> str:
        """Whether the leader stays first, and which group matters most."""
        return headline(self)

    @property
    def plot(self) -> InfluencePlots:
        """Figures: ``plot.margins()``, ``plot.ranks()`` and ``plot.rank_changes()``."""
        return InfluencePlots(self)

    def summary(self) -> str:
        """Return the headline, the most influential groups, and the top of the ranking."""
        return summary(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the groups, the models, the neighbours, rank changes and who is in which group."""
        return {
            "influence": self.table,
            "models": self.models,
            "neighbours": self.neighbours,
            "rank_changes": self.rank_changes,
            "groups": self.groups.to_frame(),
        }
