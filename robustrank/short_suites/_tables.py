"""What a search found, as tables with the names of datasets and models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks
from robustrank.short_suites._agreement import smallest
from robustrank.short_suites._places import leader_kept, top_overlap
from robustrank.short_suites._trials import RandomSuites, middle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix


def suite_curve(
    matrix: ScoreMatrix,
    order: NDArray[np.intp],
    costs: FloatArray,
    full: FloatArray,
    values: FloatArray,
    in_sample: FloatArray,
    held_out: FloatArray,
    error: FloatArray,
    randoms: RandomSuites,
) -> pd.DataFrame:
    """Describe the suites of the first 1, 2, … datasets of an order.

    `full`, shape (m,), and `values`, shape (m, size), rank the models of `matrix` by all datasets
    and by each suite.
    """
    spent = np.cumsum(costs[order])
    mean, low, high = middle(randoms.within(spent))
    return pd.DataFrame(
        {
            "dataset": [str(matrix.scores.columns[column]) for column in order],
            "cost": spent,
            "tau": in_sample,
            "held_out": held_out,
            "held_out_error": error,
            "random": mean,
            "random_low": low,
            "random_high": high,
            "leader_kept": leader_kept(full, values),
            "top_overlap": top_overlap(full, values),
        },
        index=pd.RangeIndex(1, len(order) + 1, name="size"),
    )


def compare_suites(
    curve: pd.DataFrame,
    chosen: int | None,
    tau: float,
    randoms: RandomSuites,
) -> pd.DataFrame:
    """Say what it takes to reach τ: the suite chosen, one judged in sample, and random ones."""
    rows: dict[str, tuple[float, float, float]] = {}
    spent = curve["cost"].to_numpy()
    in_sample, held_out = curve["tau"].to_numpy(), curve["held_out"].to_numpy()
    for name, size, found in (
        ("held out", chosen, held_out),
        ("in sample", smallest(in_sample, tau), in_sample),
    ):
        if size is not None:
            rows[name] = (size, spent[size - 1], found[size - 1])
    mean, low, _ = middle(randoms.tau.T)
    cost = randoms.costs.mean(axis=0)
    for name, found in (("random, mean", mean), ("random, 95%", low)):
        size = smallest(found, tau)
        if size is not None:
            rows[name] = (size, cost[size - 1], found[size - 1])
    cheapest = randoms.cheapest(tau)
    if cheapest is not None:
        rows["random, cheapest"] = cheapest
    names = pd.Index(
        ["held out", "in sample", "random, mean", "random, 95%", "random, cheapest"], name="suite"
    )
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["size", "cost", "tau"])
    return table.reindex(names).astype({"size": "Int64", "cost": "float64", "tau": "float64"})


def suite_ranks(
    given: ScoreMatrix, work: ScoreMatrix, full: FloatArray, suite: FloatArray
) -> pd.DataFrame:
    """Return the rank of each model by all datasets and by a suite, best first."""
    ranks = average_ranks(np.column_stack([full, suite]))
    table = pd.DataFrame(ranks, index=work.scores.index, columns=["full", "suite"])
    return table.loc[given.scores.index].sort_values("full", kind="stable").rename_axis("model")
