"""The notes of an instance-level fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

#: With fewer models, items are known poorly: with 37, estimated and true log a correlate at 0.65.
FEW_MODELS = 100
#: A table with this many times as many models as items may be the wrong way round.
_TRANSPOSED = 20


def data_notes(table: pd.DataFrame) -> list[Note]:
    """Say what about the responses limits any fit."""
    notes = []
    m, n = table.shape
    if m >= _TRANSPOSED * n:
        message = (
            f"{count(m, 'model')} and {count(n, 'item')}: rows are taken for models, columns for "
            "items. If they are the other way round, pass responses.T."
        )
        notes.append(Note("transposed", message))
    if m < FEW_MODELS:
        message = (
            f"Discriminations and difficulties rest on {count(m, 'model')}: read them with their "
            "standard errors."
        )
        notes.append(Note("few-models", message))
    held = table.notna().to_numpy()
    n_missing = int((~held).sum())
    if n_missing:
        message = (
            f"{count(n_missing, 'response')} missing ({n_missing / held.size:.1%}): left out, "
            "not counted as wrong."
        )
        notes.append(Note("missing-responses", message))
        groups = _separate(held)
        if groups > 1:
            message = (
                f"The models fall into {groups} groups without an item in common: abilities of "
                "different groups are comparable only as far as the prior is right that all "
                "groups are alike."
            )
            notes.append(Note("unlinked-models", message))
    notes += _extreme(table.mean(axis="columns"), "perfect-models", "model", "Their abilities")
    return notes


def constant_items(table: pd.DataFrame) -> list[Note]:
    """Name the items that all models got right, or all wrong."""
    return _extreme(table.mean(), "constant-items", "item", "Their difficulties")


def _extreme(mean: pd.Series, code: str, kind: str, consequence: str) -> list[Note]:
    parts, labels = [], []
    for value, word in ((1.0, "right"), (0.0, "wrong")):
        names = list(mean.index[mean == value])
        if names:
            parts.append(f"{count(len(names), kind)} with only {word} answers ({name_some(names)})")
            labels += names
    if not parts:
        return []
    message = f"{' and '.join(parts)}. {consequence} rest on the prior, which keeps them finite."
    return [Note(code, message, tuple(labels))]


def _separate(held: np.ndarray) -> int:
    """Count the groups of models that no chain of shared items links."""
    rows, columns = np.nonzero(held)
    m, n = held.shape
    links = coo_array((np.ones(len(rows)), (rows, m + columns)), shape=(m + n, m + n))
    return int(connected_components(links, directed=False)[0])
