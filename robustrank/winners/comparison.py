"""`PlannedComparison`: whether a model is better than others that were named beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank import figures
from robustrank._text import printable, wrap
from robustrank.notes import Note, count, name_some
from robustrank.presenting import Answer, level, p_value, to_text

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from matplotlib.axes import Axes

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
    notes: tuple[Note, ...] = ()

    @property
    def headline(self) -> str:
        """The verdict, its error rate, and what could have been found."""
        claim, table = _CLAIMS[self.settings["alternative"]], self.table
        risk = level(self.settings["alpha"])
        found = [str(name) for name in table.index[table["significant"]]]
        if len(table) == 1:
            row, other = table.iloc[0], self.against[0]
            verb = "is" if found else "cannot be said to be"
            units = count(int(row["n_units"]), self.settings["unit"])
            verdict = (
                f"{self.model} {verb} {claim} {other} on {self.settings['unit']}s like these: "
                f"{row['difference']:+.4f}{_bounds(row)}, p {_is(row['p_value'])} over {units} "
                f"({self.settings['test']} test; a false claim has a chance of at most {risk})."
            )
        else:
            which = f": {name_some(found)}" if 0 < len(found) < len(table) else ""
            verb = f"{self.model} is" if found else f"{self.model} cannot be said to be"
            number = f"{len(found)}" if found else "any"
            verdict = (
                f"{verb} {claim} {number} of {len(table)} models{which} ({self.settings['test']} "
                f"test with Holm's adjustment; any false claim has a chance of at most {risk})."
            )
        missed = table.loc[~table["significant"], "detectable"]
        return f"{verdict}{self._power(missed)}" if len(missed) else verdict

    def _power(self, missed: pd.Series) -> str:
        if np.isinf(missed).all():
            return f" No scores on so few {self.settings['unit']}s could have shown it."
        sizes = missed[np.isfinite(missed)]
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

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return ``differences``."""
        return {"differences": self.plot}

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the differences and their intervals; a side that is not asked for ends in the dot.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        Axes
        """
        middle = self.table["difference"]
        ends = self.table[["low", "high"]]
        bounded = ends.replace([np.inf, -np.inf], np.nan)
        shown = bounded.apply(lambda end: end.fillna(middle)).assign(estimate=middle)
        return figures.intervals(
            shown, ax, reference=0.0, label=f"difference of {self.model} from", top=None
        )


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
