"""Every ranking of a study against the leaderboard's own (*Robustness* Appendix K)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks
from robustrank.errors import ParameterError
from robustrank.grid.layout import block_of
from robustrank.grid.leaderboard import knows_languages, leaderboard
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.grid.layout import BlockId
    from robustrank.grid.plan import CellPlan
    from robustrank.grid.study import Study

Baseline = Literal["language-mean", "task-type-mean", "mean", "borda"]


@dataclass(frozen=True, eq=False)
class BaselineAgreement:
    """Agreement of the rankings of each cell with the leaderboard's ranking of the same models.

    The first two columns of each table have the names of the study's two fields, ``language`` and
    ``task_type`` by default.

    Attributes
    ----------
    by : str
        The leaderboard's ranking.
    correlations : DataFrame
        One row per cell, ``composition`` and ``scheme``: ``spearman``, Spearman's ρ, NaN where
        either side ties all models or fewer than two are left; ``n_models`` compared;
        ``n_left_out``, ranked models that the leaderboard gives no score; ``n_datasets`` that its
        score rests on.
    notes : tuple of Note
    """

    by: Baseline
    correlations: pd.DataFrame
    notes: tuple[Note, ...]

    @property
    def by_composition(self) -> pd.DataFrame:
        """Spearman's ρ over schemes (K.1), one row per cell and composition.

        ``mean``, ``sd`` (of the population), ``low`` and ``high``. On a single dataset all schemes
        agree, and sd is 0.
        """
        return self._over("composition")

    @property
    def by_scheme(self) -> pd.DataFrame:
        """Spearman's ρ over compositions (K.2), one row per cell and scheme.

        ``mean``, ``sd`` (of the population), ``low`` and ``high``. Where ``all`` is the only
        composition, sd is 0.
        """
        return self._over("scheme")

    def _over(self, kept: str) -> pd.DataFrame:
        keys = [*self.correlations.columns[:2], kept]
        groups = self.correlations.groupby(keys, sort=False)["spearman"]
        table = pd.DataFrame(
            {
                "mean": groups.mean(),
                "sd": groups.std(ddof=0),
                "low": groups.min(),
                "high": groups.max(),
            }
        )
        return table.reset_index()


def compare_with_baseline(study: Study, by: Baseline | None = None) -> BaselineAgreement:
    """Correlate every ranking of a study with the leaderboard's own.

    Parameters
    ----------
    study : Study
    by : {"language-mean", "task-type-mean", "mean", "borda"}, optional
        The leaderboard's ranking. ``"language-mean"``: by the mean over all splits × subsets in
        the language, on the cell's datasets, of those that a model has: MTEB's *Performance per
        language*, filtered by task type. ``"task-type-mean"``: by the mean over all datasets of the
        task type, in whatever language; a model without one of them has no place.
        ``"mean"``: by the mean over the datasets that all ranked models of the cell have.
        ``"borda"``: MTEB's Borda count over all datasets and models. By default
        ``"language-mean"``, or ``"task-type-mean"`` where scores per language are not known.

    Returns
    -------
    BaselineAgreement

    Raises
    ------
    ParameterError
        For an unknown `by`, or ``"language-mean"`` of a study without scores per language.

    Notes
    -----
    *Robustness* does not say which ranking of the leaderboard it compares with. On its data,
    ``"language-mean"`` is the closest to the stated correlations, and the only one under which
    languages that share a single dataset differ, as they do in the paper.
    """
    if by is not None and by not in get_args(Baseline):
        known = ", ".join(map(repr, get_args(Baseline)))
        raise ParameterError(f"by must be one of {known}; got {by!r}.", [by])
    if by is None:
        by = "language-mean" if knows_languages(study) else "task-type-mean"
    board_for = leaderboard(study, by)
    level, per_language = study.settings["level"], by == "language-mean"
    found: dict[tuple[BlockId, str | None], _Fit] = {}
    fits: list[tuple[CellPlan, _Fit]] = []
    for cell in study.plan.cells:
        block = block_of(cell, level)
        if block in study.blocks:
            key = block, cell.language if per_language else None  # many cells share a block
            if key not in found:
                found[key] = _fit(study.blocks[block].ranks, *board_for(cell))
            fits.append((cell, found[key]))
    return BaselineAgreement(by=by, correlations=_table(study, fits), notes=_notes(fits))


@dataclass(frozen=True, eq=False)
class _Fit:
    """How the rankings of one block fit the leaderboard's."""

    spearman: pd.Series
    n_models: int
    n_left_out: int
    n_datasets: int


def _fit(ranks: pd.DataFrame, board: pd.Series, n_datasets: int) -> _Fit:
    scores = board.reindex(ranks.index).to_numpy()
    held = ~np.isnan(scores)
    rho = _spearman(ranks.to_numpy()[held], scores[held])
    n_models = int(held.sum())
    return _Fit(pd.Series(rho, index=ranks.columns), n_models, len(ranks) - n_models, n_datasets)


def _table(study: Study, fits: list[tuple[CellPlan, _Fit]]) -> pd.DataFrame:
    language, task_type = study.plan.by
    cells = pd.DataFrame(
        {
            language: [cell.language for cell, _ in fits],
            task_type: [cell.task_type for cell, _ in fits],
            "n_models": [fit.n_models for _, fit in fits],
            "n_left_out": [fit.n_left_out for _, fit in fits],
            "n_datasets": [fit.n_datasets for _, fit in fits],
        }
    )
    sizes = [len(fit.spearman) for _, fit in fits]
    table = cells.loc[np.repeat(cells.index, sizes)].reset_index(drop=True)
    rho = pd.concat([fit.spearman for _, fit in fits]).rename("spearman").reset_index()
    for place, name in enumerate(rho.columns, start=2):
        table.insert(place, name, rho[name])
    return table


def _spearman(ranks: FloatArray, board: FloatArray) -> FloatArray:
    """Correlate each column of ranks, shape (m, k), with scores, shape (m,)."""
    if len(board) == 0:
        return np.full(ranks.shape[1], np.nan)
    x = average_ranks(ranks, higher_is_better=False)
    y = average_ranks(board)
    x, y = x - x.mean(axis=0), y - y.mean()
    scale = np.sqrt((x**2).sum(axis=0) * (y**2).sum())
    scale[scale == 0.0] = np.nan  # ranks are halves, so that a tie of all is exactly 0
    correlation: FloatArray = np.clip(y @ x / scale, -1.0, 1.0)
    return correlation


def _notes(fits: list[tuple[CellPlan, _Fit]]) -> tuple[Note, ...]:
    notes = []
    named = {f"{cell.language} {cell.task_type}": fit for cell, fit in fits}
    left_out = {name: fit.n_left_out for name, fit in named.items() if fit.n_left_out}
    if left_out:
        shown = [f"{name} ({number})" for name, number in left_out.items()]
        message = (
            f"In {count(len(left_out), 'cell')} ranked models have no score on the leaderboard's "
            f"side, and are left out: {name_some(shown)}."
        )
        notes.append(Note("baseline-left-out", message, tuple(left_out)))
    undefined = tuple(name for name, fit in named.items() if fit.spearman.isna().any())
    if undefined:
        message = (
            f"In {count(len(undefined), 'cell')} a correlation is undefined: too few models are "
            f"left, or one side ties them all: {name_some(undefined)}."
        )
        notes.append(Note("baseline-undefined", message, undefined))
    return tuple(notes)
