"""`read_instances`: long tables, files and folders into `InstanceScores`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank.errors import DuplicateError, FormatError, ParameterError
from robustrank.instances.files import named_index, read_path
from robustrank.instances.rows import to_rows
from robustrank.instances.tables import InstanceScores
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray
    from robustrank._scale import Scale

OnDuplicate = Literal["error", "mean"]


def read_instances(
    source: str | os.PathLike[str] | pd.DataFrame | Mapping[str, pd.DataFrame | ArrayLike],
    *,
    on_duplicate: OnDuplicate = "error",
    scale: Scale = "auto",
) -> InstanceScores:
    """Read scores per instance from a table, a file or a folder.

    Parameters
    ----------
    source : path, DataFrame or mapping
        A long table, or a parquet, CSV or TSV file with one, with columns for the model, the
        dataset (or task), the instance (query, sample, item) and the score, found by their usual
        names; instances of several splits or subsets are told apart by these. A file without a
        column of datasets is one dataset, called like the file; it may also be wide, with models in
        rows and instances in columns, which a note says, or the other way round. A folder of such
        files; one without a column of models is of the model that its subfolder is called like. Or
        a mapping of datasets to tables of models × instances.
    on_duplicate : {"error", "mean"}
        Whether several scores of one model on one instance, as from several seeds, are refused or
        averaged.
    scale : {"auto", "unit", "percent"}
        Whether scores are on 0..1 or 0..100; see `InstanceScores`.

    Returns
    -------
    InstanceScores

    Raises
    ------
    InputError
        A subclass that names the file, the row or the labels, and the remedy.
    """
    if on_duplicate not in get_args(OnDuplicate):
        raise ParameterError(f"on_duplicate must be 'error' or 'mean'; got {on_duplicate!r}.")
    if isinstance(source, Mapping):
        return InstanceScores(source, scale=scale)
    notes: list[Note] = []
    if isinstance(source, pd.DataFrame):
        name = "the table"
        rows = to_rows(named_index(source), name)
    elif isinstance(source, str | os.PathLike):
        name = Path(os.fsdecode(source)).name or str(source)
        rows, notes = read_path(source)
    else:
        raise FormatError(
            "Scores per instance are read from a path, a long DataFrame or a mapping of datasets "
            f"to tables; got {type(source).__name__}."
        )
    tables, duplicate_notes = _tabulate(rows, name, on_duplicate)
    return InstanceScores(tables, scale=scale, notes=[*notes, *duplicate_notes])


def _tabulate(
    rows: pd.DataFrame, source: str, on_duplicate: OnDuplicate
) -> tuple[dict[str, pd.DataFrame], list[Note]]:
    """Return a table of models × instances per dataset, in order of appearance."""
    dataset_codes = rows["dataset"].cat.codes.to_numpy()
    names = rows["dataset"].cat.categories
    order = np.argsort(dataset_codes, kind="stable")
    starts = np.searchsorted(dataset_codes[order], np.arange(len(names) + 1))
    codes = {label: rows[label].cat.codes.to_numpy()[order] for label in ("model", "instance")}
    scores = rows["score"].to_numpy()[order]
    tables: dict[str, pd.DataFrame] = {}
    repeated: dict[str, int] = {}
    for number, dataset in enumerate(names):
        part = slice(starts[number], starts[number + 1])
        row, models = pd.factorize(codes["model"][part])
        column, instances = pd.factorize(codes["instance"][part])
        values, seen = _cells(row, column, scores[part], (len(models), len(instances)))
        table = pd.DataFrame(
            values,
            index=rows["model"].cat.categories[models],
            columns=rows["instance"].cat.categories[instances],
        )
        twice = np.argwhere(seen > 1)
        if len(twice) and on_duplicate == "error":
            model, instance = table.index[twice[0, 0]], table.columns[twice[0, 1]]
            raise DuplicateError(
                f"{source} has {count(int(seen[tuple(twice[0])]), 'score')} of {model!r} on "
                f"instance {instance!r} of {dataset!r}, and {count(len(twice), 'such case')} on "
                "this dataset. Drop the copies, or average them, as over seeds or experiments, "
                "with on_duplicate='mean'.",
                [model, dataset, instance],
            )
        if len(twice):
            repeated[str(dataset)] = len(twice)
        tables[str(dataset)] = table
    if not repeated:
        return tables, []
    shown = [f"{number:,} on {dataset}" for dataset, number in repeated.items()]
    number = sum(repeated.values())
    message = (
        f"{count(number, 'score')} per model and instance of {source} "
        f"{'was' if number == 1 else 'were'} given more than once and averaged: {name_some(shown)}."
    )
    return tables, [Note("duplicates", message, tuple(repeated))]


def _cells(
    row: NDArray[np.intp], column: NDArray[np.intp], scores: FloatArray, shape: tuple[int, int]
) -> tuple[FloatArray, NDArray[np.intp]]:
    """Return the mean score per cell, NaN where there is none, and how many there are."""
    there = ~np.isnan(scores)
    cell = (row * shape[1] + column)[there]
    size = shape[0] * shape[1]
    seen = np.bincount(cell, minlength=size)
    weights = scores[there]
    if seen.max(initial=0) > 1:  # sums of three and more must not depend on the order of rows
        order = np.lexsort((weights, cell))
        cell, weights = cell[order], weights[order]
    total = np.bincount(cell, weights=weights, minlength=size)
    means = np.divide(total, seen, out=np.full(size, np.nan), where=seen > 0)
    return means.reshape(shape), seen.reshape(shape)
