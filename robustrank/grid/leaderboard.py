"""The leaderboard's own ranking of the models of a cell."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import row_means
from robustrank.errors import ParameterError
from robustrank.grid.layout import block_of
from robustrank.voting import borda

if TYPE_CHECKING:
    from collections.abc import Callable

    from robustrank.grid.baseline import Baseline
    from robustrank.grid.plan import CellPlan
    from robustrank.grid.source import Source
    from robustrank.grid.study import Study

    #: The leaderboard's score of each model, higher is better, and on how many datasets it rests.
    Board = tuple[pd.Series, int]


def knows_languages(study: Study) -> bool:
    """Tell whether a study is one of languages and has scores per language."""
    return study.source.knows_languages and study.plan.by[0] == "language"


def leaderboard(study: Study, by: Baseline) -> Callable[[CellPlan], Board]:
    """Return what gives the leaderboard's scores for a cell; see `compare_with_baseline`."""
    if by == "language-mean":
        if not knows_languages(study):
            raise ParameterError(
                "by='language-mean' needs scores per language: a study of languages made from a "
                "long table with a column of languages, or from a folder of MTEB results. Use "
                "by='task-type-mean'."
            )
        return _language_means(study.source)
    matrix = study.source.matrix
    scores = matrix.scores

    def mean_over(names: list[str]) -> Board:
        means = row_means(scores[names].to_numpy()) if names else np.nan
        return pd.Series(means, index=scores.index), len(names)

    if by == "task-type-mean":
        return lambda cell: mean_over(study.plan.groups[cell.task_type])
    if by == "mean":

        def over_common(cell: CellPlan) -> Board:
            ranked = study.blocks[block_of(cell, study.settings["level"])].ranks.index
            return mean_over(list(scores.columns[scores.loc[ranked].notna().all()]))

        return over_common
    counted = -borda(matrix, "mteb")["rank"], scores.shape[1]
    return lambda _: counted


def _language_means(source: Source) -> Callable[[CellPlan], Board]:
    """Average the scores in the language of a cell on its datasets."""
    totals = lru_cache(maxsize=1)(source.totals)  # cells come language by language
    models = source.matrix.scores.index
    datasets = source.matrix.scores.columns

    def mean(cell: CellPlan) -> Board:
        own = datasets.isin(cell.scored)
        total, seen = totals(cell.language)
        total, seen = total[:, own], seen[:, own]
        held = seen.sum(axis=1)
        means = np.divide(total.sum(axis=1), held, out=np.full(len(held), np.nan), where=held > 0)
        return pd.Series(means, index=models), int(seen.any(axis=0).sum())

    return mean
