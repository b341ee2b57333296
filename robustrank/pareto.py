"""Which models nothing beats at their price: the Pareto front of score over a resource.

After *MTEB-PT* (2026), §9, with the chance of being on the front from the resamples of datasets
that the intervals of the scores come from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._checks import check_unique
from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import EmptyMatrixError, NonNumericError, ParameterError, unknown_label
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.resampling import Bootstrap, paired_bootstrap

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray

Better = Literal["low", "high"]


@dataclass(frozen=True, eq=False)
class ParetoFront:
    """Models that no other model beats on score and resource together.

    A model is dominated if another is no worse on both and better on one. Two models that are
    equal on both do not dominate each other.

    Attributes
    ----------
    table : DataFrame
        Index ``model``, best resource first, then best score: ``resource``, ``score``,
        ``on_front``, ``p_front`` (NaN where nothing can be resampled, as with one dataset) and
        ``dominated_by`` (None on the front).
    notes : tuple of Note
    """

    table: pd.DataFrame
    notes: tuple[Note, ...] = ()

    @property
    def front(self) -> pd.Series:
        """Scores of the models on the front, in order of resource."""
        scores: pd.Series = self.table.loc[self.table["on_front"], "score"]
        return scores

    @property
    def p_front(self) -> pd.Series:
        """Share of the resamples of datasets with each model on the front; NaN without any."""
        return self.table["p_front"]

    @property
    def dominated(self) -> pd.Series:
        """Each dominated model → the best-scoring model of the front that dominates it."""
        leaders: pd.Series = self.table.loc[~self.table["on_front"], "dominated_by"]
        return leaders

    def __repr__(self) -> str:
        front = self.front
        return (
            f"ParetoFront({len(front)} of {count(len(self.table), 'model')}: "
            f"{name_some(front.index)})"
        )


def pareto_front(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike | Bootstrap,
    resource: str | Mapping[str, float] | pd.Series,
    *,
    better: Better = "low",
    n_resamples: int = 10_000,
    seed: int | np.random.Generator = 0,
) -> ParetoFront:
    """Find the models on the Pareto front of score over a resource.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame, array_like or Bootstrap
        Models × datasets, or what `paired_bootstrap` returned for them.
    resource : str, mapping or Series
        Model → price, number of parameters, latency, …; or the name of a column of
        ``ScoreMatrix.models``, such as ``"n_parameters"``. Models without a value are left out.
    better : {"low", "high"}
        Which end of the resource is desirable.
    n_resamples : int
        Resamples of the datasets, where `scores` are scores.
    seed : int or numpy.random.Generator
        Of these resamples.

    Returns
    -------
    ParetoFront

    Raises
    ------
    UnknownLabelError
        If the models' metadata have no such column.
    NonNumericError
        If a value of the resource is not a finite number.
    EmptyMatrixError
        If no model has a value.
    """
    if better not in get_args(Better):
        raise ParameterError(f"better must be 'low' or 'high'; got {better!r}.")
    bootstrap, given = _opened(scores, resource, n_resamples, seed)
    names = [str(name) for name in bootstrap.models]
    values, notes = _resources(given, names)
    estimate = bootstrap.estimate.to_numpy(dtype=np.float64)
    held, more = _held(bootstrap, values, names)
    costs = values[held] if better == "low" else -values[held]
    point = np.round(estimate[held], TIE_DECIMALS)
    # Cheapest first; of equal costs, best score first; what still ties, by name.
    order = np.lexsort((np.array(names)[held], -point, costs))
    kept = held[order]
    first, last = _equal_costs(costs[order])
    p_front, remarks = _share_on_front(bootstrap.samples[kept], first, last)
    on_front = _on_front(point[order][:, None], first, last)[:, 0]
    table = pd.DataFrame(
        {
            "resource": values[kept],
            "score": estimate[kept],
            "on_front": on_front,
            "p_front": p_front,
        },
        index=pd.Index([names[i] for i in kept], name="model"),
    )
    leaders = table.index.to_series().iloc[_leaders(point[order], last)].set_axis(table.index)
    table["dominated_by"] = leaders.astype("object").where(~table["on_front"], None)
    own = scores.notes if isinstance(scores, ScoreMatrix) else ()
    return ParetoFront(table, merge_notes(own, bootstrap.notes, notes, more, remarks))


def _opened(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike | Bootstrap,
    resource: str | Mapping[str, float] | pd.Series,
    n_resamples: int,
    seed: int | np.random.Generator,
) -> tuple[Bootstrap, Mapping[str, float] | pd.Series]:
    """Return the bootstrap of the scores, and the resource by model."""
    if isinstance(scores, Bootstrap):
        if isinstance(resource, str):
            raise ParameterError(
                f"A bootstrap has no metadata to find {resource!r} in. Pass the values, such as "
                f"matrix.models[{resource!r}], or the matrix instead of the bootstrap.",
                [resource],
            )
        return scores, resource
    matrix = ScoreMatrix.coerce(scores)
    given = _column(matrix, resource) if isinstance(resource, str) else resource
    return paired_bootstrap(matrix, n_resamples=n_resamples, seed=seed), given


def _column(matrix: ScoreMatrix, name: str) -> pd.Series:
    if name not in matrix.models.columns:
        raise unknown_label("column of the models' metadata", name, matrix.models.columns)
    return matrix.models[name]


def _resources(
    given: Mapping[str, float] | pd.Series, names: list[str]
) -> tuple[FloatArray, list[Note]]:
    """Return the resource of each model, NaN where it has none, and notes on who has none."""
    if not isinstance(given, Mapping | pd.Series):
        raise ParameterError(
            "resource must be a mapping or Series of model to number, or the name of a column of "
            f"the models' metadata; got {type(given).__name__}."
        )
    if isinstance(given, pd.Series):
        check_unique([str(model) for model in given.index], "resource", "row")
    known: dict[str, float] = {}
    for model, value in given.items():
        if not pd.isna(value):
            known[str(model)] = _finite(model, value)
    if not set(names).intersection(known):
        raise EmptyMatrixError(
            f"No model has a value of the resource: it is given for {name_some(known, 3) or 'none'}"
            f"; the models are {name_some(names, 3)}.",
            names,
        )
    notes = []
    without = tuple(name for name in names if name not in known)
    if without:
        message = (
            f"{count(len(without), 'model')} of {len(names)} left out of the front, without a "
            f"value of the resource: {name_some(without)}."
        )
        notes.append(Note("no-resource", message, without))
    strangers = tuple(name for name in known if name not in set(names))
    if strangers:
        message = (
            f"The resource names {count(len(strangers), 'model')} without scores: "
            f"{name_some(strangers)}."
        )
        notes.append(Note("unused-resource", message, strangers))
    return np.array([known.get(name, np.nan) for name in names]), notes


def _held(
    bootstrap: Bootstrap, values: FloatArray, names: list[str]
) -> tuple[NDArray[np.intp], list[Note]]:
    """Return the rows with a resource and a rank, and a note on those without a rank.

    A model that the aggregate does not rank has a mean over other datasets than the rest.
    """
    ranked = bootstrap.rank.notna().to_numpy()
    held = np.flatnonzero(~np.isnan(values) & ranked)
    unscored = tuple(names[i] for i in np.flatnonzero(~np.isnan(values) & ~ranked))
    if not len(held):
        raise EmptyMatrixError(
            f"No model has both a score and a value of the resource; {name_some(unscored)} lack "
            "scores. Resolve missing scores first: matrix.resolve_missing().",
            unscored,
        )
    if not unscored:
        return held, []
    message = (
        f"{count(len(unscored), 'model')} left out of the front for missing scores: "
        f"{name_some(unscored)}."
    )
    return held, [Note("no-score", message, unscored)]


def _finite(model: object, value: Any) -> float:
    numeric = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if not numeric or not math.isfinite(value):
        raise NonNumericError(
            f"The resource of {str(model)!r} is {value!r}, not a finite number. Correct it, or "
            "leave it empty if it is unknown.",
            [model],
        )
    return float(value)


def _equal_costs(costs: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return, for each of the sorted costs, the first and the last position of its run."""
    starts = np.flatnonzero(np.r_[True, costs[1:] != costs[:-1]])
    ends = np.r_[starts[1:], len(costs)] - 1
    runs = ends - starts + 1
    return np.repeat(starts, runs), np.repeat(ends, runs)


