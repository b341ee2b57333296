"""`PlannedComparison`: whether a model is better than others that were named beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._text import printable, wrap
from robustrank.notes import count, name_some
from robustrank.presenting import Answer, level, p_value, to_text
from robustrank.winners.plots import PlannedComparisonPlots

if TYPE_CHECKING:
    import pandas as pd

_CLAIMS = {"greater": "better than", "less": "worse than", "two-sided": "different from"}


@dataclass(frozen=True, eq=False, repr=False)
class PlannedComparison(Answer):
    """One model against others that were named before the scores were seen.

    Attributes
    ----------
    model : str
    against : tuple of str
        Strongest first.
    table : DataFrame
        Index ``against``: ``difference``, the model's mean (or shift) minus the other's; ``low``
        and ``high``, which hold for all rows together, infinite on the side that is not asked for;
        ``p_value``; ``p_adjusted``, by Holm; ``significant``; ``above`` and ``below``, the datasets
        on which the model is; ``n_datasets`` that both ran; ``n_units``; ``detectable``, the
        difference that is found with a chance of ``power``, infinite where no data could do.
    settings : dict
        ``model``, ``alternative``, ``alpha``, ``by``, ``unit``, ``test``, ``power``,
        ``n_resamples``, ``seed``.
    notes : tuple of Note
    """

    model: str
    against: tuple[str, ...]
    table: pd.DataFrame
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def headline(self) -> str:
        """The verdict, its error rate, and what could have been found."""
        claim, table = _CLAIMS[self.settings["alternative"]], self.table
        found = [str(name) for name in table.index[table["significant"]]]
        test = f"{self.settings['test']} test"
        risk = f"at the level of {level(self.settings['alpha'])}"
        if len(table) == 1:
            row, other = table.iloc[0], self.against[0]
            if row["above"] == row["below"] == 0:
                datasets = count(int(row["n_datasets"]), "dataset")
                return f"{self.model} has the same scores as {other} on {datasets}."
            verb = "is" if found else "cannot be said to be"
            units = count(int(row["n_units"]), self.settings["unit"])
            shift = "a shift of " if self.settings["test"] == "signed-rank" else ""
            verdict = (
                f"{self.model} {verb} {claim} {other} on {self.settings['unit']}s like these: "
                f"{shift}{row['difference']:+.4f}{_bounds(row)}, p {_is(row['p_value'])} over "
                f"{units} ({test}, {risk})."
            )
        else:
            which = f": {name_some(found, 2)}" if 0 < len(found) < len(table) else ""
            verb = f"{self.model} is" if found else f"{self.model} cannot be said to be"
            number = f"{len(found)}" if found else "any"
            verdict = (
                f"{verb} {claim} {number} of {len(table)} models{which} ({test} with Holm's "
                f"adjustment, {risk} for all together)."
            )
        return f"{verdict}{self._power(table.loc[~table['significant']])}"

    @property
    def plot(self) -> PlannedComparisonPlots:
        """The figure: ``plot("differences")`` or ``plot.differences()``."""
        return PlannedComparisonPlots(self.model, self.table)

    def _power(self, missed: pd.DataFrame) -> str:
        differ = missed.loc[missed[["above", "below"]].any(axis=1), "detectable"]
        if not len(differ):
            return ""
        if np.isinf(differ).all():
            return f" No scores on so few {self.settings['unit']}s could have shown it."
        sizes = differ[np.isfinite(differ)]
        span = f"{sizes.min():.4f}"
        if round(sizes.max(), 4) > round(sizes.min(), 4):
            span += f" to {sizes.max():.4f}, by the other model,"
        chance = level(self.settings["power"])
        return f" A difference of {span} would have been found with a chance of {chance}."

    def summary(self) -> str:
        """Return the verdict and the table, for a terminal."""
        digits = {"difference": 4, "low": 4, "high": 4, "detectable": 4}
        table = self.table.replace([np.inf, -np.inf], np.nan)
        text = to_text(table, digits, signed=("difference", "low", "high"))
        return f"{wrap(printable(self.headline))}\n\n{text}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return ``comparisons``."""
        return {"comparisons": self.table}


def _bounds(row: pd.Series) -> str:
    low, high = np.isfinite(row["low"]), np.isfinite(row["high"])
    if low and high:
        return f" [{row['low']:+.4f}, {row['high']:+.4f}]"
    if low:
        return f", at least {row['low']:+.4f}"
    return f", at most {row['high']:+.4f}" if high else ""


def _is(value: float) -> str:
    text = p_value(value)
    return text if text.startswith("<") else f"= {text}"
