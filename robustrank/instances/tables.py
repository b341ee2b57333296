"""`InstanceScores`: for each dataset, a validated table of models × instances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    FormatError,
    InputError,
    NonNumericError,
    ParameterError,
    unknown_label,
)
from robustrank.instances.scaling import to_unit
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray
    from robustrank._scale import Scale


class InstanceScores:
    """Scores of models on the single instances (queries, pairs, documents) of datasets.

    Parameters
    ----------
    tables : mapping of str to DataFrame or array_like, shape (m, n_instances)
        Dataset → models × instances, higher is better; right and wrong may be given as booleans.
        NaN marks an instance that a model was not scored on.
    models : sequence of str, optional
        Names of the rows of arrays. Where tables are DataFrames, whose index names the models, the
        models and their order; by default all that occur, in order of appearance.
    scale : {"auto", "unit", "percent"}
        Whether scores are on 0..1 or 0..100; ``"auto"`` decides for all datasets together.
    notes : iterable of Note
        Remarks to carry along.

    Attributes
    ----------
    datasets, models : list of str
    n_instances : Series of int
        Dataset → number of instances that some model was scored on.
    notes : tuple of Note

    Raises
    ------
    InputError
        A subclass that names the dataset, the model or the instance, and the remedy.
    """

    __slots__ = ("_instances", "_values", "datasets", "models", "notes")

    datasets: list[str]
    models: list[str]
    notes: tuple[Note, ...]

    def __init__(
        self,
        tables: Mapping[str, pd.DataFrame | ArrayLike],
        *,
        models: Sequence[str] | None = None,
        scale: Scale = "auto",
        notes: Iterable[Note] = (),
    ) -> None:
        if not isinstance(tables, Mapping):
            raise FormatError(
                "Scores per instance are a mapping of datasets to tables of models × instances; "
                f"got {type(tables).__name__}. robustrank.read_instances understands long tables, "
                "files and folders."
            )
        if not tables:
            raise EmptyMatrixError("There is no dataset with scores per instance; pass at least 1.")
        self.datasets = _labels(list(tables), "dataset", "the mapping")
        known = None if models is None else _labels(list(models), "model", "models")
        labelled = {
            dataset: _labelled(table, known, dataset)
            for dataset, table in zip(self.datasets, tables.values(), strict=True)
        }
        if known is None:
            known = list(dict.fromkeys(name for table in labelled.values() for name in table.index))
        self.models = known
        scaled, scale_notes = to_unit(
            {dataset: _floats(table, dataset) for dataset, table in labelled.items()}, scale
        )
        self._values: dict[str, FloatArray] = {}
        self._instances: dict[str, pd.Index] = {}
        unscored: dict[str, int] = {}
        for dataset, table in labelled.items():
            scored = np.flatnonzero(~np.isnan(scaled[dataset]).all(axis=0))
            if len(scored) == 0:
                raise EmptyMatrixError(
                    f"{dataset!r} holds no score of any model. Leave the dataset out.", [dataset]
                )
            if len(scored) < table.shape[1]:
                unscored[dataset] = table.shape[1] - len(scored)
            values = np.full((len(known), len(scored)), np.nan)
            values[pd.Index(known).get_indexer(table.index)] = scaled.pop(dataset)[:, scored]
            values.flags.writeable = False
            self._values[dataset] = values
            self._instances[dataset] = table.columns[scored]
        self.notes = merge_notes(notes, scale_notes, _unscored_note(unscored))

    @property
    def n_instances(self) -> pd.Series:
        """Dataset → number of instances."""
        sizes = [self._values[dataset].shape[1] for dataset in self.datasets]
        index = pd.Index(self.datasets, name="dataset")
        return pd.Series(sizes, index=index, name="n_instances", dtype="int64")

    def scores(self) -> pd.DataFrame:
        """Return models × datasets: the mean over the instances that the model was scored on."""
        columns = {name: sorted_moments(self._values[name])[1] for name in self.datasets}
        table = pd.DataFrame(columns, index=pd.Index(self.models, name="model"))
        table.columns.name = "dataset"
        return table

    def table(self, dataset: str) -> pd.DataFrame:
        """Return the scores on a dataset, models × instances, on 0..1."""
        return pd.DataFrame(
            self.values(dataset).copy(),
            index=pd.Index(self.models, name="model"),
            columns=self._instances[dataset].rename("instance"),
        )

    def values(self, dataset: str, models: Sequence[str] | None = None) -> FloatArray:
        """Return the scores of these (or all) models on a dataset as a read-only array."""
        if dataset not in self._values:
            raise unknown_label("dataset", dataset, self.datasets)
        values = self._values[dataset]
        if models is None:
            return values
        rows = pd.Index(self.models).get_indexer(pd.Index(models))
        for position in np.flatnonzero(rows < 0)[:1]:
            raise unknown_label("model", list(models)[position], self.models)
        return values[rows]

    def __repr__(self) -> str:
        sizes = self.n_instances
        low, high = int(sizes.min()), int(sizes.max())
        span = count(low, "instance") if low == high else f"{low:,} to {count(high, 'instance')}"
        noted = f", {count(len(self.notes), 'note')}" if self.notes else ""
        size = f"{count(len(self.models), 'model')} × {count(len(sizes), 'dataset')}"
        return f"InstanceScores({size} of {span}{noted})"


def check_instances(instances: object) -> None:
    """Raise unless these are `InstanceScores`, saying how tables become them."""
    if not isinstance(instances, InstanceScores):
        raise ParameterError(
            f"instances must be InstanceScores; got {type(instances).__name__}. Read a long table, "
            "a file or a folder with robustrank.read_instances(…), or build "
            "robustrank.InstanceScores({dataset: table of models × instances})."
        )


def sorted_moments(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return each row sorted, NaN last, with the mean and standard error of what is there.

    A mean does not depend on the order of the instances, and equals them where they are all equal,
    to the last digit. The standard error is s / √n with n - 1 in s; NaN for fewer than two scores.
    """
    ordered = np.sort(values, axis=1)
    there = np.isfinite(ordered)
    n = there.sum(axis=1).astype(np.float64)
    lowest = ordered[:, 0]  # NaN for a row without scores
    above = np.where(there, ordered - lowest[:, None], 0.0)
    rise = above.sum(axis=1) / n.clip(min=1.0)
    squares = (np.where(there, above - rise[:, None], 0.0) ** 2).sum(axis=1)
    variance = np.divide(squares, n * (n - 1.0), out=np.full(len(n), np.nan), where=n > 1.0)
    return ordered, lowest + rise, np.sqrt(variance)


