"""What different aggregates make of one board, and how far they agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._arrange import by_content
from robustrank._numeric import average_ranks, kendall_tau
from robustrank.aggregation.registry import (
    AGGREGATES,
    IRT_ABILITY,
    Aggregate,
    resolve_aggregate,
)
from robustrank.errors import InputError, ParameterError
from robustrank.irt import fit_2pl
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Aggregations:
    """One board under many aggregates.

    Attributes
    ----------
    scores : DataFrame, model × aggregate
        Higher is better; NaN where the aggregate does not rank the model.
    ranks : DataFrame, model × aggregate
        1 is best, ties share their average rank.
    tau : DataFrame, aggregate × aggregate
        Kendall's τ-b over the models that both rank.
    first : Series
        Aggregate → the model it puts first; tied ones are joined by ``" = "``. Missing where it
        ranks none.
    notes : tuple of Note
    """

    scores: pd.DataFrame
    ranks: pd.DataFrame
    tau: pd.DataFrame
    first: pd.Series
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        k = self.ranks.shape[1]
        off = self.tau.to_numpy()[np.triu_indices(k, k=1)]
        known = off[~np.isnan(off)]
        votes = self.first.value_counts()
        text = f"Aggregations({count(len(self.ranks), 'model')}, {count(k, 'aggregate')}"
        if len(known):
            text += f"; tau {known.min():.2f} to {known.max():.2f}"
        if len(votes):
            text += f"; {votes.index[0]} first in {votes.iloc[0]} of {k}"
        return f"{text})"


def compare_aggregations(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    aggregates: str | Aggregate | Iterable[str | Aggregate] | None = None,
) -> Aggregations:
    """Rank a board by many aggregates and say how far they agree.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. With missing scores, Borda counts, Bradley-Terry strengths and ability
        rank every model with a score, the other aggregates those with all of them.
    aggregates : str or iterable of str, optional
        Names in `AGGREGATES`, or ``"irt-ability"``; by default all of them. Without metadata on
        task types, the mean by task type is left out of the default, with a note.

    Returns
    -------
    Aggregations

    Raises
    ------
    InputError
        If an aggregate is unknown, or one was asked for by name that needs task types.
    """
    matrix = ScoreMatrix.coerce(scores)
    asked: list[str | Aggregate] = []
    if aggregates is not None:
        asked = [aggregates] if isinstance(aggregates, str | Aggregate) else list(aggregates)
    if aggregates is not None and not asked:
        raise ParameterError("No aggregate was named; leave aggregates out to use all of them.")
    table = matrix.scores
    work = by_content(matrix)
    notes: list[Note] = []
    found: dict[str, FloatArray] = {}
    for name, entry in {str(entry): entry for entry in asked or [*AGGREGATES, IRT_ABILITY]}.items():
        if entry == IRT_ABILITY:
            fit = fit_2pl(work, n_refits=0)
            found[name] = fit.ability.to_numpy()
            notes += fit.notes
            continue
        try:
            kernel = resolve_aggregate(entry).prepare(work)
        except InputError as error:
            if asked:
                raise
            message = f"{name} left out: {error}"
            notes.append(Note("aggregate-left-out", message, (name,)))
            continue
        values = kernel(np.ones((1, table.shape[1])))[:, 0]
        found[name] = np.where(kernel.ranked, values, np.nan)
    notes += _unranked(work, found)
    values = np.column_stack(list(found.values()))
    names = pd.Index(found, name="aggregate")
    tau = pd.DataFrame(kendall_tau(values), index=names, columns=names)
    by_model = pd.DataFrame(values, index=work.scores.index, columns=names).loc[table.index]
    ranks = pd.DataFrame(average_ranks(by_model.to_numpy()), index=table.index, columns=names)
    return Aggregations(by_model, ranks, tau, _first(ranks), merge_notes(matrix.notes, notes))


def _first(ranks: pd.DataFrame) -> pd.Series:
    leaders = {
        name: " = ".join(map(str, ranks.index[(column == column.min()).to_numpy()])) or np.nan
        for name, column in ranks.items()
    }
    return pd.Series(leaders, name="first", dtype=object).rename_axis("aggregate")


def _unranked(matrix: ScoreMatrix, found: dict[str, FloatArray]) -> list[Note]:
    holes = matrix.scores.isna().any(axis=1).to_numpy()
    partial = [name for name, values in found.items() if np.isnan(values[holes]).any()]
    if not partial:
        return []
    names = tuple(str(name) for name in matrix.scores.index[holes])
    message = (
        f"{count(len(names), 'model')} with missing scores, which only some aggregates rank "
        f"(not {name_some(partial, 3)}): {name_some(names)}."
    )
    return [Note("incomplete-models", message, names)]
