"""Which datasets to leave out of a benchmark, and what that does to the ranking.

After the screen of *MTEB-PT* (2026), §3 and §8: datasets at the floor of chance, degenerate or not
discriminating are cut, and the rankings before and after the cut are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import (
    average_ranks,
    content_order,
    correlation_matrix,
    kendall_tau,
    row_means,
)
from robustrank.errors import ParameterError
from robustrank.irt._findings import (
    at_chance,
    chance_levels,
    redundant,
    redundant_pairs,
    saturated,
    turned,
    unusable,
    weak,
)
from robustrank.irt._panel import LEAST
from robustrank.irt._wording import describe_screening
from robustrank.irt.task import TaskIRT, fit_2pl
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

#: With fewer models in common, two datasets are not compared (see `find_redundancy`).
_FEW_MODELS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Screening:
    """Findings on each dataset, and the rankings with all of them and with those kept.

    Attributes
    ----------
    table : DataFrame
        Per dataset: a column of bool for each finding (``sparse``, ``degenerate``, ``chance``,
        ``saturated``, ``reversed``, ``weak``, ``redundant``), and the ``reason`` in words, empty
        where there is no finding.
    kept : list of str
        Datasets without a finding.
    redundant : DataFrame
        Pairs of datasets that rank models alike, strongest first: ``dataset`` (the more
        discriminating one), ``other`` and their rank ``correlation``.
    correlation : DataFrame, shape (n, n)
        Spearman's rank correlation between datasets.
    rank_agreement : Series
        Of the correlations between two datasets: ``mean``, ``lowest``, ``highest``, and the means
        ``within`` and ``across`` task types, NaN where task types are unknown.
    ranking : DataFrame
        Per model: ``mean_before``, ``rank_before``, ``mean_after``, ``rank_after``; NaN where a
        score is missing.
    tau, spearman : float
        Kendall's τ-b and Spearman's ρ between the two rankings, over the models in both.
    notes : tuple of Note
    """

    table: pd.DataFrame
    kept: list[str]
    redundant: pd.DataFrame
    correlation: pd.DataFrame
    rank_agreement: pd.Series
    ranking: pd.DataFrame
    tau: float
    spearman: float
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return describe_screening(self)


def screen_datasets(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    chance: float | Mapping[str, float] | pd.Series | None = None,
    margin: float = 0.02,
    ceiling: float = 0.95,
    most: float = 0.75,
    min_discrimination: float = 0.1,
    max_correlation: float = 0.95,
    irt: TaskIRT | None = None,
) -> Screening:
    """Flag datasets that say little about the models, and rank the models without them.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets; missing scores are allowed.
    chance : float, or mapping or Series of dataset to score, optional
        What guessing scores, 0..1: on every dataset, or on each. Datasets left out are not checked
        against it.
    margin : float
        A model is above chance if it scores more than this above it.
    ceiling : float
        A model is at the top of a dataset if it scores at least this.
    most : float
        A dataset is at chance (or saturated) if at least this share of its models is not above
        chance (or at the top).
    min_discrimination : float
        A dataset is weak if its discrimination is below this: the one without the ridge, the
        ``slope`` of `TaskIRT.table`.
    max_correlation : float
        Two datasets are redundant if their rank correlation, either way, is above this. The more
        discriminating one is kept.
    irt : TaskIRT, optional
        A fit of the same scores, if there is one already.

    Returns
    -------
    Screening

    Raises
    ------
    ParameterError
        If a setting is out of its range, or `irt` a fit of other datasets.
    UnknownLabelError
        If `chance` names a dataset that does not occur.

    Notes
    -----
    A dataset is sparse with fewer than three scores, degenerate if all its models tie, and reversed
    if its rank correlation with ability is negative beyond chance. Rankings are by mean score.
    """
    for name, value in (
        ("margin", margin),
        ("ceiling", ceiling),
        ("most", most),
        ("max_correlation", max_correlation),
    ):
        if not isinstance(value, Real) or not 0.0 <= value <= 1.0:
            raise ParameterError(f"{name} must lie between 0 and 1; got {value!r}.")
    if not isinstance(min_discrimination, Real) or not min_discrimination >= 0.0:
        raise ParameterError(
            f"min_discrimination must be a number of at least 0; got {min_discrimination!r}."
        )
    matrix = ScoreMatrix.coerce(scores)
    names = matrix.scores.columns
    if irt is None:
        irt = fit_2pl(matrix, n_refits=0)
    elif not isinstance(irt, TaskIRT) or list(irt.discrimination.index) != list(names):
        raise ParameterError("irt is a fit of other datasets; leave it out, or fit these scores.")
    levels = chance_levels(chance, names)
    order = content_order(matrix.scores)
    reasons: dict[str, dict[str, str]] = {
        **unusable(matrix.scores),
        "chance": at_chance(matrix.scores, levels, margin, most),
        "saturated": saturated(matrix.scores, ceiling, most),
        "reversed": turned(irt),
    }
    # What has another reason is no news if it discriminates little.
    explained = set().union(*reasons.values())
    reasons["weak"] = {
        name: why for name, why in weak(irt, min_discrimination).items() if name not in explained
    }
    correlation = _rank_correlation(matrix, *order)
    flagged = set().union(*reasons.values())
    # Stable: datasets of equal discrimination go by content.
    by_use = irt.discrimination.iloc[order[1]].sort_values(ascending=False, kind="stable").index
    reasons["redundant"] = redundant(
        correlation, [name for name in by_use if name not in flagged], max_correlation
    )
    table = pd.DataFrame(
        {finding: [name in found for name in names] for finding, found in reasons.items()},
        index=names,
    )
    table["reason"] = [
        "; ".join(found[name] for found in reasons.values() if name in found) for name in names
    ]
    kept = [name for name in names if not table.loc[name, "reason"]]
    ranking = _rankings(matrix.scores, kept)
    both = ranking[["rank_before", "rank_after"]].dropna().to_numpy()
    return Screening(
        table=table,
        kept=kept,
        redundant=redundant_pairs(correlation, list(by_use), max_correlation),
        correlation=correlation,
        rank_agreement=_rank_agreement(correlation, matrix.datasets["task_type"]),
        ranking=ranking,
        tau=float(kendall_tau(both)[0, 1]),
        spearman=float(correlation_matrix(both, "spearman")[0, 1]) if len(both) else np.nan,
        notes=_notes(matrix, irt, levels, kept, ranking),
    )


def _rank_correlation(
    matrix: ScoreMatrix, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> pd.DataFrame:
    """Correlate ranks over shared models, all pairs of datasets with the same holes at once."""
    arranged = matrix.scores.iloc[rows, columns]
    values = arranged.to_numpy()
    shared = 2 if matrix.is_complete else min(_FEW_MODELS, max(LEAST, len(values) // 2))
    masks, which = np.unique(~np.isnan(values), axis=1, return_inverse=True)
    groups = [np.flatnonzero(which.reshape(-1) == k) for k in range(masks.shape[1])]
    r = np.full((len(columns), len(columns)), np.nan)
    for (i, first), (j, second) in combinations_with_replacement(enumerate(groups), 2):
        both = masks[:, i] & masks[:, j]
        if both.sum() >= shared:
            members = np.concatenate([first, second])
            block = correlation_matrix(values[np.ix_(both, members)], "spearman")
            block = block[: len(first), len(first) :]
            r[np.ix_(first, second)], r[np.ix_(second, first)] = block, block.T
    names = matrix.scores.columns
    return pd.DataFrame(r, arranged.columns, arranged.columns).loc[names, names]


def _rank_agreement(correlation: pd.DataFrame, task_types: pd.Series) -> pd.Series:
    pairs = np.triu_indices(len(correlation), k=1)
    values = correlation.to_numpy()[pairs]
    types = task_types.to_numpy(dtype=object)
    typed = task_types.notna().to_numpy()
    known = typed[pairs[0]] & typed[pairs[1]]
    same = np.zeros(len(values), dtype=bool)
    same[known] = types[pairs[0][known]] == types[pairs[1][known]]

    def mean(which: NDArray[np.bool_]) -> float:
        chosen = np.sort(values[which & ~np.isnan(values)])  # sorted: no bit depends on the order
        return float(chosen.mean()) if len(chosen) else np.nan

    defined = values[~np.isnan(values)]
    return pd.Series(
        {
            "mean": mean(np.ones(len(values), dtype=bool)),
            "lowest": defined.min() if len(defined) else np.nan,
            "highest": defined.max() if len(defined) else np.nan,
            "within": mean(same),
            "across": mean(known & ~same),
        },
        name="rank_agreement",
    )


def _rankings(scores: pd.DataFrame, kept: list[str]) -> pd.DataFrame:
    """Rank by mean score, before the cut over all datasets with a score, and after it."""
    columns = {}
    for when, chosen in (("before", scores.dropna(axis=1, how="all")), ("after", scores[kept])):
        empty = np.full(len(scores), np.nan)
        means = row_means(chosen.to_numpy()) if chosen.shape[1] else empty
        columns[f"mean_{when}"], columns[f"rank_{when}"] = means, average_ranks(means)
    return pd.DataFrame(columns, index=scores.index)


def _notes(
    matrix: ScoreMatrix,
    irt: TaskIRT,
    levels: dict[str, float],
    kept: list[str],
    ranking: pd.DataFrame,
) -> tuple[Note, ...]:
    notes = [note for note in irt.notes if note.code == "irt-undefined"]
    unchecked = tuple(name for name in matrix.scores.columns if name not in levels)
    if unchecked:
        message = (
            f"{count(len(unchecked), 'dataset')} not compared with chance, whose level was not "
            f"given: {name_some(unchecked)}."
        )
        notes.append(Note("chance-not-checked", message, unchecked))
    if not kept:
        notes.append(Note("nothing-kept", "Every dataset has a finding, so none is left."))
    unranked = tuple(ranking.index[ranking[["mean_before", "mean_after"]].isna().any(axis=1)])
    if kept and unranked:
        message = (
            f"{count(len(unranked), 'model')} not ranked before or after the cut for missing a "
            f"score: {name_some(unranked)}."
        )
        notes.append(Note("unranked-models", message, unranked))
    return merge_notes(matrix.notes, notes)
