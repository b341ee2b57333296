"""Metadata of datasets and models, from tables that name their columns in many ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank._checks import check_unique
from robustrank._columns import column_key
from robustrank._metadata import parse_languages
from robustrank.errors import FormatError
from robustrank.notes import Note, count, name_some
from robustrank.readers import columns as names
from robustrank.readers.cells import clean_labels, parse_numbers
from robustrank.readers.tables import Source, load_table

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal["dataset", "model"]

_TRUE = frozenset(["true", "yes", "1", "1.0", "open"])
_FALSE = frozenset(["false", "no", "0", "0.0", "closed", "proprietary"])


def load_metadata(source: Source | None, kind: Kind) -> pd.DataFrame | None:
    """Return a metadata table indexed by dataset or model name, with this package's fields."""
    if source is None:
        return None
    table, where = load_table(source)
    aliases = (*names.DATASET, "name") if kind == "dataset" else names.MODEL
    label = names.find_column(table.columns, aliases)
    if label is None and len(table.columns) and names.is_unnamed(table.columns[0]):
        label = table.columns[0]
    if label is None:
        raise FormatError(
            f"The {kind} metadata ({where}) have no column of {kind} names; columns: "
            f"{name_some(table.columns)}. Name it {kind!r}.",
            table.columns,
        )
    labels = clean_labels(table[label], kind, where)
    check_unique(labels, f"{kind} metadata", "row")
    named = table.drop(columns=label).set_axis(pd.Index(labels, dtype="object"), axis="index")
    return dataset_fields(named) if kind == "dataset" else model_fields(named)


def dataset_fields(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of datasets with ``task_type``, ``languages``, ``metric``, ``n_instances``.

    ``eval_splits`` become a tuple of names; other columns are kept.
    """
    fields: dict[str, pd.Series] = {}
    # Of several columns that could be one field, the one with the most exact name is it.
    task_type, languages, metric, n_instances = (
        names.find_column(table.columns, aliases)
        for aliases in (names.TASK_TYPE, names.LANGUAGES, names.METRIC, names.N_INSTANCES)
    )
    for name in table.columns:
        key, column = column_key(name), table[name]
        if name == task_type:
            fields["task_type"] = column.where(column != "", pd.NA)
        elif name == languages:
            fields["languages"] = column.map(parse_languages)
        elif name == metric:
            fields["metric"] = column.where(column != "", pd.NA)
        elif name == n_instances:
            fields["n_instances"] = _number(column, counts=True)
        elif key == "eval_splits":
            fields["eval_splits"] = column.map(_split_names, na_action="ignore")
        elif not names.is_unnamed(name):
            fields[str(name)] = column
    return pd.DataFrame(fields, index=table.index)


def _split_names(cell: object) -> tuple[str, ...] | None:
    if isinstance(cell, str):
        cell = cell.replace(",", ";").split(";")
    if not isinstance(cell, list | tuple | np.ndarray):
        return None
    return tuple(str(part).strip() for part in cell if str(part).strip()) or None


def model_fields(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of models with ``n_parameters``, ``open_weights``, ``zero_shot``, ``price``.

    Parameters in millions or billions become a count, percentages of zero-shot tasks a share of
    1; ranks and means over datasets are left out; other columns are kept.
    """
    fields: dict[str, pd.Series] = {}
    for name in table.columns:
        key, column = column_key(name), table[name]
        if names.is_derived(name) or names.is_unnamed(name) or names.is_task_type(name):
            continue
        if key in names.MODEL_COLUMNS:
            field, factor = names.MODEL_COLUMNS[key]
            fields.setdefault(field, _number(column, counts=factor == 1) * factor)
        elif key in names.OPEN_WEIGHTS:
            fields["open_weights"] = column.map(_flag).astype("boolean")
        elif key == "zero_shot":
            fields["zero_shot"] = _share(column)
        else:
            fields[str(name)] = column
            if key in names.ZERO_SHOT:
                fields.setdefault("zero_shot", _number(column) / 100.0)
    return pd.DataFrame(fields, index=table.index)


def _number(column: pd.Series, *, counts: bool = False) -> pd.Series:
    """Return numbers, missing where a cell says something like "unknown"."""
    return pd.Series(parse_numbers(column, counts=counts).numbers, index=column.index)


def _share(column: pd.Series) -> pd.Series:
    """Return shares of 1: ``72%`` is 0.72, and so is 72 in a column that exceeds 1."""
    if pd.api.types.is_bool_dtype(column.dtype):
        return column.astype("float64")
    values, percent, _bad = parse_numbers(column)
    if percent.any() or np.nanmax(values, initial=0.0) > 1.0:
        values = values / 100.0
    return pd.Series(values, index=column.index)


def _flag(cell: object) -> object:
    text = str(cell).strip().casefold()
    return True if text in _TRUE else False if text in _FALSE else pd.NA


def align(
    table: pd.DataFrame, labels: Iterable[str], kind: Kind
) -> tuple[pd.DataFrame, list[Note]]:
    """Return the metadata of the labels, in order.

    A label without an organisation, as boards print them, is matched with the part after the slash
    of ``org/name`` (and the other way round) where that is unambiguous on both sides.
    """
    labels = list(labels)
    own = set(table.index)
    by_short: dict[str, list[str]] = {}
    for name in table.index:
        by_short.setdefault(_short(name), []).append(name)
    wanted: dict[str, str] = {}
    ambiguous: list[str] = []
    shorts = pd.Series([_short(label) for label in labels], dtype="object")
    crowded = set(shorts[shorts.duplicated(keep=False)])
    for label in labels:
        if label in own:
            wanted[label] = label
            continue
        candidates = [
            name for name in by_short.get(_short(label), []) if ("/" in name) != ("/" in label)
        ]
        if len(candidates) > 1 or (candidates and _short(label) in crowded):
            ambiguous.append(label)
        elif candidates:
            wanted[label] = candidates[0]
    rows = [wanted.get(label) for label in labels]
    aligned = table.reindex(pd.Index(rows, dtype="object")).set_axis(labels, axis="index")
    notes = []
    if ambiguous:
        message = (
            f"The {kind} metadata have several rows for {name_some(ambiguous)} once the "
            "organisation is left out; none was used. Use full names in both."
        )
        notes.append(Note("ambiguous-metadata", message, tuple(ambiguous)))
    unknown = tuple(label for label in labels if label not in wanted and label not in ambiguous)
    if unknown:
        message = (
            f"{count(len(unknown), kind)} of {len(labels)} without a row in the {kind} metadata: "
            f"{name_some(unknown)}."
        )
        notes.append(Note("unmatched-metadata", message, unknown))
    return aligned, notes


def _short(name: str) -> str:
    return name.rsplit("/", 1)[-1]
