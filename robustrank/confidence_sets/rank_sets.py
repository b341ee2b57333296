"""`RankSets`: the ranks that each model may have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from robustrank import presenting
from robustrank._text import percent, wrap
from robustrank.confidence_sets.plots import RankSetsPlots
from robustrank.errors import ParameterError, check_count, unknown_label
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    import pandas as pd


#: Added to a level, which 1 - 0.95 misses by rounding.
MARGIN = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class RankSets(presenting.Answer):
    """For each model, the ranks that it may have, with confidence for all of them together.

    Attributes
    ----------
    table : DataFrame
        Index ``model``, best first: ``estimate`` (the mean score, or what was given), its ``rank``,
        and the set ``rank_low`` to ``rank_high`` of ranks; ``n_above`` and ``n_below`` models are
        surely better and surely worse.
    p_values : DataFrame
        Rows as in `table`, a column per model, best first: p-values of the differences, adjusted
        for all differences that the row's set rests on. NaN for a model and itself.
    settings : dict
        All parameters, and the number of independent units.
    notes : tuple of Note
    """

    table: pd.DataFrame
    p_values: pd.DataFrame
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def plot(self) -> RankSetsPlots:
        """The figure: ``plot.rank_sets()``."""
        return RankSetsPlots(self)

    @property
    def headline(self) -> str:
        """Who may be first, and how narrow the sets are."""
        level = presenting.level(self.settings["confidence_level"])
        together, models = self.settings["simultaneous"], list(map(str, self.table.index))
        m = self.p_values.shape[1]
        if len(models) == 1:
            scope = ""
        elif not together:
            scope = " for each rank on its own"
        else:
            scope = f" for {'all' if len(models) == m else 'these'} ranks together"
        if not self.table[["n_above", "n_below"]].to_numpy().any():
            if len(models) == m:
                return f"With {level} confidence{scope}, no two of {m} models can be told apart."
            return (
                f"With {level} confidence{scope}, {name_some(models)} cannot be told apart from "
                f"any other of {m} models."
            )
        first = self.table.iloc[0]
        said = (
            f"With {level} confidence{scope}, the rank of {models[0]} is "
            f"{_range(first['rank_low'], first['rank_high'])} of {m}."
        )
        if len(models) > 1:
            widths = self.table["rank_high"] - self.table["rank_low"] + 1
            half = int(widths.median())
            held = "a single rank" if half == 1 else f"{half} ranks or fewer"
            said += f" Half of the sets hold {held}."
        if together and self.settings["models"] is None:
            apart = self.table["n_above"].sum() / (m * (m - 1) / 2)
            said += f" {percent(apart)} of the pairs of models are told apart."
        return said

    def best(self, k: int = 1) -> tuple[str, ...]:
        """Return the models that may be among the k best, which hold these with confidence.

        Parameters
        ----------
        k : int

        Returns
        -------
        tuple of str
            Best first. For k = 1 `model_confidence_set` gives smaller sets.

        Raises
        ------
        ParameterError
            If the sets do not hold for all models together.
        """
        check_count("k", k, 1)
        if not self.settings["simultaneous"] or self.settings["models"] is not None:
            raise ParameterError(
                "The k best models need sets that hold for all models together: leave models out, "
                "and simultaneous at True."
            )
        found = self.table.index[self.table["rank_low"] <= k]
        return tuple(map(str, found))

    def above(self, model: str) -> tuple[str, ...]:
        """Return the models that are surely better than a model of `table`, best first."""
        return self._apart(model, better=True)

    def below(self, model: str) -> tuple[str, ...]:
        """Return the models that are surely worse than a model of `table`, best first."""
        return self._apart(model, better=False)

    def summary(self, top: int | None = 20) -> str:
        """Return the headline and the sets of the first models, for a terminal.

        Parameters
        ----------
        top : int or None
            How many models to show; None for all.
        """
        if top is not None:
            check_count("top", top, 1)
        shown = self.table.head(len(self.table) if top is None else top)
        numbers = presenting.to_text(_for_people(shown), {"estimate": 4})
        parts = [wrap(self.headline), numbers]
        left = len(self.table) - len(shown)
        if left:
            parts.append(f"{count(left, 'model')} more")
        parts.append(
            wrap(
                "ranks: the set of ranks that the model may have. above, below: models that are "
                "surely better, surely worse."
            )
        )
        return "\n\n".join(parts)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the sets, and the p-values of all differences."""
        return {"rank_sets": self.table, "p_values": self.p_values}

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the p-values of the pairs as JSON-safe values."""
        return {name: value for name, value in super().to_dict().items() if name != "p_values"}

    def _apart(self, model: str, *, better: bool) -> tuple[str, ...]:
        if model not in self.table.index:
            raise unknown_label("model", model, self.table.index)
        row = self.p_values.loc[model]
        place = list(row.index).index(model)
        side = row.iloc[:place] if better else row.iloc[place + 1 :]
        alpha = 1.0 - self.settings["confidence_level"]
        return tuple(map(str, side.index[side <= alpha + MARGIN]))


def _for_people(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with each set in one cell."""
    shown = table[["estimate"]].copy()
    shown["rank"] = [f"{rank:g}" for rank in table["rank"]]
    shown["ranks"] = [
        _range(low, high) for low, high in zip(table["rank_low"], table["rank_high"], strict=True)
    ]
    shown["above"], shown["below"] = table["n_above"], table["n_below"]
    return shown


def _range(low: float, high: float) -> str:
    return f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"
