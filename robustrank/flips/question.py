"""What is asked of a ranking: which model is to stand above which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import EmptyMatrixError, MissingScoresError, ParameterError, unknown_label
from robustrank.flips.terms import TIE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix

Goal = Literal["pass", "first"]


@dataclass(frozen=True, eq=False)
class Question:
    """One of three: any model passes another, one does, or one comes first of all.

    Attributes
    ----------
    goal : {"pass", "first"}
    over : int
        The model to be passed; for ``"first"`` the leader of the others.
    challengers : ndarray of int
        The models that may do it: one, or all that are not above `over`.
    aggregates : ndarray, shape (m,)
        Of all models.
    """

    goal: Goal
    over: int
    challengers: NDArray[np.intp]
    aggregates: FloatArray

    @property
    def model(self) -> int | None:
        """The one challenger, if there is one."""
        return int(self.challengers[0]) if len(self.challengers) == 1 else None

    def lead(self, values: FloatArray) -> FloatArray:
        """Return how far the challengers lead, shape (k,), of aggregates, shape (m, k)."""
        best = values[self.challengers].max(axis=0)
        if self.goal == "pass":
            return np.asarray(best - values[self.over])
        return np.asarray(best - self.others(values).max(axis=0))

    def others(self, values: FloatArray) -> FloatArray:
        """Return the rows of all but the challengers."""
        return np.asarray(np.delete(values, self.challengers, axis=0))

    def quickest(self, sizes: FloatArray) -> int | None:
        """Return the challenger with the smallest size, of several the one that scores best.

        `sizes`, shape (m,), are NaN for models that nothing puts above `over`.
        """
        able = self.challengers[~np.isnan(sizes[self.challengers])]
        if not len(able):
            return None
        return int(able[np.lexsort((-self.aggregates[able], sizes[able]))[0]])

    @property
    def answered(self) -> bool:
        """Whether it is so already."""
        return self.lead_now > TIE

    @property
    def level(self) -> bool:
        """Whether it draws level already, or is so."""
        return self.lead_now >= -TIE

    @property
    def lead_now(self) -> float:
        """How far the challengers lead as it is."""
        return float(self.lead(self.aggregates[:, None])[0])


def ask(
    given: ScoreMatrix,
    work: ScoreMatrix,
    values: FloatArray,
    model: str | None,
    over: str | None,
    goal: Goal,
) -> Question:
    """Find the models that are meant.

    Parameters
    ----------
    given : ScoreMatrix
        As the user gave it.
    work : ScoreMatrix
        The complete models.
    values : ndarray, shape (m,)
        Their aggregate.
    model, over, goal
        See `smallest_change`.

    Raises
    ------
    InputError
        If a model is unknown or incomplete, or they do not make a question.
    """
    if goal not in get_args(Goal):
        raise ParameterError(f"goal must be 'pass' or 'first'; got {goal!r}.")
    if len(values) < 2:
        raise EmptyMatrixError("One model has no rival to pass it; give at least two models.")
    asked = None if model is None else _place(given, work, model)
    against = None if over is None else _place(given, work, over)
    if goal == "first":
        if asked is None or against is not None:
            raise ParameterError(
                "goal='first' is about one model against all others: name model, and not over."
            )
        return Question(goal, _leader(values, asked), np.array([asked]), values)
    if against is None:
        against = _leader(values, asked)
    if asked is not None:
        if asked == against:
            raise ParameterError(f"model and over are both {model!r}; name two models.", [model])
        return Question(goal, against, np.array([asked]), values)
    rivals = np.flatnonzero(values <= values[against] + TIE)
    rivals = rivals[rivals != against]
    if not len(rivals):
        raise ParameterError(
            f"Every other model is above {str(over)!r} already; name another model in over.", [over]
        )
    return Question(goal, against, rivals, values)


def _place(given: ScoreMatrix, work: ScoreMatrix, name: str) -> int:
    if not isinstance(name, str):
        raise unknown_label("model", name, given.scores.index)
    if name in work.scores.index:
        return list(work.scores.index).index(name)
    if name in given.scores.index:
        lacking = given.scores.loc[name].loc[work.scores.columns].isna()
        raise MissingScoresError(
            f"{name!r} has no score on {lacking.sum()} of {len(lacking)} datasets, so that it "
            "takes no rank. Select datasets that it ran, or some models, and drop the datasets "
            "with missing scores: resolve_missing('drop-datasets').",
            [name],
        )
    raise unknown_label("model", name, given.scores.index)


def _leader(values: FloatArray, without: int | None) -> int:
    """Return the first model of all, or of the others."""
    rounded = values.round(TIE_DECIMALS)
    if without is not None:
        rounded[without] = -np.inf
    return int(rounded.argmax())
