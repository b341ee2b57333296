"""How far ranks vary over schemes and compositions, for an analysis and for a cell of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank import figures
from robustrank.errors import EmptyMatrixError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def draw_scheme_variance(table: pd.DataFrame, ax: Axes | None, top: int | None) -> Axes:
    """Draw ST, model × composition."""
    return figures.heatmap(table, ax, label="ST: variance of the rank over schemes", top=top)


def draw_composition_variance(
    table: pd.DataFrame, ax: Axes | None, top: int | None, *, where: str
) -> Axes:
    """Draw SN, model × scheme; `where` begins the sentence that says that there is none."""
    if table.isna().all(axis=None):
        raise EmptyMatrixError(
            f"{where} has a single composition of datasets, over which no rank varies: draw "
            "scheme_variance instead.",
            [where],
        )
    return figures.heatmap(table, ax, label="SN: variance of the rank over compositions", top=top)
