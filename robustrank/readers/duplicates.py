"""Scores that occur more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from robustrank._columns import column_key
from robustrank.errors import DuplicateError
from robustrank.notes import Note, count
from robustrank.readers.revisions import version_order

if TYPE_CHECKING:
    import pandas as pd

OnDuplicate = Literal["error", "latest", "mean"]

_ROW_COUNTERS = ("id", "idx")


def without_duplicates(
    rows: pd.DataFrame, policy: OnDuplicate, source: str, instances: pd.Series | None = None
) -> tuple[pd.DataFrame, list[Note]]:
    """Leave one row per (model, dataset, split, subset).

    `instances` is the column of the whole table that may name instances: what differs in it is no
    copy, and none of it is the latest.
    """
    key = ["model", "dataset", "split", "subset"]
    scored = rows[rows["score"].notna()]
    repeated = scored.duplicated(key, keep=False)
    if not repeated.any():
        return rows, []
    cells = scored[repeated]
    first = cells.iloc[0]
    same = cells[(cells[key].astype("object").fillna("") == first[key].fillna("")).all(axis=1)]
    pairs = cells[["model", "dataset"]].drop_duplicates()
    model, dataset = str(first["model"]), str(first["dataset"])
    what = f"{count(len(pairs), '(model, dataset) pair')} of {source}"
    column = None if instances is None else _instance_column(instances, cells, key)
    how = "more than once" if column is None else f"per instance (column {column!r})"
    if column is not None and policy != "mean":
        refused = "'latest' would score a model on one instance. " if policy == "latest" else ""
        raise DuplicateError(
            f"{what}, given {how}: first {model!r} on {dataset!r} in rows "
            f"{', '.join(str(row + 1) for row in same.index[:5])}. {refused}"
            "Average the scores per instance with on_duplicate='mean' (--on-duplicate mean); for "
            "the uncertainty within datasets, also pass them as instances: "
            "robustrank.read_instances(…) (--instances).",
            [model, dataset],
        )
    if policy == "error":
        raise DuplicateError(
            f"{what}, given more than once: first {model!r} on {dataset!r} in rows "
            f"{', '.join(str(row + 1) for row in same.index[:5])} (scores "
            f"{', '.join(f'{score:g}' for score in same['score'][:5])}). Drop the copies, add a "
            "revision column, or choose on_duplicate='latest' or 'mean' (--on-duplicate latest).",
            [model, dataset],
        )
    labels = tuple(dict.fromkeys(pairs["model"].astype("object")))
    if policy == "mean":
        groups = scored.groupby(key, observed=True, sort=False, dropna=False)["score"]
        note = Note("duplicates", f"{what}, given {how}: averaged.", labels)
        return scored.assign(score=groups.transform("mean")).drop_duplicates(key), [note]
    order = np.zeros(len(rows["version"].cat.categories) + 1, dtype=np.int64)
    order[:-1] = version_order(rows["version"].cat.categories)
    newest_last = scored.iloc[np.argsort(order[scored["version"].cat.codes], kind="stable")]
    message = (
        f"{what}, given more than once: the latest was taken, the newest mteb version or else the "
        "last row."
    )
    return newest_last.drop_duplicates(key, keep="last"), [Note("duplicates", message, labels)]


def _instance_column(instances: pd.Series, cells: pd.DataFrame, key: list[str]) -> str | None:
    """Return the column's name if rows with the same key are of several instances.

    An ``id`` that is another one in every row counts rows, as databases do.
    """
    labels = cells[key].assign(instance=instances.iloc[cells.index].map(str).to_numpy())
    counts_rows = labels["instance"].is_unique and column_key(instances.name) in _ROW_COUNTERS
    several = len(labels.drop_duplicates()) > len(labels.drop_duplicates(key))
    return str(instances.name) if several and not counts_rows else None
