"""Which models nothing beats at their price: the Pareto front of score over a resource.

After *MTEB-PT* (2026), §9, with the chance of being on the front from the resamples of datasets
that the intervals of the scores come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank._numeric import TIE_DECIMALS
from robustrank._resource import named_resource, read_resource
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.resampling import Bootstrap, paired_bootstrap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
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
    better : {"low", "high"}
        Which end of the resource is desirable.
    notes : tuple of Note
    """

    table: pd.DataFrame
    better: Better
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

    def plot(
        self,
        ax: Axes | None = None,
        *,
        label: str = "resource",
        score_label: str = "score",
        score_interval: pd.DataFrame | None = None,
    ) -> Axes:
        """Draw scores over the resource, and the front.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure of a fitting size by default.
        label, score_label : str
            What the resource and the score are.
        score_interval : DataFrame, optional
            ``low`` and ``high`` of each model's score.

        Returns
        -------
        Axes
            Models without a value of the resource, or a score, are counted below.
        """
        table = self.table if score_interval is None else self.table.join(score_interval)
        lacking = {"no-resource": f"{label} unknown", "no-score": "scores missing"}
        remarks = [
            f"{count(len(note.labels), 'model')} not shown: {lacking[note.code]}"
            for note in self.notes
            if note.code in lacking
        ]
        return figures.pareto(
            table,
            ax,
            label=label,
            score_label=score_label,
            better=self.better,
            remark="; ".join(remarks),
        )

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
    values, notes = read_resource(given, names)
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
    return ParetoFront(table, better, merge_notes(own, bootstrap.notes, notes, more, remarks))


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
    given = named_resource(matrix.models, resource) if isinstance(resource, str) else resource
    return paired_bootstrap(matrix, n_resamples=n_resamples, seed=seed), given


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