def _on_front(
    samples: FloatArray, first: NDArray[np.intp], last: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Tell for each model, sorted by cost, and each resample whether the model is on the front.

    It is if it beats every cheaper model and no model of its own cost beats it. One running maximum
    answers both.
    """
    scores = np.round(samples, TIE_DECIMALS)
    scores[np.isnan(scores)] = -np.inf  # without a score in a resample: on no front
    best = np.maximum.accumulate(scores, axis=0)
    cheaper = np.where((first > 0)[:, None], best[first - 1], -np.inf)
    return np.asarray((scores > cheaper) & (scores >= best[last]))


def _share_on_front(
    samples: FloatArray, first: NDArray[np.intp], last: NDArray[np.intp]
) -> tuple[FloatArray, list[Note]]:
    """Return how often each model is on the front, over the resamples that score any of them."""
    telling = ~np.isnan(samples).all(axis=0)
    if telling.any():
        return _on_front(samples[:, telling], first, last).mean(axis=1), []
    message = (
        "Nothing can be resampled, so the chance of being on the front is undefined: p_front is "
        "NaN."
    )
    return np.full(len(samples), np.nan), [Note("undefined-p-front", message)]


def _leaders(scores: FloatArray, last: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each model the cheapest of the best among those that cost no more."""
    best = np.maximum.accumulate(scores)
    rises = np.r_[True, best[1:] > best[:-1]]
    return np.maximum.accumulate(np.where(rises, np.arange(len(scores)), 0))[last]
