"""One board of a comparison: its scores of the matched models, and one number per model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from robustrank._arrange import by_content
from robustrank.aggregation import resolve_aggregate
from robustrank.comparison.matching import Matches, suggestions
from robustrank.errors import EmptyMatrixError, InputError, MissingScoresError, ParameterError
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._missing import Missing
    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix

Aggregate = str | Callable[[pd.DataFrame], pd.Series]
#: A correlation of two points is 1 or -1 whatever they are.
FEWEST = 3


class TaskType(NamedTuple):
    """A task type as its board writes it, and the board's datasets of that type."""

    name: str
    datasets: list[str]


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two boards.

    Attributes
    ----------
    label : str
        ``"A"`` or ``"B"``.
    matrix : ScoreMatrix
        The models compared, those of both boards in the same order.
    names : dict of str to str
        Name on A → name on B of these models.
    resolved : ScoreMatrix
        All matched models that the missing-data policy leaves, with its notes.
    matched : ScoreMatrix
        All matched models, before the policy.
    """

    label: str
    matrix: ScoreMatrix
    names: dict[str, str]
    resolved: ScoreMatrix
    matched: ScoreMatrix

    @property
    def task_types(self) -> dict[str, TaskType]:
        """Task type without case → its name and datasets."""
        found: dict[str, TaskType] = {}
        for dataset, name in self.matrix.datasets["task_type"].dropna().items():
            key = str(name).casefold()
            found.setdefault(key, TaskType(str(name), [])).datasets.append(str(dataset))
        return found

    def holds(self, datasets: list[str]) -> NDArray[np.bool_]:
        """Tell which models have a score on some of the datasets, shape (m,)."""
        return self.matrix.scores[datasets].notna().any(axis=1).to_numpy()

    def score(self, aggregate: Aggregate) -> FloatArray:
        """Return one finite number per model from its scores; raise if one has none."""
        values = _aggregated(aggregate, self.matrix, self.label)
        bad = self.matrix.scores.index[~np.isfinite(values)]
        if len(bad):
            raise MissingScoresError(
                f"aggregate gives no finite number for {name_some(bad)} of board {self.label}. "
                "Choose missing='drop-models' (--missing drop-models), or an aggregate that takes "
                "missing scores.",
                bad,
            )
        return values

    def score_part(
        self, aggregate: Aggregate, datasets: list[str], held: NDArray[np.bool_]
    ) -> FloatArray:
        """Return one number for each of some models from their scores on some datasets.

        NaN or infinite where the aggregate gives no number.
        """
        models = list(map(str, self.matrix.scores.index[held]))
        return _aggregated(
            aggregate, self.matrix.arrange(models=models, datasets=datasets), self.label
        )


def _aggregated(aggregate: Aggregate, matrix: ScoreMatrix, label: str) -> FloatArray:
    """Return one number per model of a matrix, in its order."""
    if callable(aggregate):
        return _applied(aggregate, matrix.scores)
    if aggregate != "mean":
        return _named(aggregate, matrix, label)
    values = np.sort(matrix.scores.to_numpy(), axis=1)  # no order of datasets changes a bit
    observed = (~np.isnan(values)).sum(axis=1)
    means: FloatArray = np.asarray(np.nansum(values, axis=1) / observed)
    return means


def _named(aggregate: str, matrix: ScoreMatrix, label: str) -> FloatArray:
    """Return what an aggregate of `AGGREGATES` gives; NaN for a model that it cannot rank."""
    prepare = resolve_aggregate(aggregate).prepare
    work = by_content(matrix)
    try:
        kernel = prepare(work)
    except InputError as error:
        raise _in_order(prepare, matrix, label, error) from error
    values = kernel(np.ones((1, matrix.shape[1])))[:, 0]
    found = pd.Series(np.where(kernel.ranked, values, np.nan), index=work.scores.index)
    return np.asarray(found.loc[matrix.scores.index], dtype=np.float64)


def _in_order(
    prepare: Callable[[ScoreMatrix], object], matrix: ScoreMatrix, label: str, error: InputError
) -> InputError:
    """Return the error under the board's label, naming datasets in the board's order."""
    try:
        prepare(matrix)
    except InputError as again:
        error = again
    return type(error)(f"Board {label}: {error}", error.labels)


def _applied(aggregate: Callable[[pd.DataFrame], pd.Series], scores: pd.DataFrame) -> FloatArray:
    """Call a user's function, and check that it returns one number per model."""
    result = aggregate(scores.copy())
    if not isinstance(result, pd.Series) or set(result.index) != set(scores.index):
        raise ParameterError(
            "aggregate must return a Series with one number for each model (the rows it is given)."
        )
    values: FloatArray = result.reindex(scores.index).to_numpy(dtype=np.float64)
    return values


def check_matched(matches: Matches) -> None:
    """Raise if too few models are matched, suggesting names that are close."""
    if len(matches.pairs) >= FEWEST:
        return
    close = suggestions(matches.unmatched_a, matches.unmatched_b)
    remedy = (
        f"Close names: {'; '.join(close)}. Match them"
        if close
        else f"A has {name_some(matches.unmatched_a, 3)}; B has {name_some(matches.unmatched_b, 3)}"
        ". Match them"
    )
    raise EmptyMatrixError(
        f"The boards share {count(len(matches.pairs), 'model')}; a comparison needs at least "
        f"{FEWEST}. {remedy} with models={{name on A: name on B}} (--same NAME=NAME).",
        [*matches.unmatched_a, *matches.unmatched_b],
    )


def open_sides(
    boards: tuple[ScoreMatrix, ScoreMatrix], pairs: dict[str, str], missing: Missing
) -> tuple[Side, Side]:
    """Apply the missing-data policy to each board's matched models; keep those that both keep."""
    matched = [
        board.arrange(models=names, datasets=list(map(str, board.scores.columns)))
        for board, names in zip(boards, (list(pairs), list(pairs.values())), strict=True)
    ]
    resolved = [
        _resolve(matrix, label, missing) for matrix, label in zip(matched, "AB", strict=True)
    ]
    left_a, left_b = (set(matrix.scores.index) for matrix in resolved)
    names = {a: b for a, b in pairs.items() if a in left_a and b in left_b}
    if len(names) < FEWEST:
        raise EmptyMatrixError(
            f"Of {count(len(pairs), 'model')} on both boards, {len(left_a)} have the scores on A, "
            f"{len(left_b)} on B, and {len(names)} on both; a comparison needs at least {FEWEST}. "
            f"{_rarest(matched[0], 'A')} {_rarest(matched[1], 'B')} Leave rare datasets out with "
            "select(datasets=…) (--without NAME), or choose missing='drop-datasets' or 'keep' "
            "(--missing keep)."
        )
    side_a, side_b = (
        Side(
            label,
            table.arrange(models=kept, datasets=list(map(str, table.scores.columns))),
            names,
            table,
            before,
        )
        for label, table, before, kept in zip(
            "AB", resolved, matched, (list(names), list(names.values())), strict=True
        )
    )
    return side_a, side_b


def _resolve(matrix: ScoreMatrix, label: str, missing: Missing) -> ScoreMatrix:
    try:
        return matrix.resolve_missing(missing)
    except (EmptyMatrixError, MissingScoresError) as error:
        raise type(error)(f"Board {label}: {error}", error.labels) from error


def _rarest(matrix: ScoreMatrix, label: str) -> str:
    """Say which datasets of a board the fewest models have."""
    ran = matrix.scores.notna().sum().sort_values(kind="stable")
    shown = [f"{name} ({n})" for name, n in ran.head(3).items()]
    return f"Fewest scores on {label}: {', '.join(shown)}."
