"""The part of a board that a task-level fit rests on, and what had to be set aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from robustrank._numeric import TIE_DECIMALS, content_order, varies
from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: A dataset needs this many scores to be used, a fit this many models and datasets. Two points
#: lie on every curve.
LEAST = 3


@dataclass(frozen=True, eq=False)
class Panel:
    """Scores to fit, arranged by content (see `content_order`).

    Attributes
    ----------
    values : ndarray, shape (m, n)
        Scores on 0..1, NaN where missing; every dataset has three scores and varies, every model
        has one.
    models, datasets : list of str
    low, high : ndarray, shape (n,)
        The scores that became 0 and 1.
    constant, sparse : tuple of str
        Datasets set aside: all their models tie, or fewer than three ran them.
    unscored : tuple of str
        Models without a score on any dataset used.
    """

    values: FloatArray
    models: list[str]
    datasets: list[str]
    low: FloatArray
    high: FloatArray
    constant: tuple[str, ...]
    sparse: tuple[str, ...]
    unscored: tuple[str, ...]

    @property
    def too_small(self) -> str:
        """Say why nothing can be fitted; empty where something can."""
        m, n = self.values.shape
        if min(m, n) >= LEAST:
            return ""
        return (
            f"The two-parameter logistic model needs {LEAST} datasets that tell models apart, and "
            f"{LEAST} models with scores on them. Of those given, {count(n, 'dataset')} and "
            f"{count(m, 'model')} qualify: abilities, discriminations and difficulties are "
            "undefined."
        )

    def to_unit(self, values: FloatArray) -> FloatArray:
        """Bring scores on the datasets used, shape (k, n), to 0..1 as those fitted."""
        return (values - self.low) / (self.high - self.low)

    def given(self) -> FloatArray:
        """Return the scores as they were given, shape (m, n)."""
        return self.low + self.values * (self.high - self.low)

    def blocks(self) -> NDArray[np.int32]:
        """Return the block of each model; no dataset was run by models of two blocks."""
        m, n = self.values.shape
        row, column = np.nonzero(~np.isnan(self.values))
        links = coo_array((np.ones(len(row)), (row, m + column)), shape=(m + n, m + n))
        blocks: NDArray[np.int32] = connected_components(links, directed=False)[1][:m]
        return blocks

    def originals(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return for each model, and each dataset, the first that has the very same scores."""
        values = np.nan_to_num(self.values.round(TIE_DECIMALS), nan=-1.0)
        return _first_equal(values), _first_equal(values.T)


def select_panel(table: pd.DataFrame) -> Panel:
    """Set aside what cannot be fitted, arrange the rest by content and bring it to 0..1."""
    held = table.notna().to_numpy()
    sparse: NDArray[np.bool_] = held.sum(axis=0) < LEAST
    constant: NDArray[np.bool_] = ~sparse & ~varies(table.to_numpy())
    used = ~sparse & ~constant
    scored = held[:, used].any(axis=1)
    part = table.iloc[np.flatnonzero(scored), np.flatnonzero(used)]
    rows, columns = content_order(part)
    part = part.iloc[rows, columns]
    values = part.to_numpy()
    low = np.where((values < 0.0).any(axis=0), -1.0, 0.0)
    high = np.fmax.reduce(values, axis=0, initial=1.0)

    def named(labels: pd.Index, where: NDArray[np.intp]) -> tuple[str, ...]:
        return tuple(str(label) for label in labels[where])

    return Panel(
        values=(values - low) / (high - low),
        models=list(part.index),
        datasets=list(part.columns),
        low=low,
        high=high,
        constant=named(table.columns, np.flatnonzero(constant)),
        sparse=named(table.columns, np.flatnonzero(sparse)),
        unscored=named(table.index, np.flatnonzero(~scored)),
    )


def _first_equal(rows: FloatArray) -> NDArray[np.intp]:
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[which.reshape(-1)], dtype=np.intp)
