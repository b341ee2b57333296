"""How well few items rank the models: the most informative ones against random ones.

The experiment of *MTEB-PT* (2026), §8.1, with its cross-model validation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._numeric import content_order, kendall_tau, varies
from robustrank.errors import (
    MissingScoresError,
    ParameterError,
    check_count,
    check_level,
    check_seed,
)
from robustrank.irt._responses import parse_responses
from robustrank.irt._scoring import score
from robustrank.irt._wording import describe_selection
from robustrank.irt.information import informative_items
from robustrank.irt.instances import fit_2pl_instances
from robustrank.notes import Note, count, merge_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray
    from robustrank.irt.instances import InstanceIRT
    from robustrank.matrix import ScoreMatrix

    Scorer = Callable[[NDArray[np.intp]], FloatArray]

ItemScore = Literal["accuracy", "ability"]

#: Half of this many models cannot be ranked and fitted sensibly.
_FEWEST_TO_SPLIT = 8
#: Nodes to start from: few items leave wide posteriors.
_N_NODES = 201
_COLUMNS = ["informative", "random", "random_low", "random_high", "least"]


@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """Agreement of rankings by few items with the ranking by all.

    Attributes
    ----------
    table : DataFrame
        Index ``size``, the number of items: Kendall's τ-b between the ranking by that many items
        and the ranking by all. ``informative``: the most informative items; ``random``: mean over
        draws, with the percentiles ``random_low`` and ``random_high``; ``least``: the least
        informative items that tell models apart, NaN where there are too few.
    held_out : DataFrame
        The same, with items chosen on one half of the models and the other half ranked: means over
        splits and both directions, percentiles over the draws of all. Empty without splits.
    fit : InstanceIRT
        The fit on all models.
    score : str
        What ranks the models: ``"accuracy"`` or ``"ability"``.
    notes : tuple of Note
    """

    table: pd.DataFrame
    held_out: pd.DataFrame
    fit: InstanceIRT
    score: ItemScore
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return describe_selection(self)


def evaluate_selection(
    responses: ScoreMatrix | pd.DataFrame | ArrayLike,
    sizes: int | Sequence[int] = (25, 50, 100, 200),
    *,
    score: ItemScore = "accuracy",
    n_random: int = 100,
    n_splits: int = 3,
    confidence_level: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> Selection:
    """Compare rankings by the most informative, random and least informative items.

    Parameters
    ----------
    responses : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × items, 1 right and 0 wrong, complete.
    sizes : int or sequence of int
        Numbers of items.
    score : {"accuracy", "ability"}
        How some items rank the models: by the share of right answers to them, or by the ability
        that the answers imply given the fit. The ranking by all items uses the same score.
    n_random : int
        Number of random draws of items.
    n_splits : int
        Number of random splits of the models into halves; each half once chooses the items on
        which the other half is ranked. 0 for none.
    confidence_level : float
        Share of the random draws between ``random_low`` and ``random_high``.
    seed : int or numpy.random.Generator

    Returns
    -------
    Selection

    Raises
    ------
    ParameterError
        If a setting is out of its range.
    MissingScoresError
        If a response is missing: accuracies on few items would not be comparable.
    """
    if score not in get_args(ItemScore):
        raise ParameterError(f"score must be 'accuracy' or 'ability'; got {score!r}.")
    check_count("n_random", n_random, 1)
    check_count("n_splits", n_splits, 0)
    check_level(confidence_level)
    check_seed(seed)
    table = parse_responses(responses)
    _check_complete(table)
    wanted = _checked_sizes(sizes, table.shape[1])
    rng = np.random.default_rng(seed)
    rows, columns = content_order(table)  # draws do not depend on the arrangement
    ordered = table.iloc[rows, columns]
    fit = fit_2pl_instances(responses)
    notes: tuple[Note, ...] = ()
    percentiles = 50.0 * (1.0 + confidence_level * np.array([-1.0, 1.0]))

    def compare(fitted: InstanceIRT, ranked: pd.DataFrame) -> FloatArray:
        return _compare(fitted, ranked, wanted, score, n_random, rng)

    whole = compare(fit, ordered)
    splits = []
    if n_splits and len(table) < _FEWEST_TO_SPLIT:
        message = (
            f"{count(len(table), 'model')} cannot be split into halves that rank anything, so "
            "there is no held-out result."
        )
        notes = (Note("no-holdout", message),)
    elif n_splits:
        for _ in range(n_splits):
            shuffled = rng.permutation(len(ordered))
            half = len(shuffled) // 2
            for part in (shuffled[:half], shuffled[half:]):
                chooser = fit_2pl_instances(ordered.iloc[np.sort(part)])
                others = np.setdiff1d(shuffled, part)
                notes += tuple(n for n in chooser.notes if n.code == "not-converged")
                splits.append(compare(chooser, ordered.iloc[others]))
    return Selection(
        table=_summary([whole], wanted, percentiles),
        held_out=_summary(splits, wanted if splits else [], percentiles),
        fit=fit,
        score=score,
        notes=merge_notes(fit.notes, notes),
    )


def _tau(x: FloatArray, y: FloatArray) -> float:
    return float(kendall_tau(np.column_stack([x, y]))[0, 1])


def _check_complete(table: pd.DataFrame) -> None:
    holes = table.isna().to_numpy()
    if holes.any():
        row, column = np.argwhere(holes)[0]
        model, item = table.index[row], table.columns[column]
        raise MissingScoresError(
            f"{count(int(holes.sum()), 'response')} missing, first that of {model!r} on {item!r}. "
            "Rankings by different items are not comparable: drop the items (responses.dropna("
            "axis='columns')) or the models with missing responses.",
            [model, item],
        )


def _checked_sizes(sizes: int | Sequence[int], n_items: int) -> list[int]:
    listed = sizes if isinstance(sizes, Iterable) else [sizes]
    wanted = [check_count("every size", size, 1) for size in listed]
    if not wanted or max(wanted) > n_items:
        raise ParameterError(
            f"sizes are numbers of items, of the {n_items:,} there are; got {sizes!r}."
        )
    return wanted


def _compare(
    fit: InstanceIRT,
    ranked: pd.DataFrame,
    sizes: list[int],
    how: ItemScore,
    n_random: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return τ-b per size and choice of items: informative, least informative, random draws."""
    by = _accuracy(ranked) if how == "accuracy" else _ability(fit, ranked)
    n = ranked.shape[1]
    reference = by(np.arange(n))
    best_first = ranked.columns.get_indexer(informative_items(fit).index)
    active = varies(fit.responses[ranked.columns].to_numpy())
    least_first = best_first[active[best_first]][::-1]
    taus = np.full((len(sizes), 2 + n_random), np.nan)
    for row, size in enumerate(sizes):
        taus[row, 0] = _tau(by(best_first[:size]), reference)
        if size <= len(least_first):
            taus[row, 1] = _tau(by(least_first[:size]), reference)
    for draw in range(n_random):
        shuffled = rng.permutation(n)  # a larger size keeps the items of a smaller one
        for row, size in enumerate(sizes):
            taus[row, 2 + draw] = _tau(by(shuffled[:size]), reference)
    return taus


