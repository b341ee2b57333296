"""How many datasets it would take, of which kind, and which to run next."""

from robustrank.planning.gaps import NextDataset, next_dataset
from robustrank.planning.needed import DatasetsNeeded, datasets_needed

__all__ = ["DatasetsNeeded", "NextDataset", "datasets_needed", "next_dataset"]
