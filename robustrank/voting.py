"""Borda count: each dataset votes by ranking the models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS, average_ranks
from robustrank.errors import ParameterError
from robustrank.matrix import ScoreMatrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray

BordaMethod = Literal["plain", "mteb"]


def borda(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike, method: BordaMethod = "plain"
) -> pd.DataFrame:
    """Rank models by Borda count over datasets.

    On a dataset that m models ran, a model of rank r beats m - r of them (ties count half).

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets; missing scores are allowed.
    method : {"plain", "mteb"}
        ``"plain"``: points are the share of opponents beaten, (m - r) / (m - 1), averaged over the
        datasets that the model ran: a missing score neither helps nor hurts. ``"mteb"``: the
        leaderboard of MTEB, where a dataset gives (number of models on the board) - r points and a
        missing score gives 0; tied totals share the best rank. On complete matrices both order
        models alike.

    Returns
    -------
    DataFrame
        Index ``model``, best first: ``points``, ``rank``, ``n_datasets`` (datasets with a score).
        A model without any score has no rank under ``"plain"``.

    Notes
    -----
    With missing scores neither count is fair: that of MTEB rewards rare datasets (a model alone on
    one receives the points of beating every other model on the board), the plain one rewards
    specialists (a model that ran the one dataset it is best on leads). See ``n_datasets``.
    """
    if method not in get_args(BordaMethod):
        raise ParameterError(f"method must be 'plain' or 'mteb'; got {method!r}.")
    table = ScoreMatrix.coerce(scores).scores
    cast = votes(table.to_numpy(), method)
    held = ~np.isnan(cast)
    totals = np.where(held, cast, 0.0).sum(axis=1)
    voters = table.notna().sum(axis=1)
    if method == "mteb":
        points = pd.Series(totals, index=table.index)
        rank = points.round(TIE_DECIMALS).rank(ascending=False, method="min")
    else:
        counted = held.sum(axis=1)
        mean = np.divide(totals, counted, out=np.full(len(table), np.nan), where=counted > 0)
        points = pd.Series(mean, index=table.index)
        rank = points.round(TIE_DECIMALS).rank(ascending=False, method="average")
    result = pd.DataFrame({"points": points, "rank": rank, "n_datasets": voters})
    return result.sort_values("rank", kind="stable")


def votes(values: FloatArray, method: BordaMethod) -> FloatArray:
    """Return what each dataset gives each model.

    Parameters
    ----------
    values : ndarray, shape (m, n)
        Scores, NaN where missing.
    method : {"plain", "mteb"}

    Returns
    -------
    ndarray, shape (m, n)
        ``"plain"``: (m_j - r) / (m_j - 1) over the m_j models that ran dataset j; NaN for a
        missing score, and on a dataset that a single model ran: it compares nobody.
        ``"mteb"``: m - r, and 0 for a missing score.
    """
    ranks = average_ranks(values)
    if method == "mteb":
        return np.nan_to_num(len(values) - ranks)
    ran = (~np.isnan(values)).sum(axis=0)
    return np.asarray((ran - ranks) / np.where(ran > 1, ran - 1.0, np.nan))
