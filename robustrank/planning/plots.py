"""The figures of `DatasetsNeeded` and `NextDataset`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from robustrank import figures
from robustrank.errors import EmptyMatrixError, InputError
from robustrank.figures.accessor import Plots
from robustrank.presenting import level

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from robustrank.planning.gaps import NextDataset
    from robustrank.planning.needed import DatasetsNeeded

#: A power from which on more datasets change nothing.
_SURE = 0.995


class NeededPlots(Plots[Literal["by_kind", "power"]]):
    """The figures of one pair: ``found.plot("power")`` or ``found.plot.power()``.

    Parameters
    ----------
    found : DatasetsNeeded
    """

    def __init__(self, found: DatasetsNeeded) -> None:
        self._found = found

    def power(self, ax: Axes | None = None) -> Axes:
        """Draw the power by the number of datasets."""
        self._need_one_pair()
        settings, needed = self._found.settings, self._found.table["needed"].iloc[0]
        lines = self._found.curve.set_index("n_datasets").dropna(axis=1, how="all")
        if lines.empty:
            raise EmptyMatrixError(
                "There is nothing to draw: the power is not known, as it takes two datasets that "
                "both models ran."
            )
        sure = (lines >= _SURE).all(axis=1)
        lines = lines[~sure.shift(fill_value=False)]  # no more than one point of the plateau
        return figures.curves(
            lines.rename(columns={"power": "t distribution", "resampled": "resampling"}),
            ax,
            thresholds={f"power {settings['power']:g}": settings["power"]},
            marks={} if pd.isna(needed) else {f"{needed:,} needed": int(needed)},
            x_label=f"number of {settings['by']}",
            y_label="chance that the test rejects",
        )

    def by_kind(self, ax: Axes | None = None) -> Axes:
        """Draw the mean difference on each kind, with its t interval where it has spread."""
        self._need_one_pair()
        found = self._found
        if not len(found.kinds):
            raise EmptyMatrixError(
                "There is nothing to draw: the kinds of the datasets are not known. Pass kinds=, "
                "such as 'clusters' or a mapping of dataset to kind."
            )
        shown, confidence = found.kinds.droplevel([0, 1]), found.settings["confidence_level"]
        points, sd = (100.0 * shown[name].to_numpy(np.float64) for name in ("difference", "sd"))
        n = shown["n"].to_numpy(np.float64)
        reach = stdtrit(np.maximum(n - 1.0, 1.0), (1.0 + confidence) / 2.0) * sd / np.sqrt(n)
        return figures.intervals(
            pd.DataFrame(
                {"estimate": points, "low": points - reach, "high": points + reach}, shown.index
            ),
            ax,
            reference=0.0,
            label=f"difference in points, {level(confidence)} t interval",
            noun=found.kind,
        )

    def _need_one_pair(self) -> None:
        if len(self._found.table) > 1:
            raise InputError("This figure is of one pair: name it with pair=, or leave out top_k.")


class NextPlots(Plots[Literal["errors"]]):
    """The figure: ``found.plot.errors()``.

    Parameters
    ----------
    found : NextDataset
    """

    def __init__(self, found: NextDataset) -> None:
        self._found = found

    def errors(self, ax: Axes | None = None) -> Axes:
        """Draw the errors of the ability by the number of datasets run."""
        found = self._found
        if not len(found.table):
            raise EmptyMatrixError(f"There is nothing to draw: {found.model} has every score.")
        names = {"standard_error": "standard error", "distance": "distance from all datasets"}
        columns = list(names)
        lines = pd.concat([found.now[columns].to_frame().T, found.table[columns]])
        lines.index = pd.RangeIndex(found.n_run, found.n_run + len(lines))
        lines = lines.astype(np.float64).dropna(axis=1, how="all").rename(columns=names)
        return figures.curves(lines, ax, x_label="datasets run", y_label="error of the ability")
