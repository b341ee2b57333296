"""Smallest changes: how few datasets chance takes, how good the descent is, and how fast it is.

Boards are simulated from a population of datasets: a model's score is its ability, plus what the
dataset does to all models, plus what the two do to each other. Run with ``--smoke`` for a check.
"""

from __future__ import annotations

import argparse
import time
from itertools import product

import numpy as np
from _timing import best_of

import robustrank as rr
from robustrank.aggregation import resolve_aggregate
from robustrank.flips.question import Question
from robustrank.flips.search import descend, try_all

#: Aggregates that are searched.
SEARCHED = ("topsis/equal", "vikor/equal", "wsm/critic", "topsis/merec")


def simulate(rng: np.random.Generator, models: int, datasets: int, lead: float) -> np.ndarray:
    """Return scores of equal models, but for the first, which leads by so many deviations."""
    easy = rng.normal(0.5, 0.1, datasets)
    special = rng.normal(0.0, 0.03, (models, datasets))
    special[0] += 0.03 * lead
    return easy + special


def by_chance(boards: int, models: int, datasets: int, lead: float) -> str:
    """Return one line: datasets to drop and weight to move until the leader is passed."""
    rng = np.random.default_rng(datasets + 1000 * models)
    found = [
        rr.smallest_change(
            simulate(rng, models, datasets, lead), change=["datasets", "weights"]
        ).table["size"]
        for _ in range(boards)
    ]
    sizes = np.array([row["datasets"] for row in found])
    moved = np.array([row["weights"] for row in found])
    low, middle, high = np.percentile(sizes, [5, 50, 95])
    return (
        f"{models:>4} × {datasets:<4} lead {lead:3.1f}   datasets {middle:5.1f} "
        f"({low:.0f} to {high:.0f})   weight {100.0 * np.median(moved):5.1f}%"
    )


def descent(boards: int, aggregate: str) -> str:
    """Return one line: how often the greedy descent ends in a smallest set."""
    rng = np.random.default_rng(0)
    excess = []
    for _ in range(boards):
        matrix = rr.ScoreMatrix(np.clip(simulate(rng, 8, 12, 0.5), 0.01, 0.99))
        kernel = resolve_aggregate(aggregate).prepare(matrix)
        values = kernel(np.ones((1, 12)))[:, 0]
        leader = int(values.argmax())
        rivals = np.delete(np.arange(8), leader)
        for asked in (
            Question("pass", leader, rivals, values),
            Question("pass", leader, rivals[[2]], values),
        ):
            smallest = try_all(kernel, np.eye(12), asked).dropped
            reached = descend(kernel, np.eye(12), asked)
            if smallest is not None:
                excess.append(np.inf if reached is None else len(reached) - len(smallest))
    gaps = np.array(excess)
    ended = gaps[np.isfinite(gaps)]
    return (
        f"{aggregate:<16} smallest {np.mean(gaps == 0):6.1%}   one more "
        f"{np.mean(gaps == 1):6.1%}   worst {ended.max():.0f} more   none found "
        f"{np.mean(np.isinf(gaps)):6.1%}   of {len(gaps)} questions"
    )


def one_by_one(scores: np.ndarray) -> int:
    """Drop for each rival what favours the leader most, and take means again, until it passes."""
    leader = int(scores.mean(axis=1).argmax())
    fewest = scores.shape[1]
    for rival in range(len(scores)):
        kept = scores
        while rival != leader and kept.shape[1] > 1:
            means = kept.mean(axis=1)
            if means[rival] > means[leader]:
                fewest = min(fewest, scores.shape[1] - kept.shape[1])
                break
            kept = np.delete(kept, (kept[leader] - kept[rival]).argmax(), axis=1)
    return fewest


def speed(models: int, datasets: int, repeats: int) -> None:
    """Print what a board takes, and how a plain loop compares."""
    scores = simulate(np.random.default_rng(1), models, datasets, 1.0)
    matrix = rr.ScoreMatrix(scores)
    size = rr.smallest_change(matrix, change="datasets").table.loc["datasets", "size"]
    assert size == one_by_one(matrix.scores.to_numpy())
    drop = best_of(lambda: rr.smallest_change(matrix, change="datasets"), repeats)
    loop = best_of(lambda: one_by_one(matrix.scores.to_numpy()), 1)
    every = best_of(lambda: rr.smallest_change(matrix), repeats)
    print(
        f"{models} × {datasets}: datasets {drop:.3f} s, a plain loop over rivals {loop:.3f} s "
        f"({loop / drop:.0f} ×); all kinds {every:.3f} s"
    )
    order = matrix.scores.mean(axis=1).sort_values(ascending=False).index
    for rank in (2, 5, 20):
        options = {"model": order[rank - 1], "goal": "first", "change": "datasets"}
        start = time.perf_counter()
        found = rr.smallest_change(matrix, **options).table.loc["datasets"]
        spent = time.perf_counter() - start
        proven = f"{found['lower_bound']:.0f} to {found['size']:.0f} datasets"
        print(f"  rank {rank} first of all: {spent:.2f} s, {proven}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    boards = 3 if smoke else 200
    print(f"any model passes the leader: median (5 to 95%) of {boards} simulated boards")
    sizes = ((20, 10), (20, 22)) if smoke else ((20, 10), (20, 22), (20, 60), (20, 131), (100, 131))
    for (models, datasets), lead in product(sizes, (0.0, 1.0)):
        print(by_chance(boards, models, datasets, lead))
    print("greedy descent against all sets, 8 × 12")
    for aggregate in SEARCHED[:1] if smoke else SEARCHED:
        print(descent(2 if smoke else 50, aggregate))
    speed(*((30, 20, 1) if smoke else (300, 131, 5)))


if __name__ == "__main__":
    main()
