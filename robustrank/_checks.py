"""Checks that turn a table into a matrix of finite or missing floats with unique labels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    InputError,
    NonNumericError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


def label_array(values: ArrayLike, columns: str = "dataset") -> pd.DataFrame:
    """Give a plain array the labels ``m1, m2, …`` and ``d1, d2, …`` (or what `columns` hold)."""
    if isinstance(values, str | os.PathLike | Mapping):
        raise _no_array(values, columns)
    if isinstance(values, np.ma.MaskedArray):
        values = np.where(np.ma.getmaskarray(values), np.nan, values.astype(np.float64).data)
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of unlike length
        raise FormatError(f"Scores must be a table of models × {columns}s: {error}.") from error
    if array.ndim == 0:
        raise _no_array(values, columns)
    if array.ndim != 2:
        raise FormatError(
            f"Scores must be a table of models × {columns}s (2 dimensions); got {array.ndim}. "
            f"Use scores.reshape(-1, 1) for a single {columns}."
        )
    m, n = array.shape
    return pd.DataFrame(
        array,
        index=[f"m{i}" for i in range(1, m + 1)],
        columns=[f"{columns[0]}{j}" for j in range(1, n + 1)],
    )


def _no_array(values: object, columns: str) -> FormatError:
    """Return the error for what has no rows and columns, with the remedy for what it is."""
    of_instances = "instances.scores()" if columns == "dataset" else "instances.table(dataset)"
    remedy = f"Pass a DataFrame, an array or a ScoreMatrix; of InstanceScores, {of_instances}."
    if isinstance(values, str | os.PathLike):
        remedy = "If it is a path, read it first: robustrank.read(path)."
    elif isinstance(values, Mapping):
        remedy = (
            f"Make it a DataFrame: pandas.DataFrame(scores) if its keys are {columns}s, "
            "pandas.DataFrame(scores).T if they are models."
        )
    return FormatError(
        f"Scores must be a table of models × {columns}s (2 dimensions); got "
        f"{type(values).__name__}. {remedy}"
    )


def check_labels(frame: pd.DataFrame, columns: str = "dataset") -> pd.DataFrame:
    """Return a shallow copy with unique, non-empty string labels and named axes."""
    if frame.shape[0] == 0 or frame.shape[1] == 0:
        raise EmptyMatrixError(
            f"The table has {frame.shape[0]} models and {frame.shape[1]} {columns}s; "
            "it needs at least one of each."
        )
    checked = frame.set_axis(_labels(frame.index, "model", "row"), axis="index").set_axis(
        _labels(frame.columns, columns, "column"), axis="columns"
    )
    checked.index.name, checked.columns.name = "model", columns
    return checked


def _labels(axis: pd.Index, kind: str, place: str) -> list[str]:
    if isinstance(axis, pd.MultiIndex):
        raise FormatError(
            f"The {place}s have {axis.nlevels} levels; a {kind} needs one name. "
            "Join the levels, or pass a long table with one row per score."
        )
    labels = []
    for position, label in enumerate(axis, start=1):
        if label is None or label is pd.NA or label is pd.NaT or label != label:  # noqa: PLR0124
            raise InputError(
                f"The {kind} in {place} {position} has no name. Name it or drop the {place}.",
                [f"{place} {position}"],
            )
        labels.append(str(label))
        if not labels[-1].strip():
            raise InputError(
                f"The {kind} in {place} {position} has an empty name. Name it or drop the {place}.",
                [f"{place} {position}"],
            )
    check_unique(labels, kind, place)
    return labels


def check_unique(labels: Sequence[str], kind: str, place: str) -> None:
    """Raise if a name occurs twice, saying where."""
    where: dict[str, list[int]] = {}
    for position, label in enumerate(labels, start=1):
        where.setdefault(label, []).append(position)
    twice = {label: spots for label, spots in where.items() if len(spots) > 1}
    if twice:
        label, spots = next(iter(twice.items()))
        raise DuplicateError(
            f"{len(twice)} {kind} name(s) occur more than once, first {label!r} in {place}s "
            f"{', '.join(map(str, spots))}. Rename or drop the copies.",
            twice,
        )


def as_numeric(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame as float64; name the first cell that is text, boolean or infinite."""
    if all(dtype == np.float64 for dtype in frame.dtypes):
        table = frame.copy()
    else:
        columns = {name: _numeric_column(frame[name]) for name in frame.columns}
        table = pd.DataFrame(columns, index=frame.index)
        table.columns.name = frame.columns.name
    for row, column in np.argwhere(np.isinf(table.to_numpy()))[:1]:
        model, dataset = table.index[row], table.columns[column]
        raise NonNumericError(
            f"The score of {model!r} on {dataset!r} is infinite. "
            "Correct it, or leave the cell empty if the score is missing.",
            [model, dataset],
        )
    return table


def _numeric_column(column: pd.Series) -> pd.Series:
    if not pd.api.types.is_object_dtype(column.dtype) and column.dtype.kind in "bcmM":
        raise NonNumericError(
            f"Column {column.name!r} holds {column.dtype} values, not scores. "
            "Drop it, or pass it as metadata.",
            [column.name],
        )
    if pd.api.types.is_numeric_dtype(column.dtype):
        return column.astype("float64")
    numbers = column.map(_float)
    bad = numbers.isna() & column.notna()
    bad |= column.map(lambda cell: isinstance(cell, bool | np.bool_ | complex)).astype(bool)
    if bad.any():
        model = bad.index[int(bad.to_numpy().argmax())]
        raise NonNumericError(
            f"The score of {model!r} on {column.name!r} is {column[model]!r}, which is not a "
            "number. Correct it, leave the cell empty if the score is missing, or drop the column "
            "if it does not hold scores.",
            [model, column.name],
        )
    return numbers.astype("float64")


def _float(cell: object) -> float:
    """Return a cell as a float, NaN if it is none.

    Python's own conversion: that of pandas can crash on text like a commit hash.
    """
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def describe_cells(frame: pd.DataFrame, mask: np.ndarray, most: int = 3) -> str:
    """Name the first cells of a boolean mask: ``"A on X, B on Y and 7 more"``."""
    cells = np.argwhere(mask)
    names = [f"{frame.index[row]!r} on {frame.columns[column]!r}" for row, column in cells[:most]]
    rest = len(cells) - len(names)
    return ", ".join(names) + (f" and {rest} more" if rest else "")
