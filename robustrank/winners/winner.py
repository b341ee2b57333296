"""`Winner`: how good the model that leads is, its having been chosen taken into account."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._numeric import TIE_DECIMALS
from robustrank._text import printable, wrap
from robustrank.notes import count
from robustrank.presenting import Answer, level, to_text
from robustrank.winners.plots import LABELS, WinnerPlots

if TYPE_CHECKING:
    import pandas as pd


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
        broke down (a note says so), None where nothing could.
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

    @property
    def headline(self) -> str:
        """What the leader's scores are worth, in two or three sentences."""
        mean, _, lead = self.table.to_dict("records")
        datasets = count(self.settings["n_datasets"], "dataset")
        tied = round(lead["measured"], TIE_DECIMALS) == 0.0
        leads = f" and {self.runner_up} lead with the same mean" if tied else " leads with a mean"
        first = f"{self.leader}{leads} of {mean['measured']:.4f} over {datasets}"
        if np.isnan(mean["corrected"]):
            unit = self.settings["unit"]
            among = "" if unit == "dataset" else f" in {count(self.settings['n_units'], unit)}"
            return f"{first}{among}, too few to say how much of this is chance."
        share = level(self.settings["confidence_level"])
        ends = f"{lead['low']:+.4f} to {lead['high']:+.4f} ({share} intervals)"
        if lead["low"] == lead["high"]:
            verdict = f"Their difference is the same on every {self.settings['unit']}."
        elif tied:
            verdict = f"Their difference may be {ends}."
        else:
            judged = "is more than chance" if lead["low"] > 0.0 else "may be chance"
            verdict = (
                f"The lead over {self.runner_up}, measured {lead['measured']:.4f}, "
                f"{judged}: {ends}."
            )
        return (
            f"{first}, which is {mean['corrected']:.4f} [{mean['low']:.4f}, {mean['high']:.4f}] "
            f"corrected for a choice among {self.settings['n_models']:,} models. {verdict}"
        )

    @property
    def plot(self) -> WinnerPlots:
        """Figures: ``plot("over_runner_up")`` or ``plot.over_runner_up()``."""
        return WinnerPlots(self.by_method)

    def summary(self) -> str:
        """Return the headline, the corrected numbers, and all methods, for a terminal."""
        methods = self.by_method.rename(index=LABELS, level="quantity")
        units = count(self.settings["n_units"], self.settings["unit"])
        share = level(self.settings["confidence_level"])
        asked = f"Corrected ({self.settings['method']}, {share} intervals, {units}):"
        return "\n".join(
            [
                wrap(printable(self.headline)),
                "",
                asked,
                to_text(self.table.rename(index=LABELS), 4),
                "",
                "By every method:",
                to_text(methods, 4),
            ]
        )

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return ``winner`` and ``methods``."""
        return {"winner": self.table, "methods": self.by_method}
