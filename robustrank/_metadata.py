"""Metadata of datasets and models: one row per label, known fields of the right kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._checks import check_unique
from robustrank.errors import FormatError, InputError
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Fields that every table of metadata has, NA where unknown.
DATASET_FIELDS = ("task_type", "languages", "metric", "n_instances")
MODEL_FIELDS = ("n_parameters", "open_weights", "zero_shot", "price")
_NUMBER = ((int, float, np.integer, np.floating), "a number")
_FIELD_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "open_weights": ((bool, np.bool_), "True or False"),
    "zero_shot": (_NUMBER[0], "a share between 0 and 1"),
    "n_parameters": _NUMBER,
    "price": _NUMBER,
    "n_instances": _NUMBER,
}


def align_metadata(
    table: pd.DataFrame | None, labels: pd.Index, fields: Iterable[str], kind: str
) -> pd.DataFrame:
    """Return one metadata row per label, in order, with every known field present."""
    if table is None:
        aligned = pd.DataFrame(index=labels)
    elif not isinstance(table, pd.DataFrame):
        raise FormatError(
            f"{kind.capitalize()} metadata must be a DataFrame indexed by {kind}; got "
            f"{type(table).__name__}."
        )
    else:
        own = [str(label) for label in table.index]
        check_unique(own, f"{kind} metadata", "row")
        aligned = table.set_axis(own, axis="index").reindex(labels)
    for field in fields:
        if field not in aligned.columns:
            aligned[field] = pd.Series(pd.NA, index=labels, dtype="object")
    _check_fields(aligned)
    if "languages" in aligned.columns:
        aligned["languages"] = pd.Series(
            [parse_languages(cell) for cell in aligned["languages"]], index=labels, dtype="object"
        )
    aligned.index.name = kind
    return aligned


def unmatched(table: pd.DataFrame | None, labels: pd.Index, kind: str) -> list[Note]:
    """Return a note if metadata were given that describe none of the labels."""
    if table is None or set(map(str, table.index)).intersection(labels):
        return []
    message = (
        f"The {kind} metadata name none of the {kind}s of the matrix: they are indexed by "
        f"{name_some(table.index, 3)}, the scores by {name_some(labels, 3)}."
    )
    return [Note("unmatched-metadata", message)]


def _check_fields(table: pd.DataFrame) -> None:
    """Raise for a known field that holds text: what it means is for a reader to find out."""
    for field, (kinds, remedy) in _FIELD_TYPES.items():
        if field not in table.columns:
            continue
        known = table[field].dropna()
        for label, value in known.items():
            wrong = not isinstance(value, kinds)
            if wrong or (field == "zero_shot" and not 0 <= float(str(value)) <= 1):
                raise InputError(
                    f"{field} of {label!r} is {value!r}; it must be {remedy}. "
                    "robustrank.read(models=…) understands text and percentages.",
                    [label],
                )


def parse_languages(cell: object) -> tuple[str, ...]:
    """Read languages from ``"eng;fra"``, ``"eng-Latn;fra-Latn"`` or a sequence of codes."""
    if isinstance(cell, str):
        parts: list[str] = cell.replace(",", ";").split(";")
    elif isinstance(cell, list | tuple | set | frozenset | np.ndarray):
        parts = [str(part) for part in cell]
    else:
        return ()
    codes = (part.strip().replace("_", "-").split("-")[0] for part in parts)
    return tuple(dict.fromkeys(code for code in codes if code))
