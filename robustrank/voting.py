"""Borda count: each dataset votes by ranking the models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import pandas as pd

from robustrank._numeric import average_ranks
from robustrank.errors import ParameterError
from robustrank.matrix import ScoreMatrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

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
    ranks = pd.DataFrame(average_ranks(table.to_numpy()), index=table.index, columns=table.columns)
    voters = table.notna().sum(axis=1)
    if method == "mteb":
        points = (len(table) - ranks).sum(axis=1)
        rank = points.round(10).rank(ascending=False, method="min")
    else:
        ran = table.notna().sum()
        # A dataset that a single model ran compares nobody: its vote is not counted.
        points = ((ran - ranks) / (ran - 1).where(ran > 1)).mean(axis=1)
        rank = points.round(10).rank(ascending=False, method="average")
    result = pd.DataFrame({"points": points, "rank": rank, "n_datasets": voters})
    return result.sort_values("rank", kind="stable")
