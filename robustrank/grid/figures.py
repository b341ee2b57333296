"""What figures show, as tidy tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.grid.study import Study

FigureKind = Literal["evidence"]


def figure_table(study: Study, kind: FigureKind, **which: Any) -> pd.DataFrame:
    """To be written."""
    raise NotImplementedError
