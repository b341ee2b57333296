"""Wide tables: models × datasets, or datasets × models as mteb's `to_dataframe` gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._checks import check_unique
from robustrank.errors import FormatError, NonNumericError
from robustrank.notes import Note, count, name_some
from robustrank.readers import board
from robustrank.readers import columns as names
from robustrank.readers.cells import (
    Numbers,
    clean_labels,
    clean_name,
    parse_numbers,
    settle_percent,
)
from robustrank.readers.commas import doubt_commas, objection
from robustrank.readers.metadata import dataset_fields, model_fields
from robustrank.readers.other_tables import refuse_results, without_scores
from robustrank.readers.parsed import Parsed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank._scale import Scale

_FEWEST_MODELS, _FEWEST_ITEMS = 2, 5  # of a table that may hold right and wrong answers


def read_wide(
    table: pd.DataFrame, source: str, *, summary: board.Summary = "error", scale: Scale = "auto"
) -> Parsed:
    """Read a table with one row per model, or per dataset if its rows are named so."""
    refuse_results(list(table.columns), source)
    numbers = {name: parse_numbers(table[name]) for name in table.columns}
    label, transposed = _label_column(table, numbers, source)
    kind, other = ("dataset", "model") if transposed else ("model", "dataset")
    labels = clean_labels(table[label], kind, source)
    body = table.drop(columns=label).set_axis(pd.Index(labels, dtype="object"), axis="index")

    aside = [name for name in body.columns if _is_aside(name, numbers[name], transposed)]
    kept = [name for name in body.columns if name not in aside]
    if not kept:  # of an old board's Summary, the means over task types are all there is
        kept = [name for name in aside if names.is_type_mean(name)]
        aside = [name for name in aside if name not in kept]
    notes: list[Note] = []
    if not transposed and board.is_summary(table, kept):
        notes.append(board.check_summary(kept, source, summary))
    elif not transposed and len(kept) > 1 and all(names.is_task_type(name) for name in kept):
        notes.append(board.task_type_note(kept))
    if not kept:
        raise without_scores(list(table.columns), source, other)
    if len(set(labels)) < len(labels):
        _refuse_long(label, kept, [n for n in body.columns if numbers[n].is_text], kind, source)
        check_unique(labels, kind, "row")
    described = _described(aside, numbers, table.columns[0], source)
    index_like = [n for n in described if names.is_unnamed(n) and not numbers[n].is_text]
    notes += _set_aside([n for n in described if n not in index_like], "Not scores")
    notes += _set_aside(index_like, "Named like an index (rename what holds scores)")
    metadata = body[described]

    scores, score_notes = _scores(body[kept], numbers, kind, source, scale)
    notes += score_notes
    if transposed:
        means = [name for name in labels if names.is_derived(name)]
        notes += _set_aside(means, "Not datasets")
        scores = scores.drop(index=means).rename(columns=clean_name).T
        message = f"The table has datasets in rows (column {label!r}), and was turned round."
        notes.append(Note("transposed", message))
        return Parsed(scores, dataset_fields(metadata), None, notes)
    by_language = board.languages_of(kept)
    if by_language is not None:
        notes.append(by_language[1])
    datasets = None if by_language is None else by_language[0]
    return Parsed(scores, datasets, model_fields(metadata), notes)


def _label_column(
    table: pd.DataFrame, numbers: Mapping[str, Numbers], source: str
) -> tuple[str, bool]:
    """Return the column with the rows' names, and whether these are datasets."""
    model = names.find_model_column(numbers)
    if model is not None:
        _check_names(model, numbers, source)
        return model, False
    dataset = names.find_column(numbers, names.DATASET)
    if dataset is not None:
        return dataset, True
    for name, column in numbers.items():
        if _has_words(table[name], column) and not (
            names.is_derived(name) or names.is_model_metadata(name)
        ):
            return name, False
    first = next(iter(numbers), None)
    if first is not None and names.is_unnamed(first):
        return first, False
    raise FormatError(
        f"{source} has no column of model names; columns: {name_some(numbers)}. Name it 'model', "
        f"or put it first. If the numbers in {first!r} are the names, rename that to 'model'.",
        numbers,
    )


def _check_names(model: str, numbers: Mapping[str, Numbers], source: str) -> None:
    """Raise if a column called like models holds scores beside rows that have names."""
    found = numbers[model].numbers
    first = next(iter(numbers))
    fractions = np.isfinite(found).all() and bool((found % 1.0 != 0.0).any())
    if fractions and names.is_unnamed(first) and numbers[first].is_text:
        raise FormatError(
            f"{source} names its rows, and has a column {model!r} with numbers such as "
            f"{found[0]:g}. If these are scores, rename the column; if they are the names of "
            "models, drop those of the rows.",
            [model],
        )


