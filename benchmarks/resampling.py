"""The paired bootstrap against peers in the same run: CPU seconds on 93 models × 22 datasets.

scipy, rliable and autorank do different parts of the same job; loops over resamples, as leaderboard
scripts have them, are timed on a few models or pairs and scaled. Run with ``--smoke`` for a check.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import time
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from _timing import best_of
from scipy import stats
from threadpoolctl import threadpool_limits

import robustrank as rr
from robustrank._percentiles import percentile_interval
from robustrank.aggregation import resolve_aggregate
from robustrank.resampling.draws import draw_counts
from robustrank.resampling.places import take_places

if TYPE_CHECKING:
    from collections.abc import Callable

MODELS, DATASETS = 93, 22


def board(models: int, datasets: int) -> pd.DataFrame:
    """Simulate scores of models of different ability on datasets of different difficulty."""
    rng = np.random.default_rng(0)
    ability, ease = rng.uniform(0.3, 0.7, (models, 1)), rng.uniform(-0.15, 0.15, datasets)
    scores = np.clip(ability + ease + rng.normal(0.0, 0.05, (models, datasets)), 0.01, 0.99)
    return pd.DataFrame(scores, index=[f"m{i}" for i in range(models)])


def seconds(task: Callable[[], object], repeats: int = 3) -> float:
    """Return the least CPU time of several runs."""
    return best_of(task, repeats, time.process_time)


def bare(values: np.ndarray, n_resamples: int) -> np.ndarray:
    """Draw counts, multiply, sort: what no bootstrap of the means can do without."""
    n = values.shape[1]
    counts = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), size=n_resamples)
    return np.sort(values @ counts.T / n, axis=1)


def intervals_and_ranks(matrix: rr.ScoreMatrix, n_resamples: int) -> tuple[object, ...]:
    """Intervals of means and ranks, and P(best): the part of `paired_bootstrap` to hold to that."""
    kernel = resolve_aggregate("mean").prepare(matrix)
    counts = draw_counts(np.random.default_rng(0), n_resamples, matrix.shape[1])
    samples = kernel(counts)
    places = take_places(samples)
    return (
        percentile_interval(samples, 0.95),
        places.rank_quantiles(0.025, 0.975),
        places.share_within(1),
    )


def loop_interval(scores: np.ndarray, n_resamples: int) -> np.ndarray:
    """One model's interval as a loop over resamples."""
    rng = np.random.default_rng(0)
    means = [np.mean(rng.choice(scores, size=len(scores))) for _ in range(n_resamples)]
    return np.percentile(means, [2.5, 97.5])


def loop_p_value(a: np.ndarray, b: np.ndarray, n_resamples: int) -> float:
    """One pair's p-value as a loop over resamples."""
    rng = np.random.default_rng(0)
    gaps = [np.mean(rng.choice(a - b, size=len(a))) for _ in range(n_resamples)]
    return 2 * min(np.mean(np.array(gaps) <= 0), np.mean(np.array(gaps) >= 0))


def rliable_intervals(frame: pd.DataFrame, n_resamples: int) -> object:
    """Intervals of the means by rliable, datasets as its runs."""
    from rliable import library  # noqa: PLC0415 - a peer, needed here only

    given = {name: row.to_numpy()[:, None] for name, row in frame.iterrows()}
    return library.get_interval_estimates(
        given, lambda x: np.array([np.mean(x)]), reps=n_resamples, confidence_interval_size=0.95
    )


def autorank_report(frame: pd.DataFrame) -> object:
    """Rank tests by autorank."""
    from autorank import autorank  # noqa: PLC0415 - a peer, needed here only

    with contextlib.redirect_stdout(io.StringIO()):  # it prints its table
        return autorank(frame.T, alpha=0.05, verbose=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, one repeat")
    smoke = parser.parse_args().smoke
    models, n_resamples = (12, 300) if smoke else (MODELS, 10_000)
    repeats = 1 if smoke else 5
    few = 2 if smoke else 4
    frame = board(models, DATASETS)
    matrix, values = rr.ScoreMatrix(frame), frame.to_numpy()
    pairs = models * (models - 1) // 2
    rr.paired_bootstrap(matrix, n_resamples=n_resamples)  # imports

    least = seconds(lambda: bare(values, n_resamples), repeats)
    ours = seconds(lambda: rr.paired_bootstrap(matrix, n_resamples=n_resamples), repeats)
    print(f"{models} × {DATASETS}, {n_resamples} resamples, CPU seconds (as many times ours)")

    def line(what: str, took: float) -> None:
        print(f"{what:<64} {took:9.4f}  {took / ours:8.1f} ×")

    line("counts, matrix product, sort: the bare minimum", least)
    part = seconds(lambda: intervals_and_ranks(matrix, n_resamples), repeats)
    line(f"intervals, rank intervals, P(best): {part / least:.1f} × the bare minimum", part)
    line(f"paired_bootstrap: all intervals, P(best), tiers, {pairs:,} p-values", ours)
    per_model = seconds(
        lambda: [
            stats.bootstrap(
                (row,), np.mean, n_resamples=n_resamples, method="percentile", rng=0
            ).confidence_interval
            for row in values
        ],
        1 if smoke else 3,
    )
    line("scipy.stats.bootstrap, interval per model", per_model)
    loop = seconds(lambda: [loop_interval(row, n_resamples) for row in values[:few]], 1)
    line("loop over resamples, interval per model", loop * models / few)
    loop = seconds(
        lambda: [loop_p_value(values[i], values[i + 1], n_resamples) for i in range(few)], 1
    )
    line("loop over resamples, p-value per pair", loop * pairs / few)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rliable_intervals(frame.head(2), 100)  # imports
        took = seconds(lambda: rliable_intervals(frame.head(few), n_resamples), 1)
        line("rliable, interval of the mean per model", took * models / few)
        line("autorank", seconds(lambda: autorank_report(frame), 1))

    print("\nother aggregates, intervals, tiers and p-values")
    names = ["borda-mteb", "z-score-mean", "wsm/equal", "topsis/critic", "vikor/merec"]
    for name in names:
        line(name, seconds(lambda name=name: again(matrix, n_resamples, aggregate=name), 1))
    strengths = seconds(lambda: again(matrix, n_resamples // 10, aggregate="bradley-terry"), 1)
    line("bradley-terry (from a tenth of the resamples)", strengths * 10)
    found = rr.paired_bootstrap(matrix, n_resamples=n_resamples)
    line(f"max-t over {pairs:,} pairs, with intervals", seconds(found.compare, 1))


def again(matrix: rr.ScoreMatrix, n_resamples: int, **settings: str) -> object:
    return rr.paired_bootstrap(matrix, n_resamples=n_resamples, **settings)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