def _labels(names: Sequence[Any], kind: str, place: str) -> list[str]:
    """Return names as text; raise if one is missing, empty or given twice."""
    labels: list[str] = []
    for position, name in enumerate(names, start=1):
        if pd.isna(name) is True or not str(name).strip():
            raise InputError(
                f"The {kind} at position {position} of {place} has no name. Name it or drop it.",
                [f"position {position}"],
            )
        labels.append(str(name))
    twice = pd.Index(labels)[pd.Index(labels).duplicated()].unique()
    if len(twice):
        raise DuplicateError(
            f"{count(len(twice), f'{kind} name')} of {place} given more than once: "
            f"{name_some(twice)}. Rename or drop the copies.",
            twice,
        )
    return labels


def _labelled(
    table: pd.DataFrame | ArrayLike, models: list[str] | None, dataset: str
) -> pd.DataFrame:
    """Return one dataset's table with text labels."""
    if not isinstance(table, pd.DataFrame):
        return _from_array(table, models, dataset)
    if 0 in table.shape:
        raise EmptyMatrixError(
            f"{dataset!r} has {table.shape[0]} models and {table.shape[1]} instances; it needs at "
            "least one of each.",
            [dataset],
        )
    if table.index.nlevels > 1 or table.columns.nlevels > 1:
        raise FormatError(
            f"The table of {dataset!r} has several levels in its index or columns; a model and an "
            "instance need one name each. Join the levels.",
            [dataset],
        )
    rows = _labels(list(table.index), "model", f"the index of {dataset!r}")
    columns = _labels(list(table.columns), "instance", f"the columns of {dataset!r}")
    if models is not None:
        for name in rows:
            if name not in models:
                raise unknown_label("model", name, models)
    return table.set_axis(rows, axis="index").set_axis(columns, axis="columns")


def _from_array(values: ArrayLike, models: list[str] | None, dataset: str) -> pd.DataFrame:
    if models is None:
        raise FormatError(
            f"The scores of {dataset!r} are an array, whose rows have no names. Pass models=, or "
            "a DataFrame with models as its index.",
            [dataset],
        )
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of unlike length
        raise FormatError(
            f"The scores of {dataset!r} are no table of models × instances: {error}.", [dataset]
        ) from error
    if array.ndim != 2 or array.shape[0] != len(models) or array.shape[1] == 0:
        raise FormatError(
            f"The array of {dataset!r} has shape {array.shape}; it must have one row for each of "
            f"the {count(len(models), 'model')} and one column per instance. Use NaN for what a "
            "model was not scored on.",
            [dataset],
        )
    columns = [str(position) for position in range(1, array.shape[1] + 1)]
    return pd.DataFrame(array, index=models, columns=columns)


def _floats(table: pd.DataFrame, dataset: str) -> FloatArray:
    """Return the scores as float64; name the first that is no finite number."""
    try:
        values = table.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        values = np.full(table.shape, np.inf)
        cells = table.to_numpy(dtype="object")
        for row, column in np.argwhere(pd.notna(cells).astype(bool)):
            try:
                values[row, column] = float(cells[row, column])
            except (TypeError, ValueError):
                break
        values[pd.isna(cells)] = np.nan
    for row, column in np.argwhere(np.isinf(values))[:1]:
        model, instance = table.index[row], table.columns[column]
        raise NonNumericError(
            f"The score of {model!r} on instance {instance!r} of {dataset!r} is "
            f"{table.iloc[row, column]!r}, not a finite number. Correct it, or leave it empty if "
            "the score is missing.",
            [model, dataset, instance],
        )
    return values


def _unscored_note(unscored: Mapping[str, int]) -> list[Note]:
    if not unscored:
        return []
    shown = [f"{number} of {dataset}" for dataset, number in unscored.items()]
    number = sum(unscored.values())
    message = (
        f"{count(number, 'instance')} {'has' if number == 1 else 'have'} no score of any model and "
        f"{'was' if number == 1 else 'were'} set aside: {name_some(shown)}."
    )
    return [Note("unscored-instances", message, tuple(unscored))]
