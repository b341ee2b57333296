"""Any table of scores per instance as rows of model, dataset, instance and score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype, union_categoricals

from robustrank.errors import FormatError, InputError, NonNumericError
from robustrank.instances.columns import find_roles
from robustrank.notes import name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What stands for a missing score in text.
MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "None")
_LABELS = ("model", "dataset", "instance")


def to_rows(
    table: pd.DataFrame, source: str, *, model: str | None = None, dataset: str | None = None
) -> pd.DataFrame:
    """Return one row per score: ``model``, ``dataset``, ``instance`` (categories), ``score``.

    Parameters
    ----------
    table : DataFrame
        Long (one row per score), or wide: a column of models and one per instance, or a column of
        instances and one per model.
    source : str
        What to call the table in messages.
    model, dataset : str, optional
        What the scores are of, where no column says so.
    """
    if table.empty:
        raise FormatError(f"{source} has no rows of scores. Export it again.", [source])
    roles = find_roles(table.columns)
    if "dataset" not in roles and dataset is None:
        raise _unclear(table, source, "dataset")
    labels = wide_labels(table, model=model)
    if dataset is not None and labels is not None:
        return _from_wide(table, labels, source, dataset)
    return _from_long(table, roles, source, {"model": model, "dataset": dataset})


def wide_labels(table: pd.DataFrame, *, model: str | None = None) -> dict[str, str] | None:
    """Return what is down the side of a wide table and in which column, `None` if it is long."""
    roles = find_roles(table.columns)
    if "dataset" in roles:
        return None
    if not roles.keys() & {"model", "instance", "score"}:
        return {"model": str(table.columns[0])}
    one_column = model is not None and table.shape[1] == 2  # the scores of that model
    if one_column or "score" in roles or ("model" in roles) == ("instance" in roles):
        return None
    return {down: roles[down] for down in ("model", "instance") if down in roles}


def concatenate(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Put rows from several files one below the other."""
    columns: dict[str, object] = {
        label: union_categoricals([part[label] for part in parts]) for label in _LABELS
    }
    columns["score"] = np.concatenate([part["score"].to_numpy() for part in parts])
    return pd.DataFrame(columns)


def _from_long(
    table: pd.DataFrame, roles: dict[str, str], source: str, known: dict[str, str | None]
) -> pd.DataFrame:
    if "score" not in roles:
        rest = [name for name in table.columns if name not in roles.values()]
        if len(rest) != 1:
            raise FormatError(
                f"Which column of {source} holds the score is unclear (candidates: "
                f"{name_some(rest) or 'none'}). Name it 'score'.",
                rest,
            )
        roles = roles | {"score": str(rest[0])}
    labels: dict[str, pd.Categorical] = {}
    for label in _LABELS:
        name = known.get(label)
        if label in roles:
            labels[label] = _categories(table[roles[label]], label, source)
        elif name is not None:
            labels[label] = _coded(np.zeros(len(table), dtype=np.int8), [name])
        else:
            raise _unclear(table, source, label)
    for role in ("subset", "split"):  # their instances may be numbered alike
        if role in roles:
            parts = _categories(table[roles[role]], role, source)
            labels["instance"] = _joined(parts, labels["instance"])
    return pd.DataFrame({**labels, "score": _numbers(table[roles["score"]], source)})


def _from_wide(
    table: pd.DataFrame, labels: dict[str, str], source: str, dataset: str
) -> pd.DataFrame:
    """Take apart a table with one axis in a column and the other in the header."""
    [(down, label)] = labels.items()
    across = "instance" if down == "model" else "model"
    rest = table.drop(columns=label)
    if rest.shape[1] == 0:
        raise _unclear(table, source, "score")
    scores = np.column_stack([_numbers(rest[name], source) for name in rest.columns])
    rows, columns = scores.shape
    lines = _categories(table[label], down, source)
    return pd.DataFrame(
        {
            down: lines.repeat(columns),
            across: _coded(np.tile(np.arange(columns), rows), [str(name) for name in rest.columns]),
            "dataset": _coded(np.zeros(rows * columns, dtype=np.int8), [dataset]),
            "score": scores.ravel(),
        }
    )


def _unclear(table: pd.DataFrame, source: str, role: str) -> FormatError:
    remedy = {
        "dataset": "Name it 'dataset', or pass a mapping {dataset: table of models × instances}.",
        "model": "Name it 'model', or put the file into a folder called like the model.",
        "instance": "Name it 'instance'. Scores of whole datasets are for robustrank.read.",
        "score": "Name it 'score'.",
    }[role]
    return FormatError(
        f"No column of {source} is known to hold the {role} (columns: "
        f"{name_some(table.columns)}). {remedy}",
        [source],
    )


def _categories(column: pd.Series, kind: str, source: str) -> pd.Categorical:
    """Return labels as categories of text; name the first row without one."""
    codes, uniques = pd.factorize(column)
    labels = [str(name).strip() for name in uniques]
    empty = np.array([not label for label in [*labels, ""]])  # code -1: a missing label
    for row in np.flatnonzero(empty[codes])[:1]:
        raise InputError(
            f"Row {row + 1} of {source} has no {kind} (column {column.name!r}). Fill it in, or "
            "drop the row.",
            [f"row {row + 1}"],
        )
    final, categories = pd.factorize(np.array(labels, dtype="object"))
    return _coded(final[codes], [str(name) for name in categories])


def _joined(first: pd.Categorical, second: pd.Categorical) -> pd.Categorical:
    """Return categories ``first/second`` of the pairs that occur."""
    pairs = first.codes.astype(np.int64) * len(second.categories) + second.codes
    codes, uniques = pd.factorize(pairs)
    a, b = np.divmod(uniques, len(second.categories))
    labels = [
        f"{one}/{two}" for one, two in zip(first.categories[a], second.categories[b], strict=True)
    ]
    return _coded(codes, labels)


def _coded(codes: np.ndarray, labels: Sequence[str]) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, pd.Index(list(labels), dtype="object"))


def _numbers(column: pd.Series, source: str) -> np.ndarray:
    """Return scores as floats, NaN where missing; name the first row that holds something else."""
    if is_bool_dtype(column.dtype) or is_numeric_dtype(column.dtype):
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    numbers = np.full(len(column), np.nan)
    for row, cell in enumerate(column):
        if pd.isna(cell) is True or (isinstance(cell, str) and cell.strip() in MISSING):
            continue
        try:
            numbers[row] = float(cell)
        except (TypeError, ValueError) as error:
            raise NonNumericError(
                f"Row {row + 1} of {source} holds {cell!r} as score (column {column.name!r}), "
                "which is not a number. Correct it, or leave it empty if the score is missing.",
                [f"row {row + 1}"],
            ) from error
    return numbers