def _accuracy(ranked: pd.DataFrame) -> Scorer:
    right = ranked.to_numpy()
    return lambda items: np.asarray(right[:, items].mean(axis=1))


def _ability(fit: InstanceIRT, ranked: pd.DataFrame) -> Scorer:
    right = ranked.to_numpy()
    a = fit.discrimination[ranked.columns].to_numpy()
    d = -a * fit.difficulty[ranked.columns].to_numpy()
    return lambda items: score(right[:, items], a[items], d[items], _N_NODES).mean


def _summary(parts: list[FloatArray], sizes: list[int], percentiles: FloatArray) -> pd.DataFrame:
    """Average over `parts`; a draw on which all models tie says nothing and is left out."""
    index = pd.Index(sizes, name="size", dtype=np.int64)
    table = pd.DataFrame(np.nan, index=index, columns=_COLUMNS)
    for row, size in enumerate(sizes):
        rows = np.array([part[row] for part in parts])
        draws = rows[:, 2:][~np.isnan(rows[:, 2:])]
        table.loc[size, "informative"] = rows[:, 0].mean()
        table.loc[size, "least"] = rows[:, 1].mean()
        if draws.size:
            table.loc[size, "random"] = draws.mean()
            table.loc[size, ["random_low", "random_high"]] = np.percentile(draws, percentiles)
    return table
