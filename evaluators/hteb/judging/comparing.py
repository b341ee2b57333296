"""Which generators differ: a paired bootstrap over items, adjusted, and the letters of groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._cliques import cliques, neighbour_runs
from robustrank.matrix import ScoreMatrix
from robustrank.resampling import paired_bootstrap

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.resampling import Bootstrap

#: Ratings are handed to the bootstrap as if in per cent, as scores are: only their order and their
#: differences matter to it.
_PERCENT = 100.0
#: Groups beyond this number would need more letters than anyone reads.
_MOST_GROUPS = 200

_COLUMNS = ["generator_a", "generator_b", "difference", "low", "high", "p_value", "p_adjusted"]


@dataclass(frozen=True, eq=False)
class Compared:
    """Means, pairs and groups of generators; see `JudgeScores` for the tables.

    `floor` is the smallest adjusted p-value that a pair could have.
    """

    average: pd.DataFrame
    comparisons: pd.DataFrame
    groups: list[list[str]]
    floor: float


def compare_generators(observations: pd.DataFrame, *, alpha: float, **settings: Any) -> Compared:
    """Compare all pairs of generators.

    Parameters
    ----------
    observations : DataFrame, generator × item
        Complete; without items, everything is undefined.
    alpha : float
    **settings
        Of `paired_bootstrap`.

    Returns
    -------
    Compared
    """
    names = np.asarray(observations.index, dtype=object)
    if not observations.shape[1]:
        empty = pd.DataFrame(np.nan, index=pd.Index(names, name="generator"), columns=[*"xyz"])
        average = empty.set_axis(["mean", "low", "high"], axis="columns").assign(letters="")
        pairs = pd.DataFrame(columns=[*_COLUMNS, "significant"])
        return Compared(average, pairs, [], float("nan"))
    bootstrap = _resample(observations.to_numpy(), **settings)
    order = [int(position) for position in bootstrap.order]
    found = bootstrap.compare("all", adjustment="holm", test="bootstrap")
    pairs = found.table.drop(columns=["probability", "significant"])
    pairs[["difference", "low", "high"]] *= _PERCENT
    ends = [pairs.pop(name).astype(int).to_numpy() for name in ("model_a", "model_b")]
    significant = (pairs["p_adjusted"] <= alpha + 1e-12).to_numpy()
    alike = np.ones((len(names), len(names)), dtype=bool)
    alike[ends[0][significant], ends[1][significant]] = False
    alike[ends[1][significant], ends[0][significant]] = False
    pairs.insert(0, "generator_a", names[ends[0]])
    pairs.insert(1, "generator_b", names[ends[1]])
    pairs["significant"] = significant
    alike = alike[np.ix_(order, order)]
    members = cliques(alike, _MOST_GROUPS) or neighbour_runs(alike)
    average = pd.DataFrame(
        {
            "mean": bootstrap.estimate.to_numpy() * _PERCENT,
            "low": bootstrap.interval["low"].to_numpy() * _PERCENT,
            "high": bootstrap.interval["high"].to_numpy() * _PERCENT,
        },
        index=pd.Index(names, name="generator"),
    ).iloc[order]
    average["letters"] = letters(members, len(order))
    groups = [[str(names[order[place]]) for place in group] for group in members]
    return Compared(average, pairs, groups, found.floor)


def letters(groups: list[list[int]], n: int) -> list[str]:
    """Return the letters of n things: those of the groups that each is in, ``a`` first.

    Parameters
    ----------
    groups : list of list of int
        Places from 0; the first group is called ``a``, the 27th ``aa``.
    n : int
    """
    return [
        "".join(_letter(number) for number, group in enumerate(groups) if place in group)
        for place in range(n)
    ]


def against_zero(
    observations: FloatArray, **settings: Any
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the ends of intervals of the means of rows over items, and p-values of their being 0.

    Parameters
    ----------
    observations : ndarray, shape (k, n)
    **settings
        Of `paired_bootstrap`.
    """
    zero = np.zeros_like(observations[:1])
    found = _resample(np.concatenate([observations, zero]), **settings)
    low, high = found.interval[["low", "high"]].to_numpy()[:-1].T * _PERCENT
    return low, high, found.p_values.to_numpy()[:-1, -1]


def _resample(observations: FloatArray, **settings: Any) -> Bootstrap:
    rows, columns = ([str(number) for number in range(size)] for size in observations.shape)
    frame = pd.DataFrame(observations, index=rows, columns=columns)
    return paired_bootstrap(ScoreMatrix(frame, scale="percent"), **settings)


def _letter(number: int) -> str:
    more, place = divmod(number, 26)
    return ("" if not more else _letter(more - 1)) + chr(ord("a") + place)
