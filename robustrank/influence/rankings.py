"""The ranking with every dataset, and those without each group."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from robustrank._numeric import average_ranks

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray


@dataclass(frozen=True, eq=False)
class Rankings:
    """A ranking of m models, best first, and the q that leaving out a group gives.

    Attributes
    ----------
    models : Index
    groups : tuple of str
    sizes : ndarray of int, shape (q,)
        Datasets in each group.
    aggregate : ndarray, shape (m,)
        With every dataset.
    without : ndarray, shape (m, q)
        That without each group; NaN where it is undefined.
    contributions : ndarray, shape (m, q), or None
        What each group gives: rows sum to `aggregate`. None if the aggregate is no such sum.
    """

    models: pd.Index
    groups: tuple[str, ...]
    sizes: NDArray[np.intp]
    aggregate: FloatArray
    without: FloatArray
    contributions: FloatArray | None

    @cached_property
    def ranks(self) -> FloatArray:
        """Ranks with every dataset, shape (m,)."""
        return average_ranks(self.aggregate)

    @cached_property
    def without_ranks(self) -> FloatArray:
        """Ranks without each group, shape (m, q); NaN for a model that takes none then."""
        return average_ranks(self.without)
