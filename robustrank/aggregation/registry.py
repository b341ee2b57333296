"""The registry of aggregates: what turns a row of scores into the number that ranks a model."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.aggregation.bradley_terry import BradleyTerryKernel
from robustrank.aggregation.kernels import Kernel, LinearKernel, SchemeKernel, z_scores
from robustrank.errors import InputError, UnknownLabelError, unknown_label
from robustrank.irt import fit_2pl
from robustrank.mcdm import SCHEMES
from robustrank.notes import name_some
from robustrank.voting import votes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix


@dataclass(frozen=True)
class Aggregate:
    """A way to turn a model's scores into the number that ranks it; higher is better.

    Attributes
    ----------
    name : str
        Key of `AGGREGATES`.
    description : str
    source : str
        Where it was published, or who uses it.
    prepare : callable
        `ScoreMatrix` → `Kernel`.
    """

    name: str
    description: str
    source: str
    prepare: Callable[[ScoreMatrix], Kernel]

    def __str__(self) -> str:
        return self.name


def _complete(values: FloatArray) -> NDArray[np.bool_]:
    return np.asarray(~np.isnan(values).any(axis=1))


def _mean(matrix: ScoreMatrix) -> Kernel:
    values = matrix.scores.to_numpy()
    return LinearKernel(values, _complete(values), slope=np.ones(values.shape[1]))


def _task_type_mean(matrix: ScoreMatrix) -> Kernel:
    values = matrix.scores.to_numpy()
    groups, slope = task_type_codes(matrix), np.ones(values.shape[1])
    return LinearKernel(values, _complete(values), groups=groups, slope=slope)


def _z_score_mean(matrix: ScoreMatrix) -> Kernel:
    values = matrix.scores.to_numpy()
    scaled, slope = z_scores(values)
    return LinearKernel(scaled, _complete(values), slope=slope)


def _discrimination_weighted(matrix: ScoreMatrix) -> Kernel:
    values = matrix.scores.to_numpy()
    found = fit_2pl(matrix, n_refits=0).discrimination.to_numpy()
    usable = np.isfinite(found)
    # A dataset without a discrimination separates nobody; without any, all count the same.
    weights = np.where(usable, found, 0.0) if usable.any() else np.ones(len(found))
    slope = np.ones(len(found))
    return LinearKernel(values, _complete(values), importance=weights, slope=slope)


def _borda(matrix: ScoreMatrix) -> Kernel:
    cast = votes(matrix.scores.to_numpy(), "plain")
    return LinearKernel(cast, np.asarray(~np.isnan(cast).all(axis=1)), partial=True)


def _borda_mteb(matrix: ScoreMatrix) -> Kernel:
    cast = votes(matrix.scores.to_numpy(), "mteb")
    return LinearKernel(cast, np.ones(len(cast), dtype=bool), partial=True)


def _bradley_terry(matrix: ScoreMatrix) -> Kernel:
    return BradleyTerryKernel(matrix.scores.to_numpy())


def _scheme(name: str) -> Callable[[ScoreMatrix], Kernel]:
    return lambda matrix: SchemeKernel.of(matrix.scores.to_numpy(), SCHEMES[name])


def task_type_codes(matrix: ScoreMatrix) -> NDArray[np.intp]:
    """Return the task types of the datasets as numbers from 0.

    Raises
    ------
    InputError
        If the task type of a dataset is not known.
    """
    column = matrix.datasets.get("task_type")
    types = pd.Series(np.nan, index=matrix.scores.columns) if column is None else column
    unknown = types.index[types.isna().to_numpy()]
    if len(unknown):
        raise InputError(
            f"The task type of {len(unknown)} of {len(types)} datasets is unknown: "
            f"{name_some(unknown, 3)}. Read the board with its task metadata, "
            "robustrank.read(path, tasks=...), or give ScoreMatrix(scores, datasets=...) a "
            "column 'task_type'.",
            unknown,
        )
    codes, _ = pd.factorize(types, sort=True)
    return np.asarray(codes, dtype=np.intp)


#: Ability under item response theory: `compare_aggregations` has it beside the aggregates.
IRT_ABILITY = "irt-ability"

#: Every aggregate by its name: `mean` and its relatives, votes, then the ranking schemes.
AGGREGATES: Mapping[str, Aggregate] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            Aggregate("mean", "mean score over datasets", "MTEB's Mean (Task)", _mean),
            Aggregate(
                "task-type-mean",
                "mean over task types of the mean within each",
                "MTEB's Mean (TaskType)",
                _task_type_mean,
            ),
            Aggregate(
                "z-score-mean",
                "mean of scores standardised within each dataset",
                "MTEB-PT (2026), §6",
                _z_score_mean,
            ),
            Aggregate(
                "discrimination-weighted-mean",
                "mean weighted by the discrimination of each dataset, fitted once",
                "MTEB-PT (2026), §6",
                _discrimination_weighted,
            ),
            Aggregate("borda", "mean share of opponents beaten", "de Borda (1781)", _borda),
            Aggregate(
                "borda-mteb", "mean Borda points, none for a missing score", "MTEB", _borda_mteb
            ),
            Aggregate(
                "bradley-terry",
                "log strength in pairwise comparisons on every dataset",
                "Bradley & Terry (1952), Biometrika 39(3/4)",
                _bradley_terry,
            ),
            *(
                Aggregate(scheme.id, scheme.description, scheme.source, _scheme(scheme.id))
                for scheme in SCHEMES.values()
            ),
        )
    }
)


def resolve_aggregate(name: str | Aggregate) -> Aggregate:
    """Return the aggregate of that name.

    Raises
    ------
    UnknownLabelError
        If there is none.
    """
    if isinstance(name, Aggregate):
        return name
    if name == IRT_ABILITY:
        raise UnknownLabelError(
            f"{name!r} is fitted, and not computed from resamples: analyze gives abilities with "
            "their intervals under `irt`, and fit_2pl alone. Choose another aggregate.",
            [name],
        )
    if not isinstance(name, str) or name not in AGGREGATES:
        raise unknown_label("aggregate", name, AGGREGATES)
    return AGGREGATES[name]
