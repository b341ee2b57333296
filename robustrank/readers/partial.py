"""Scores that average only a part of their dataset's splits and subsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

Partial = Literal["keep", "drop"]


def expected_counts(
    rows: pd.DataFrame, seen: pd.DataFrame, tasks: pd.DataFrame | None
) -> pd.DataFrame:
    """Return, per dataset, how many splits × subsets it has (``expected``) and their ``unit``.

    Taken from the task metadata (``n_subsets``, ``eval_splits``) where they know the dataset, else
    the largest number that any model has.
    """
    found = rows.groupby("dataset", observed=False)[["split", "subset"]].nunique()
    found = found.set_axis(pd.Index(list(found.index), dtype="object")).reindex(seen.columns)
    n_splits, n_subsets = (found[role].clip(lower=1).astype("float64") for role in found)
    largest = seen.max().astype("float64")
    expected = largest
    if tasks is not None:
        known = tasks.reindex(seen.columns)
        if (found["subset"] > 0).any() and "n_subsets" in known.columns:
            n_subsets = pd.to_numeric(known["n_subsets"], errors="coerce")
        if (found["split"] > 0).any() and "eval_splits" in known.columns:
            n_splits = known["eval_splits"].map(len, na_action="ignore").astype("float64")
        product = n_subsets * n_splits
        expected = product.where(product.notna(), largest)
    unit = np.select(
        [n_splits.le(1).to_numpy(), n_subsets.le(1).to_numpy()],
        ["subsets", "splits"],
        "splits × subsets",
    )
    return pd.DataFrame({"expected": expected, "unit": unit})


def find_partial(seen: pd.DataFrame, expected: pd.DataFrame) -> pd.DataFrame:
    """Return one row per partial score, the emptiest first.

    Columns: ``model``, ``dataset``, ``share`` and ``extent`` (``"3 of 376 subsets"``).
    """
    rows, columns = np.nonzero(((seen > 0) & (seen < expected["expected"])).to_numpy())
    part, whole = seen.to_numpy()[rows, columns], expected["expected"].to_numpy()[columns]
    units = expected["unit"].to_numpy()[columns]
    found = pd.DataFrame(
        {
            "model": seen.index[rows],
            "dataset": seen.columns[columns],
            "share": part / whole,
            "extent": [
                f"{int(a):,} of {int(b):,} {unit}"
                for a, b, unit in zip(part, whole, units, strict=True)
            ],
        }
    )
    return found.sort_values(["share", "dataset", "model"], ignore_index=True, kind="stable")


def partial_notes(found: pd.DataFrame, scores: pd.DataFrame, policy: Partial) -> list[Note]:
    """Name the worst cases, those of each dataset together, and the datasets that they lead.

    `scores` are those before the policy was applied.
    """
    worst = []
    for dataset, group in found.groupby("dataset", sort=False):
        emptiest = group[group["extent"] == group["extent"].iloc[0]]
        worst.append(f"{dataset} {emptiest['extent'].iloc[0]} ({name_some(emptiest['model'], 3)})")
    fate = (
        "set to missing, as partial='drop' (--partial drop) asks"
        if policy == "drop"
        else "kept; partial='drop' (--partial drop) sets them to missing"
    )
    message = (
        f"As read, {count(len(found), 'score')} of {count(found['model'].nunique(), 'model')} on "
        f"{count(len(worst), 'dataset')} average only a part of the dataset ({fate}). The emptiest "
        f"of each dataset: {name_some(worst, 10)}."
    )
    notes = [Note("partial-scores", message, tuple(dict.fromkeys(found["model"])))]
    leading = _leading(found, scores)
    if policy == "keep" and len(leading):
        cases = [
            f"{dataset} ({model}, {extent})"
            for dataset, model, extent in zip(
                leading["dataset"], leading["model"], leading["extent"], strict=True
            )
        ]
        message = (
            f"As read, on {count(len(leading), 'dataset')} the best score averages only a part, "
            f"ahead of all complete ones: {name_some(cases, 10)}."
        )
        notes.append(Note("partial-leads", message, tuple(leading["dataset"])))
    return notes


def _leading(found: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Return the partial scores that are best on their dataset and better than a complete one."""
    rows, columns = (
        scores.index.get_indexer(pd.Index(found["model"])),
        scores.columns.get_indexer(pd.Index(found["dataset"])),
    )
    values = scores.to_numpy()
    complete = values.copy()
    complete[rows, columns] = np.nan
    best_complete = pd.DataFrame(complete).max().to_numpy()
    best_first = found.assign(
        score=values[rows, columns], rival=best_complete[columns]
    ).sort_values("score", ascending=False, kind="stable")
    ahead = best_first[best_first["score"] > best_first["rival"]]
    return ahead.drop_duplicates("dataset").sort_values(["share", "dataset"])


def by_model(found: pd.DataFrame, models: Sequence[str]) -> pd.Series:
    """Return, per model, its partial scores: ``("BelebeleRetrieval: 3 of 376 subsets", …)``."""
    texts: dict[str, list[str]] = {model: [] for model in models}
    for model, dataset, extent in zip(
        found["model"], found["dataset"], found["extent"], strict=True
    ):
        texts[model].append(f"{dataset}: {extent}")
    return pd.Series({model: tuple(listed) for model, listed in texts.items()}, dtype="object")