def _has_words(cells: pd.Series, column: Numbers) -> bool:
    """Whether some cell is not a number, or all are words such as NA that may be names."""
    if column.bad.any():
        return True
    return bool(np.isnan(column.numbers).all()) and any(
        isinstance(cell, str) and cell.strip() for cell in cells
    )


def _is_aside(name: str, column: Numbers, transposed: bool) -> bool:
    """Whether a column is not one of scores: by its name, or for it holds no number but text."""
    if names.is_unnamed(name) or names.is_derived(name):
        return True
    described = names.is_dataset_metadata if transposed else names.is_model_metadata
    return described(name) or column.is_text


def _described(
    aside: list[str], numbers: Mapping[str, Numbers], first: str, source: str
) -> list[str]:
    """Return the columns whose loss needs a note: all but the first, if unnamed, and counters."""
    described = []
    for name in aside:
        values = numbers[name].numbers
        start = np.arange(len(values))
        if names.is_unnamed(name):
            counts = np.array_equal(values, start) or np.array_equal(values, start + 1)
            empty = np.isnan(values).all() and not numbers[name].is_text
            if name == first or counts or empty:
                continue
        if names.has_no_name(name) and not numbers[name].is_text:
            position = list(numbers).index(name) + 1
            raise FormatError(
                f"Column {position} of {source} holds numbers under an empty header. Give it the "
                "name of its dataset, or drop it.",
                [f"column {position}"],
            )
        described.append(name)
    return described


def _set_aside(labels: list[str], why: str) -> list[Note]:
    message = f"{why}, so set aside: {name_some(labels, 10)}."
    return [Note("set-aside", message, tuple(labels))] if labels else []


def _refuse_long(label: str, kept: list[str], text: list[str], kind: str, source: str) -> None:
    """Refuse a long table with headers that say nothing, where rows of one name repeat."""
    instance = names.find_column([*kept, *text], names.INSTANCE)
    if instance is not None and kind == "model" and len(set(kept) - {instance}) <= 1:
        raise FormatError(
            f"{source} looks like scores per instance (column {instance!r}): the model names in "
            f"{label!r} repeat. If so, add a column 'dataset' and read it with "
            "robustrank.read_instances; if each row should be another model, rename or drop the "
            "copies.",
            [label, instance],
        )
    if len(kept) != 1 or not text:
        return
    model, dataset = (label, text[0]) if kind == "model" else (text[0], label)
    renamed = " and ".join(
        f"{name!r} to {role!r}"
        for name, role in ((model, "model"), (dataset, "dataset"))
        if names.find_column([name], (*names.MODEL, *names.DATASET)) is None
    )
    raise FormatError(
        f"{source} looks like a long table, with one row per score ({kept[0]!r}): the {kind} names "
        f"in {label!r} repeat. If so, rename {renamed}; if each row should be another {kind}, "
        "rename or drop the copies.",
        [model, dataset],
    )


def _scores(
    cells: pd.DataFrame, numbers: Mapping[str, Numbers], kind: str, source: str, scale: Scale
) -> tuple[pd.DataFrame, list[Note]]:
    parsed = doubt_commas({name: cells[name] for name in cells.columns}, numbers)
    for name, column in parsed.items():
        if column.bad.any():
            row = int(column.bad.argmax())
            cell = cells[name].iloc[row]
            raise NonNumericError(
                f"{cell!r} in row {row + 1} ({kind} {cells.index[row]!r}), column {name!r} of "
                f"{source} {objection(cell)}, leave the cell empty if the score is missing, or "
                "drop the column if it does not hold scores.",
                [cells.index[row], name],
            )
    values = np.column_stack([column.numbers for column in parsed.values()])
    percent = np.column_stack([column.percent for column in parsed.values()])
    values, notes = settle_percent(values, percent, scale)
    notes += _binary(values, kind)
    return pd.DataFrame(values, index=cells.index, columns=cells.columns), notes


def _binary(values: np.ndarray, kind: str) -> list[Note]:
    """Note that scores may be answers to items: right or wrong, and enough to be no coincidence."""
    models, datasets = values.shape if kind == "model" else values.shape[::-1]
    scored = values[~np.isnan(values)]
    few = models < _FEWEST_MODELS or datasets < _FEWEST_ITEMS or scored.size == 0
    if few or not np.isin(scored, (0.0, 1.0)).all():
        return []
    message = (
        f"Every score is 0 or 1: if the {count(datasets, 'dataset')} are single instances "
        "(questions, items), see fit_2pl_instances."
    )
    return [Note("binary-scores", message)]
