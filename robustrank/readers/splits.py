"""Which splits of a dataset count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def evaluated_splits(
    rows: pd.DataFrame, tasks: pd.DataFrame | None
) -> tuple[NDArray[np.bool_], list[Note]]:
    """Mark the rows of splits that the task metadata evaluate, or say nothing about."""
    known = _known_splits(tasks)
    split = rows["split"].cat.codes.to_numpy(np.int64) + 1
    pair = rows["dataset"].cat.codes.to_numpy(np.int64) * (split.max(initial=0) + 1) + split
    pairs, first = np.unique(pair, return_index=True)
    distinct = rows[["dataset", "split"]].iloc[first].astype("object")
    unused = np.array(
        [
            dataset in known and split not in known[dataset]
            for dataset, split in zip(distinct["dataset"], distinct["split"], strict=True)
        ],
        dtype=bool,
    )
    if not unused.any():
        return np.ones(len(rows), dtype=bool), []
    labels = tuple(sorted(set(distinct["dataset"][unused])))
    message = (
        "Splits that the task metadata do not evaluate were left out of "
        f"{count(len(labels), 'dataset')}: {name_some(labels)}."
    )
    return ~np.isin(pair, pairs[unused]), [Note("left-out-splits", message, labels)]


def mixed_splits(rows: pd.DataFrame, tasks: pd.DataFrame | None) -> list[Note]:
    """Note the datasets whose models have scores on different splits."""
    pairs = rows[["model", "dataset", "split"]].drop_duplicates()
    per_model = pairs.groupby(["model", "dataset"], observed=True).size()
    fewest = per_model.groupby("dataset", observed=True).min()
    mixed = fewest < pairs.groupby("dataset", observed=True)["split"].nunique()
    known = _known_splits(tasks)
    labels = tuple(str(dataset) for dataset in mixed.index[mixed] if dataset not in known)
    if not labels:
        return []
    message = (
        f"Models were evaluated on different splits of {name_some(labels)}: their means are "
        "not comparable. Pass task metadata with eval_splits as tasks= (--task-metadata) to "
        "use the same ones."
    )
    return [Note("mixed-splits", message, labels)]


def _known_splits(tasks: pd.DataFrame | None) -> dict[str, tuple[str, ...]]:
    if tasks is None or "eval_splits" not in tasks.columns:
        return {}
    evaluated = tasks["eval_splits"].dropna()
    return dict(zip(evaluated.index, evaluated, strict=True))
