"""`Winner`: how good the model that leads is, its having been chosen taken into account."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank import figures
from robustrank._text import printable, wrap
from robustrank.notes import Note, count
from robustrank.presenting import Answer, level, to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    import pandas as pd
    from matplotlib.axes import Axes

_LABELS = {
    "mean": "mean",
    "over_average": "lead over the average model",
    "over_runner_up": "lead over the runner-up",
}


@dataclass(frozen=True, eq=False, repr=False)
class Winner(Answer):
    """The leader's mean and leads, corrected for its having been chosen by the same scores.

    Attributes
    ----------
    leader, runner_up : str
        The models with the largest and the second largest mean.
    table : DataFrame
        Index ``quantity``: ``mean``, the leader's; ``over_average``, its lead over the mean of all
        models; ``over_runner_up``. Columns: ``measured``; ``corrected``, ``low`` and ``high``, in
        the unit of the scores; ``method``, what gave these three: not the one asked for where that
        broke down (a note says so).
    by_method : DataFrame
        Index ``quantity``, ``method``; ``estimate``, ``low`` and ``high``. ``naive`` takes the
        leader as if it had been named before any score was seen. Infinite where a conditional
        interval has no end.
    settings : dict
        ``method``, ``confidence_level``, ``by``, ``unit``, ``n_models``, ``n_datasets``,
        ``n_units``, ``n_resamples``, ``seed``.
    notes : tuple of Note
    """

    leader: str
    runner_up: str
    table: pd.DataFrame
    by_method: pd.DataFrame
    settings: dict[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @property
    def headline(self) -> str:
        """What the leader's scores are worth, in two or three sentences."""
        mean, _, lead = self.table.to_dict("records")
        datasets = count(self.settings["n_datasets"], "dataset")
        first = f"{self.leader} leads with a mean of {mean['measured']:.4f} over {datasets}."
        if np.isnan(mean["corrected"]):
            return f"{first} One {self.settings['unit']} cannot say how much of this is chance."
        share = level(self.settings["confidence_level"])
        if lead["low"] > 0.0:
            verdict = "it leads on other datasets of this kind too"
        elif lead["low"] == lead["high"]:
            verdict = "the two score the same"
        else:
            verdict = "which of the two is better on other datasets of this kind is open"
        return (
            f"{first} Corrected for having been picked as the best of "
            f"{self.settings['n_models']:,} models it is {_interval(mean, '.4f')}. Its lead over "
            f"{self.runner_up}, measured {lead['measured']:.4f}, is {_interval(lead, '+.4f')} "
            f"({share} intervals): {verdict}."
        )

    def summary(self) -> str:
        """Return the headline, the corrected numbers, and all methods, for a terminal."""
        methods = self.by_method.rename(index=_LABELS, level="quantity")
        units = count(self.settings["n_units"], self.settings["unit"])
        share = level(self.settings["confidence_level"])
        asked = f"Corrected ({self.settings['method']}, {share} intervals, {units}):"
        return "\n".join(
            [
                wrap(printable(self.headline)),
                "",
                asked,
                to_text(self.table.rename(index=_LABELS), 4),
                "",
                "By every method:",
                to_text(methods, 4),
            ]
        )

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return ``winner`` and ``methods``."""
        return {"winner": self.table, "methods": self.by_method}

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return ``mean``, ``over_average`` and ``over_runner_up``, by method."""
        return {name: lambda name=name: self.plot(name) for name in _LABELS}  # type: ignore[misc]

    def plot(self, quantity: str = "over_runner_up", ax: Axes | None = None) -> Axes:
        """Draw the intervals of all methods for one quantity.

        Parameters
        ----------
        quantity : {"mean", "over_average", "over_runner_up"}
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        Axes
            An interval without an end is drawn as a dot alone.
        """
        rows = self.by_method.loc[quantity]
        finite = rows.replace([np.inf, -np.inf], np.nan)
        shown = finite.dropna().reindex(rows.index).assign(estimate=finite["estimate"])
        reference = None if quantity == "mean" else 0.0
        return figures.intervals(
            shown, ax, reference=reference, label=_LABELS[quantity], noun="method"
        )


def _interval(row: dict[Hashable, Any], form: str) -> str:
    return f"{row['corrected']:{form}} [{row['low']:{form}}, {row['high']:{form}}]"
