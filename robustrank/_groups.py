"""Datasets in groups: alone, clusters of those that repeat each other, task types, as given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from robustrank._numeric import varies
from robustrank.aggregation import task_type_codes
from robustrank.errors import InputError, ParameterError
from robustrank.notes import Note, name_some
from robustrank.redundancy import FEW_MODELS, cluster_datasets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank.matrix import ScoreMatrix

#: What makes groups of datasets: a kind, or dataset → name of its group.
By: TypeAlias = "Literal['datasets', 'clusters', 'task_type'] | Mapping[str, Any] | pd.Series"


@dataclass(frozen=True, eq=False)
class Groups:
    """A partition of the n datasets of a matrix into q groups.

    Attributes
    ----------
    noun : str
        What a group is called: ``"dataset"``, ``"cluster"``, ``"task type"`` or ``"group"``.
    names : tuple of str
        Of the groups; a cluster is named after its members.
    codes : ndarray of int, shape (n,)
        The group of each dataset.
    notes : tuple of Note
    """

    noun: str
    names: tuple[str, ...]
    codes: NDArray[np.intp]
    notes: tuple[Note, ...] = ()

    @property
    def member(self) -> NDArray[np.bool_]:
        """Tell which datasets are in which group, shape (q, n)."""
        return np.asarray(self.codes == np.arange(len(self.names))[:, None])


def group_datasets(matrix: ScoreMatrix, by: By, parameter: str = "by") -> Groups:
    """Partition the datasets of a matrix.

    Parameters
    ----------
    matrix : ScoreMatrix
    by : {"datasets", "clusters", "task_type"}, mapping or Series
        Each dataset alone; those whose scores correlate above 0.9 over models together
        (`cluster_datasets`); by task type; or dataset → name of its group.
    parameter : str
        What errors call `by`.

    Returns
    -------
    Groups
        In order of the first dataset of each.

    Raises
    ------
    InputError
        If the task type of a dataset, or its group, is not known, or two models are to say which
        datasets repeat each other.
    ParameterError
        If `by` is none of these.
    """
    datasets = [str(name) for name in matrix.scores.columns]
    if isinstance(by, Mapping | pd.Series):
        labels = list(map(str, _given(datasets, by, parameter, "group")))  # 1 and "1" are one name
        codes, found = pd.factorize(pd.Series(labels, dtype=object))
        return Groups("group", tuple(found), np.asarray(codes, dtype=np.intp))
    kind = by if isinstance(by, str) else None  # an array is equal to no word
    if kind == "datasets":
        return Groups("dataset", tuple(datasets), np.arange(len(datasets), dtype=np.intp))
    if kind == "clusters":
        return _clusters(matrix, datasets)
    if kind == "task_type":
        types = matrix.datasets["task_type"]
        task_type_codes(matrix)  # raises where one is unknown
        codes, found = pd.factorize(types)
        return Groups("task type", tuple(map(str, found)), np.asarray(codes, dtype=np.intp))
    raise ParameterError(
        f"{parameter} must be 'datasets', 'clusters', 'task_type', or a mapping of dataset to "
        f"group; got {by!r}."
    )


def _clusters(matrix: ScoreMatrix, datasets: list[str]) -> Groups:
    models = len(matrix.scores)
    if models < 3:
        raise InputError(
            "Which datasets repeat each other cannot be told from fewer than three models, over "
            "which any two datasets correlate by 1 or -1: give clusters as a mapping of dataset to "
            "group, found on a larger board, or count each dataset."
        )
    numbers = cluster_numbers(matrix, None)
    members = [np.flatnonzero(numbers == group) for group in range(numbers.max(initial=-1) + 1)]
    names = tuple(name_some((datasets[j] for j in group), 1) for group in members)
    notes: tuple[Note, ...] = ()
    if models < FEW_MODELS:
        message = f"Clusters rest on correlations over {models} models, and are uncertain."
        notes = (Note("few-models", message),)
    return Groups("cluster", names, numbers, notes)


def repeated_datasets(matrix: ScoreMatrix) -> tuple[tuple[str, ...], int]:
    """Return the datasets that share a cluster with others, and the number of clusters.

    None is named over a handful of models, where any two datasets may correlate.
    """
    if len(matrix.scores) < FEW_MODELS:
        return (), matrix.shape[1]
    numbers = cluster_numbers(matrix, None)
    repeated = np.bincount(numbers)[numbers] > 1
    return tuple(map(str, matrix.scores.columns[repeated])), int(numbers.max(initial=-1)) + 1


def cluster_numbers(
    matrix: ScoreMatrix, clusters: pd.Series | Mapping[str, Any] | None
) -> NDArray[np.intp]:
    """Return the cluster of each dataset, numbered from 0 in order of appearance.

    Parameters
    ----------
    matrix : ScoreMatrix
    clusters : Series or mapping, optional
        Dataset → cluster; by default, those of `cluster_datasets`. Datasets on which all models tie
        (number 0) stand alone.

    Raises
    ------
    InputError
        If a dataset has no cluster.
    """
    datasets = matrix.scores.columns
    if clusters is None:
        found = cluster_datasets(matrix)
        labels = [label or f"alone {name}" for name, label in found.items()]
    else:
        if not isinstance(clusters, Mapping | pd.Series):
            raise ParameterError(
                "clusters must be a Series or a mapping of dataset to cluster; got "
                f"{type(clusters).__name__}."
            )
        given = _given(list(map(str, datasets)), clusters, "clusters", "cluster")
        # `cluster_datasets` gives 0 to all datasets on which models tie; others may count from 0.
        flat = ~varies(matrix.scores.to_numpy())
        labels = [
            f"alone {name}" if alike and label == 0 else label
            for name, label, alike in zip(datasets, given, flat, strict=True)
        ]
    return np.asarray(pd.factorize(pd.Series(labels, dtype=object))[0], dtype=np.intp)


def _given(
    datasets: list[str], labels: Mapping[str, Any] | pd.Series, parameter: str, noun: str
) -> list[Any]:
    """Return the label that each dataset was given."""
    given = {str(name): label for name, label in labels.items()}
    unknown = [name for name in datasets if pd.isna(given.get(name))]
    if unknown:
        raise InputError(
            f"{parameter} has no {noun} for {len(unknown)} of {len(datasets)} datasets: "
            f"{name_some(unknown)}. Give every dataset one, or leave {parameter} out.",
            unknown,
        )
    return [given[name] for name in datasets]
