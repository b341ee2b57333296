"""`ShortSuitePlots`: the figure of a short suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pandas as pd

from robustrank import figures
from robustrank.errors import EmptyMatrixError
from robustrank.figures.accessor import Plots
from robustrank.notes import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from robustrank.short_suites.suite import ShortSuite

_LINES = {"held_out": "held-out models", "tau": "all models", "random": "random suites"}


class ShortSuitePlots(Plots[Literal["curve"]]):
    """The figure: ``found.plot("curve")`` or ``found.plot.curve()``.

    Parameters
    ----------
    found : ShortSuite
    """

    def __init__(self, found: ShortSuite) -> None:
        self._found = found

    def curve(self, ax: Axes | None = None) -> Axes:
        """Draw agreement with the full ranking over the size of the suite."""
        found = self._found
        lines = found.curve[list(_LINES)].dropna(axis=1, how="all").rename(columns=_LINES)
        if lines.empty:
            raise EmptyMatrixError(
                "There is nothing to draw: all models tie on the full suite, so no suite has a τ."
            )
        held_out, error = found.curve["held_out"], found.curve["held_out_error"]
        bands = {
            "held-out models": pd.DataFrame({"low": held_out - error, "high": held_out + error}),
            "random suites": found.curve[["random_low", "random_high"]].set_axis(
                ["low", "high"], axis=1
            ),
        }
        tau = found.settings["tau"]
        return figures.curves(
            lines,
            ax,
            bands={name: band for name, band in bands.items() if name in lines},
            thresholds={f"τ = {tau:g}": tau},
            marks={} if found.size is None else {count(found.size, "dataset"): found.size},
            x_label="datasets in the suite",
            y_label="Kendall's τ with the full ranking",
            remark="Shaded: a standard error of held-out models; 5% to 95% of random suites"
            + ("." if found.settings["cost"] is None else ", which cost no more."),
        )
