"""From resamples to a `Bootstrap`: intervals, ranks, probabilities and tiers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks
from robustrank._percentiles import deviations, percentile_interval
from robustrank.aggregation.kernels import LinearKernel
from robustrank.resampling.bootstrap import (
    Bootstrap,
    best_first,
    share_resolved,
    tier_numbers,
)
from robustrank.resampling.pairs import (
    ByDataset,
    Outcomes,
    count_outcomes,
    in_units,
    shared_datasets,
)
from robustrank.resampling.places import Places, take_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.aggregation import Kernel
    from robustrank.matrix import ScoreMatrix


def summarise(
    matrix: ScoreMatrix,
    kernel: Kernel,
    counts: FloatArray,
    samples: FloatArray,
    settings: dict[str, Any],
    units: NDArray[np.intp],
) -> Bootstrap:
    """Turn the resamples into intervals, ranks, probabilities and tiers.

    `units` tells which datasets were drawn together, shape (n,).
    """
    models, values = matrix.scores.index, matrix.scores.to_numpy()
    m, n = values.shape
    everything = np.ones((1, n))
    estimate = kernel(everything)[:, 0]
    # What a model scored on a single unit stays as it is in every resample: nothing varies.
    several = in_units(kernel.held, units).sum(axis=1) >= min(2, int(units.max()) + 1)
    ranked = kernel.ranked & several & ~np.isnan(estimate)
    places = take_places(samples if ranked.all() else np.where(ranked[:, None], samples, np.nan))
    outcomes = count_outcomes(places, ranked)
    by_dataset = None
    if isinstance(kernel, LinearKernel):
        importance = kernel.weights(everything)[0]
        by_dataset = ByDataset(kernel.contributions, importance, kernel.weights(counts), units)
        if not ranked.all():
            by_dataset.add_outcomes(outcomes, ranked)
    # Where every resample holds the same datasets, nothing is known of how they matter.
    if not settings["two_level"] and not (counts != counts[0]).any():
        samples = np.full_like(samples, np.nan)
        outcomes = Outcomes(*(np.zeros((m, m), dtype=np.int64) for _ in range(3)))
        places = take_places(samples)
    rank = np.full(m, np.nan)
    rank[ranked] = average_ranks(estimate[ranked])
    tail = (1.0 - settings["confidence_level"]) / 2.0
    rank_low, rank_high = places.rank_quantiles(tail, 1.0 - tail)
    low, high = percentile_interval(samples, settings["confidence_level"])
    spread = deviations(samples)
    if not settings["two_level"]:
        low[~several] = high[~several] = spread[~several] = np.nan
    placed = np.where(np.isnan(rank_low), np.nan, 1.0)
    p_best = places.share_within(1) * placed
    order = best_first(rank, p_best)
    chance = outcomes.probability
    tiers = np.full(m, np.nan)
    numbers = tier_numbers(chance[np.ix_(order, order)], settings["tier_threshold"])
    tiers[order[: len(numbers)]] = numbers
    resolved = share_resolved(chance[np.ix_(order, order)], settings["tier_threshold"])

    def series(numbers: FloatArray, name: str) -> pd.Series:
        return pd.Series(numbers, index=models, name=name)

    def bounds(low: FloatArray, high: FloatArray) -> pd.DataFrame:
        return pd.DataFrame({"low": low, "high": high}, index=models)

    def square(table: FloatArray | NDArray[np.int64]) -> pd.DataFrame:
        return pd.DataFrame(table, index=models, columns=models)

    return Bootstrap(
        estimate=series(estimate, settings["aggregate"]),
        mean=series(_means(values), "mean"),
        standard_error=series(spread, "standard_error"),
        interval=bounds(low, high),
        rank=series(rank, "rank"),
        # Where many models are close, the rank observed may lie outside the percentiles.
        rank_interval=bounds(np.minimum(rank_low, rank), np.maximum(rank_high, rank)),
        p_best=series(p_best, "p_best"),
        p_top=series(places.share_within(settings["top_k"]) * placed, "p_top"),
        pairwise=square(chance),
        p_values=square(outcomes.p_values),
        n_shared=square(shared_datasets(values)),
        tiers=series(tiers, "tier").astype("Int64"),
        resolved=resolved[0],
        resolved_adjacent=resolved[1],
        order=[str(model) for model in models[order]],
        samples=samples,
        settings=settings,
        places=places,
        by_dataset=by_dataset,
    )


def _means(values: FloatArray) -> FloatArray:
    """Average each row over what it has."""
    held = ~np.isnan(values)
    ran = held.sum(axis=1)
    sums, undefined = np.where(held, values, 0.0).sum(axis=1), np.full(len(values), np.nan)
    return np.asarray(np.divide(sums, ran, out=undefined, where=ran > 0))


def in_order(found: Bootstrap, rows: NDArray[np.intp]) -> Bootstrap:
    """Return the models in the order of the matrix that was given."""
    by_row = {
        name: getattr(found, name).iloc[rows]
        for name in (
            "estimate",
            "mean",
            "standard_error",
            "interval",
            "rank",
            "rank_interval",
            "p_best",
            "p_top",
            "tiers",
        )
    }
    square = {
        name: getattr(found, name).iloc[rows, rows] for name in ("pairwise", "p_values", "n_shared")
    }
    places, by_dataset = found.places, found.by_dataset
    first = places.first[rows]
    last = first if places.last is places.first else places.last[rows]
    if by_dataset is not None:
        by_dataset = replace(by_dataset, contributions=by_dataset.contributions[rows])
    return replace(
        found,
        **by_row,
        **square,
        samples=found.samples[rows],
        places=Places(first, last),
        by_dataset=by_dataset,
    )
