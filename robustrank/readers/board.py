"""What MTEB's board lets one download: per task, per language, and the Summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank._columns import column_key
from robustrank.errors import FormatError, SummaryExportError
from robustrank.notes import Note, count, name_some
from robustrank.readers import columns as names
from robustrank.readers.cells import parse_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

Summary = Literal["error", "task-types"]

_TOLERANCE = 0.011  # the Summary prints two decimals


def is_summary(table: pd.DataFrame, datasets: Sequence[str]) -> bool:
    """Whether a board's table holds means per task type instead of scores per dataset.

    Its columns beside ranks, means and metadata are task types: by their names, or because their
    mean is the column *Mean (TaskType)* and not *Mean (Task)*.
    """
    by_key = {column_key(name): name for name in table.columns}
    if not any(names.is_derived(name) for name in table.columns):
        return False
    if all(names.is_task_type(name) for name in datasets):
        return True
    type_mean = by_key.get("mean_tasktype") or by_key.get("mean_task_type")
    task_mean = by_key.get("mean_task")
    if type_mean is None or task_mean is None:
        return False
    of_columns = np.mean([parse_numbers(table[name]).numbers for name in datasets], axis=0)
    types, tasks = (parse_numbers(table[name]).numbers for name in (type_mean, task_mean))
    known = np.isfinite(of_columns) & np.isfinite(types) & np.isfinite(tasks)
    close = np.abs(of_columns - types)[known] <= _TOLERANCE
    differs = np.abs(types - tasks)[known] > _TOLERANCE
    return bool(close.size and close.all() and differs.any())


def check_summary(datasets: Sequence[str], source: str, summary: Summary) -> Note:
    """Refuse a Summary export, or note that task types are ranked on as datasets."""
    types = name_some(datasets, 3)
    if summary == "error":
        choice = (
            ", or pass summary='task-types' (--summary task-types) to rank on the "
            f"{count(len(datasets), 'task type')} ({types}) as if each were a dataset"
            if datasets
            else ""
        )
        raise SummaryExportError(
            f"{source} is a leaderboard's Summary table: it holds means, not scores per dataset. "
            f"Download the table 'Performance per task' instead{choice}.",
            datasets,
        )
    if not datasets:
        raise FormatError(
            f"{source} is a Summary table without task types; there is nothing to rank on. "
            "Download the table 'Performance per task' instead."
        )
    return task_type_note(datasets)


def task_type_note(datasets: Sequence[str]) -> Note:
    """Say that the columns are means over the datasets of a task type."""
    message = (
        f"Every column is a task type ({name_some(datasets, 3)}): each score is a mean over "
        "several datasets, so differences between datasets are hidden."
    )
    return Note("task-type-means", message, tuple(datasets))


def languages_of(datasets: Sequence[str]) -> tuple[pd.DataFrame, Note] | None:
    """Return the languages if every column is one, as in the board's *per language* table."""
    codes = [names.language_of(name) for name in datasets]
    if not codes or None in codes:
        return None
    message = (
        f"Every column is a language ({name_some(datasets, 3)}): each score is a mean over its "
        "datasets (or their parts), and a dataset may count in several languages."
    )
    frame = pd.DataFrame({"languages": codes}, index=pd.Index(list(datasets), dtype="object"))
    return frame, Note("language-means", message, tuple(datasets))
