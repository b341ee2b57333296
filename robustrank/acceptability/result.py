"""`Acceptability`: under which share of all weightings models take which ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank import presenting
from robustrank._text import printable, wrap
from robustrank.acceptability.plots import AcceptabilityPlots
from robustrank.acceptability.wording import answer, leanings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Of the 95% intervals around what draws estimate.
_Z = 1.959964
#: Draws from which on the weights that favour a model are described, and of how many models.
_ENOUGH, _FAVOURED = 50, 5
_DECIMALS = {"p_best": 3, "holistic": 3, "confidence_factor": 3}


@dataclass(frozen=True, eq=False, repr=False)
class Acceptability(presenting.Answer):
    """How models rank over all weightings of the datasets: SMAA-2.

    Attributes
    ----------
    table : DataFrame
        Index ``model``, best first: by ``p_best``, then ``holistic``. ``rank`` is under equal
        weights of the groups, or, if weights are restricted, under the mean of those drawn;
        ``p_best`` the share of the draws in which the model is first, tied models sharing it, and
        ``p_best_error`` half the width of its 95% Monte Carlo interval (3 / draws at 0 and 1);
        ``holistic`` the holistic acceptability, 0..1; ``expected_rank`` the mean rank,
        ``rank_low`` and ``rank_high`` the middle 95% of ranks; ``confidence_factor`` the
        chance of being first under its own central weights, NaN if never first; ``can_be_first``
        whether some allowed weighting of the scores observed puts it before all others, exactly,
        equal models counting as one (None unless the method is linear in the weights).
    rank_acceptability : DataFrame, model × rank
        Share of the draws, rows and columns sum to 1.
    pairwise : DataFrame, model × model
        Pairwise winning index: share of the draws with the row ahead of the column, ties half.
    central_weights : DataFrame, model × group
        Mean weights among the draws in which the model is first, for models that ever are.
    first_weights : DataFrame or None, model × group
        For every model that can be first, weights under which it is: its central weights where
        they do, else those with the largest lead. None unless the method is linear.
    mean_weights : Series
        Group → mean weight over all draws.
    noun : str
        What gets a weight: ``"dataset"``, ``"cluster"``, ``"task type"`` or ``"group"``.
    notes : tuple of Note
    settings : dict
    """

    table: pd.DataFrame
    rank_acceptability: pd.DataFrame
    pairwise: pd.DataFrame
    central_weights: pd.DataFrame
    first_weights: pd.DataFrame | None
    mean_weights: pd.Series
    noun: str
    settings: dict[str, Any]

    @property
    def p_best(self) -> pd.Series:
        """First-rank acceptability of each model."""
        return self.table["p_best"]

    @property
    def holistic(self) -> pd.Series:
        """Holistic acceptability: ranks count by rank-order-centroid weights, 0..1."""
        return self.table["holistic"]

    @property
    def confidence_factor(self) -> pd.Series:
        """Chance of each model of being first under its own central weights."""
        return self.table["confidence_factor"]

    @property
    def can_be_first(self) -> pd.Series:
        """Whether some allowed weights put each model first; None if unknown."""
        return self.table["can_be_first"]

    @property
    def error(self) -> float:
        """Half the width of the widest 95% interval of a share, as of Tervonen & Lahdelma."""
        return _Z * 0.5 / float(np.sqrt(self.settings["n_draws"]))

    @property
    def groups(self) -> list[str]:
        """Names of what gets a weight."""
        return [str(name) for name in self.mean_weights.index]

    @property
    def headline(self) -> str:
        """Who is first how often, and who can be."""
        return answer(self.table, self.noun, len(self.groups), self.settings)

    def summary(self, top: int = 10) -> str:
        """Return the answer, the best models, and what favours each, for a terminal.

        Parameters
        ----------
        top : int
            How many models to list.
        """
        shown = self.table.head(top)[self._listed]
        left = len(self.table) - len(shown)
        more = [f"… and {left} more"] if left else []
        parts = [
            wrap(printable(self.headline)),
            "\n".join([presenting.to_text(shown, _DECIMALS), *more]),
            f"Shares over {self.settings['n_draws']:,} draws, ± {self.error:.3f} at most.",
        ]
        often = self.p_best[self.p_best * self.settings["n_draws"] >= _ENOUGH].index
        central = self.central_weights.loc[self.central_weights.index.isin(often)]
        if len(central):
            head = f"Mean weight by {self.noun} in the draws with a model first:"
            lines = leanings(central.head(_FAVOURED), self.mean_weights)
            parts.append("\n".join([head, *(wrap(printable(line), 2) for line in lines)]))
        return "\n\n".join(parts)

    @property
    def _listed(self) -> list[str]:
        """Columns of the table for a terminal: those that say something here."""
        columns = ["rank", "p_best", "holistic", "rank_low", "rank_high"]
        if (self.confidence_factor.dropna() < 1.0).any():
            columns.append("confidence_factor")
        if self.first_weights is not None:
            columns.append("can_be_first")
        return columns

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables, that of the models first."""
        tables = {
            "acceptability": self.table,
            "rank_acceptability": self.rank_acceptability,
            "central_weights": self.central_weights,
            "pairwise_winning": self.pairwise,
        }
        if self.first_weights is not None:
            tables["first_weights"] = self.first_weights
        return tables

    @property
    def plot(self) -> AcceptabilityPlots:
        """Figures: ``plot("first_places")`` or ``plot.first_places()``."""
        return AcceptabilityPlots(
            self.p_best, self.rank_acceptability, self.central_weights, self.noun
        )


def describe(
    acceptability: FloatArray,
    *,
    n_draws: int,
    rank: FloatArray,
    confidence: FloatArray,
    possible: NDArray[np.bool_] | None,
    models: pd.Index,
) -> pd.DataFrame:
    """Describe each model by its acceptability, shape (m, m), in the order given."""
    m = len(acceptability)
    p_best = acceptability[:, 0]
    spread = _Z * np.sqrt(p_best * (1.0 - p_best) / n_draws)
    certain = (p_best == 0.0) | (p_best == 1.0)
    ranks = np.arange(1, m + 1)
    # A share is reached once rounding of the sums is allowed for.
    reached = acceptability.cumsum(axis=1) + 1e-12
    columns = {
        "rank": rank,
        "p_best": p_best,
        "p_best_error": np.where(certain, 3.0 / n_draws, spread).clip(max=1.0),
        "holistic": acceptability @ centroid_weights(m),
        "expected_rank": acceptability @ ranks,
        "rank_low": (reached < 0.025).sum(axis=1) + 1,
        "rank_high": (reached < 0.975).sum(axis=1) + 1,
        "confidence_factor": confidence,
    }
    table = pd.DataFrame(columns, index=pd.Index(models, name="model"))
    table["can_be_first"] = pd.Series(
        [None] * m if possible is None else possible.tolist(), index=table.index, dtype=object
    )
    return table


def best_first(table: pd.DataFrame) -> NDArray[np.intp]:
    """Return the places of the models: most often first, then holistic acceptability, then name."""
    keys = (-table[name].to_numpy().round(12) for name in ("holistic", "p_best"))
    return np.lexsort((table.index.to_numpy(dtype=str), *keys))


def centroid_weights(m: int) -> FloatArray:
    """Return rank-order-centroid weights of m ranks, scaled so that the first has 1."""
    weights = np.cumsum(1.0 / np.arange(m, 0, -1))[::-1]
    return np.asarray(weights / weights[0])
