"""The figure of `SmallestChange`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank.figures.accessor import Plots
from robustrank.flips.wording import LINES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from robustrank.flips.result import SmallestChange


class SmallestChangePlots(Plots[Literal["reach"]]):
    """The figure: ``change.plot.reach()``.

    Parameters
    ----------
    change : SmallestChange
    """

    def __init__(self, change: SmallestChange) -> None:
        self._change = change

    def reach(self, ax: Axes | None = None) -> Axes:
        """Draw how many rivals can pass the model after the loss of a share of the datasets.

        A line ends where larger changes were not tried for each rival.
        """
        found = self._change
        kinds = list(found.table.index)
        units = found.table["units"].fillna(1.0)
        ends = (found.table["margins_to"] / units).fillna(1.0)
        sizes = found.margins[kinds] / units[kinds]
        shares = np.unique(np.r_[0.0, ends, sizes.to_numpy()[sizes.notna().to_numpy()]])
        # Every share twice, before and at the step.
        within = np.repeat(shares, 2)[1:, None]
        before = np.r_[False, np.arange(1, len(within)) % 2 == 1][:, None]
        lines = {}
        for kind in kinds:
            size = sizes[kind].to_numpy()
            reached = np.where(before, size < within, size <= within).sum(axis=1)
            lines[LINES[kind]] = np.where(within[:, 0] <= ends[kind], reached, np.nan)
        remark = f"Model to be passed: {found.over}"
        if found.table["margins_to"].notna().any():
            remark += "; a line ends where larger changes were not tried"
        return figures.curves(
            pd.DataFrame(lines, index=100.0 * within[:, 0], dtype=float),
            ax,
            x_label="% dropped, or of the weight moved",
            y_label="models that can pass",
            remark=remark,
        )
