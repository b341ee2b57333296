"""Wide tables: models × datasets, or datasets × models as mteb's `to_dataframe` gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._checks import check_unique
from robustrank.errors import FormatError, NonNumericError
from robustrank.notes import Note, name_some
from robustrank.readers import board
from robustrank.readers import columns as names
from robustrank.readers.cells import (
    Numbers,
    clean_labels,
    clean_name,
    parse_numbers,
    settle_percent,
)
from robustrank.readers.metadata import dataset_fields, model_fields
from robustrank.readers.parsed import Parsed

if TYPE_CHECKING:
    from robustrank._scale import Scale

_DATASET_METADATA = frozenset(
    [*names.TASK_TYPE, *names.LANGUAGES, "is_public", "metric", "n_samples", "n_instances"]
)


def read_wide(
    table: pd.DataFrame, source: str, *, summary: board.Summary = "error", scale: Scale = "auto"
) -> Parsed:
    """Read a table with one row per model, or per dataset if its rows are named so."""
    numbers = {name: parse_numbers(table[name]) for name in table.columns}
    label, transposed = _label_column(numbers, source)
    kind, other = ("dataset", "model") if transposed else ("model", "dataset")
    labels = clean_labels(table[label], kind, source)
    check_unique(labels, kind, "row")
    body = table.drop(columns=label).set_axis(pd.Index(labels, dtype="object"), axis="index")

    aside = [name for name in body.columns if _is_aside(name, numbers[name], transposed)]
    kept = [name for name in body.columns if name not in aside]
    notes: list[Note] = []
    if not transposed and board.is_summary(table, kept):
        notes.append(board.check_summary(kept, source, summary))
    elif not transposed and len(kept) > 1 and all(names.is_task_type(name) for name in kept):
        notes.append(board.task_type_note(kept))
    if not kept:
        raise FormatError(
            f"{source} has no column of scores: {name_some(table.columns)}. "
            f"It needs one column per {other}, or columns model, dataset and score.",
            table.columns,
        )
    described = [name for name in aside if not names.is_unnamed(name)]
    if described:
        message = f"Not scores, so set aside: {name_some(described, 10)}."
        notes.append(Note("set-aside", message, tuple(described)))
    metadata = body[described]

    scores, percent_notes = _scores(body[kept], numbers, kind, source, scale)
    notes += percent_notes
    if transposed:
        scores = scores.rename(columns=clean_name).T
        message = f"The table has datasets in rows (column {label!r}), and was turned round."
        notes.append(Note("transposed", message))
        return Parsed(scores, dataset_fields(metadata), None, notes)
    by_language = board.languages_of(kept)
    if by_language is not None:
        notes.append(by_language[1])
    datasets = None if by_language is None else by_language[0]
    return Parsed(scores, datasets, model_fields(metadata), notes)


def _label_column(numbers: dict[str, Numbers], source: str) -> tuple[str, bool]:
    """Return the column with the rows' names, and whether these are datasets."""
    model = names.find_column(numbers, names.MODEL)
    if model is not None:
        return model, False
    dataset = names.find_column(numbers, names.DATASET)
    if dataset is not None:
        return dataset, True
    text = next((name for name, column in numbers.items() if column.bad.any()), None)
    if text is not None:
        return text, False
    first = next(iter(numbers), None)
    if first is not None and names.is_unnamed(first):
        return first, False
    raise FormatError(
        f"{source} has no column of model names; columns: {name_some(numbers)}. "
        "Name it 'model', or put the names in the first column.",
        numbers,
    )


def _is_aside(name: str, column: Numbers, transposed: bool) -> bool:
    """Whether a column is not one of scores: by its name, or for it holds no number but text."""
    if names.is_unnamed(name) or names.is_derived(name):
        return True
    if names.column_key(name) in _DATASET_METADATA if transposed else names.is_model_metadata(name):
        return True
    return bool(column.bad.any() and np.isnan(column.numbers).all())


def _scores(
    cells: pd.DataFrame, numbers: dict[str, Numbers], kind: str, source: str, scale: Scale
) -> tuple[pd.DataFrame, list[Note]]:
    parsed = {name: numbers[name] for name in cells.columns}
    for name, column in parsed.items():
        if column.bad.any():
            row = int(column.bad.argmax())
            raise NonNumericError(
                f"{cells[name].iloc[row]!r} in row {row + 1} ({kind} {cells.index[row]!r}), column "
                f"{name!r} of {source} is not a number. Correct it, leave the cell empty if the "
                "score is missing, or drop the column if it does not hold scores.",
                [cells.index[row], name],
            )
    values = np.column_stack([column.numbers for column in parsed.values()])
    percent = np.column_stack([column.percent for column in parsed.values()])
    values, notes = settle_percent(values, percent, scale)
    return pd.DataFrame(values, index=cells.index, columns=cells.columns), notes
