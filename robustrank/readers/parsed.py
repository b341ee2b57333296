"""What every reader returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.notes import Note


@dataclass(frozen=True, slots=True)
class Parsed:
    """Scores with the metadata and remarks that their source gives.

    Attributes
    ----------
    scores : DataFrame
        Model × dataset, NaN where missing.
    datasets, models : DataFrame or None
        Metadata, indexed by name.
    notes : list of Note
    rows : DataFrame or None
        What was averaged, if the source is a long table: one row per model, dataset, split and
        subset.
    """

    scores: pd.DataFrame
    datasets: pd.DataFrame | None = None
    models: pd.DataFrame | None = None
    notes: list[Note] = field(default_factory=list)
    rows: pd.DataFrame | None = None
