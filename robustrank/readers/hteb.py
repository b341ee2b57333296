"""``scores.JSON`` as HTEB 1.1 writes it: one record per model, dataset and pair of seeds."""

from __future__ import annotations

from typing import Any, TypeGuard

import pandas as pd

from robustrank.errors import FormatError
from robustrank.notes import Note, name_some
from robustrank.readers.cells import parse_numbers

_FIELDS = frozenset(["model", "dataset", "axes", "transformations"])


def is_hteb(value: object) -> TypeGuard[list[dict[str, Any]]]:
    """Whether a JSON value is what HTEB writes."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(record, dict) and record.keys() >= _FIELDS for record in value)
    )


def read_hteb(records: list[dict[str, Any]], source: str) -> tuple[pd.DataFrame, list[Note]]:
    """Return HTEB's total per model and dataset as a long table.

    The total is the plain mean over the axes of transformations, and over seeds. A record without
    one of the axes has no total: a mean over fewer would not be comparable.
    """
    for number, record in enumerate(records, start=1):
        _check_record(record, f"Record {number} of {source}")
    axes = pd.DataFrame([record["axes"] for record in records])
    axes = pd.DataFrame({name: parse_numbers(axes[name]).numbers for name in axes.columns})
    table = pd.DataFrame([(record["model"], record["dataset"]) for record in records])
    table.columns = pd.Index(["model", "dataset"])
    table["score"] = axes.mean(axis="columns", skipna=False)
    means = table.groupby(["model", "dataset"], sort=False)["score"].mean().reset_index()
    message = (
        f"Scores are HTEB totals: means over the axes {name_some(axes.columns)} and over seeds. "
        "The scores on the original texts are not part of them."
    )
    return means, [Note("hteb-totals", message, tuple(axes.columns))]


def _check_record(record: dict[str, Any], where: str) -> None:
    for field in ("model", "dataset"):
        if not isinstance(record[field], str) or not record[field].strip():
            raise FormatError(
                f"{where} has {record[field]!r} for a {field}. Write its name, or drop the record.",
                [where],
            )
    axes = record["axes"]
    if (
        not isinstance(axes, dict)
        or not axes
        or any(isinstance(score, str | bool | list | dict) for score in axes.values())
    ):
        raise FormatError(
            f"{where} ({record['model']!r} on {record['dataset']!r}) has {axes!r} for axes. "
            "Write an object with a number for each axis, or drop the record.",
            [where],
        )
