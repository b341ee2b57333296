"""What one study says otherwise than another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.grid.study import Study


def compare_studies(base: Study, other: Study) -> pd.DataFrame:
    """To be written."""
    raise NotImplementedError
