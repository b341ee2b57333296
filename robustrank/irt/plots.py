"""`IRTPlots`: the figures of a fit, of datasets or of instances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank.errors import EmptyMatrixError
from robustrank.figures.accessor import Plots
from robustrank.notes import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray

#: Abilities drawn at least, and how far beyond those of the models: they have a deviation near 1.
_RANGE: Final = 3.0
_BEYOND: Final = 0.5
_POINTS: Final = 401


class IRTPlots(Plots[Literal["information", "items"]]):
    """Figures of a fit: ``fit.plot("items")`` or ``fit.plot.items()``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size.

    Parameters
    ----------
    table : DataFrame
        ``discrimination`` and ``difficulty`` per item.
    ability : Series
        θ per model.
    information : callable or None
        From abilities, shape (k,), to what all items together say about each, shape (k,). None
        where there is no fit.
    information_label : str
        What that is.
    discrimination_interval, difficulty_interval : DataFrame
        ``low`` and ``high`` per item.
    groups : Series, optional
        Group of each item, such as its task type.
    noun : str
        What an item is.
    """

    def __init__(
        self,
        table: pd.DataFrame,
        ability: pd.Series,
        *,
        information: Callable[[FloatArray], FloatArray] | None,
        information_label: str,
        discrimination_interval: pd.DataFrame,
        difficulty_interval: pd.DataFrame,
        groups: pd.Series | None = None,
        noun: str,
    ) -> None:
        self._table = table
        self._ability = ability
        self._information = information
        self._information_label = information_label
        self._discrimination_interval = discrimination_interval
        self._difficulty_interval = difficulty_interval
        self._groups = groups
        self._noun = noun

    def items(self, ax: Axes | None = None) -> Axes:
        """Draw discrimination over difficulty, with intervals at the fit's level.

        With standard errors, those of instances, they are 1.96 of them to either side.
        """
        return figures.items(
            self._table,
            ax,
            discrimination_interval=self._discrimination_interval,
            difficulty_interval=self._difficulty_interval,
            groups=self._groups,
            noun=self._noun,
        )

    def information(self, ax: Axes | None = None) -> Axes:
        """Draw at which abilities the items tell models apart, and where the models are.

        Of right and wrong answers that is Σ a² p (1 - p), as of `fisher_information`. Scores of
        datasets are continuous and were fitted by least squares: theirs is Σ (dp/dθ)² / σ², whose
        inverse root is the standard error of `TaskIRT.score_new` but for its ridge.
        """
        if self._information is None:
            raise EmptyMatrixError(
                f"There is nothing to draw: no {self._noun} has a discrimination."
            )
        known = int(self._table[["discrimination", "difficulty"]].notna().all(axis="columns").sum())
        without = len(self._table) - known
        models = self._ability.dropna()
        theta = np.linspace(
            min(-_RANGE, models.min() - _BEYOND), max(_RANGE, models.max() + _BEYOND), _POINTS
        )
        table = pd.DataFrame({"ability": theta, "information": self._information(theta)})
        return figures.information(
            table,
            ax,
            abilities=models,
            label=f"{self._information_label} of {count(known, self._noun)}",
            remark=f"{count(without, self._noun)} without parameters left out" if without else "",
        )
