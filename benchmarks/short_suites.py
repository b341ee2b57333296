"""Short suites: whether they keep τ on new models, how far from the smallest, and how fast.

A suite is chosen by some models and tried on others, on simulated boards and on halves of the
bundled one. "In sample" is the smallest suite by the models that chose it; "held out" is what
`short_suite` returns. τ is 0.95 where nothing else is said. Run with ``--smoke`` for a quick check.
"""

from __future__ import annotations

import argparse
from itertools import combinations

import numpy as np
import pandas as pd
from _timing import best_of
from scipy.stats import kendalltau

import robustrank as rr
from robustrank.aggregation import resolve_aggregate
from robustrank.matrix import ScoreMatrix
from robustrank.short_suites._agreement import Reference
from robustrank.short_suites._orders import order_datasets

TAU = 0.95
#: Fewer than the default, to take less time.
REPEATS = 4


def simulate(rng: np.random.Generator, models: int, datasets: int) -> np.ndarray:
    """Return scores with one ability, three lesser skills that datasets mix, and noise."""
    ability = rng.normal(0.0, 0.06, (models, 1)) * rng.uniform(0.3, 1.7, datasets)
    skills = rng.normal(size=(models, 3)) @ rng.normal(0.0, 0.02, (3, datasets))
    noise = rng.normal(size=(models, datasets)) * rng.uniform(0.01, 0.06, datasets)
    return 0.5 + ability + skills + noise


def tau_on(scores: np.ndarray, columns: list[int]) -> float:
    """Return τ-b between the means over some columns and over all."""
    full = Reference.of(scores.mean(axis=1))
    return float(full.tau(scores[:, columns].mean(axis=1)[:, None])[0])


def kept(pairs: list[tuple[np.ndarray, np.ndarray]], method: str, tau: float) -> str:
    """Choose by the first of each pair of boards; say the sizes, and τ on the second."""
    found: dict[str, list[tuple[int, float]]] = {"in sample": [], "held out": []}
    for number, (chooser, new) in enumerate(pairs):
        suite = rr.short_suite(
            chooser, tau=tau, method=method, n_random=1, repeats=REPEATS, seed=number
        )
        order = [int(name.removeprefix("d")) - 1 for name in suite.curve["dataset"]]
        for name, results in found.items():
            given = suite.comparison["size"][name]
            size = len(order) if pd.isna(given) else int(given)
            results.append((size, tau_on(new, order[:size])))
    parts = []
    for name, results in found.items():
        size, there = np.array(results).T
        parts.append(
            f"{name}: {size.mean():5.1f} datasets, τ {there.mean():.3f}, "
            f"{(there >= tau).mean():4.0%} reach it"
        )
    return "   ".join(parts)


def simulated(boards: int, new: int) -> None:
    print(f"simulated boards ({boards} each), tried on {new} new models")
    for models, datasets in ((20, 40), (90, 40)):
        for method in ("greedy", "information"):
            rng = np.random.default_rng(models + datasets)
            pairs = []
            for _ in range(boards):
                scores = simulate(rng, models + new, datasets)
                pairs.append((scores[:models], scores[models:]))
            print(
                f"{models:>4} × {datasets:<4} {method:<12} {kept(pairs, method, TAU)}", flush=True
            )


def real(splits: int) -> None:
    print(
        f"the bundled board, chosen by half of the models and tried on the other ({splits} splits)"
    )
    board = rr.load_example()
    for kind in ("Classification", "Retrieval", "STS", "Clustering", None):
        part = board if kind is None else board.select(task_type=kind)
        scores = part.resolve_missing().scores.to_numpy()
        pairs = []
        for seed in range(splits):
            mixed = np.random.default_rng(seed).permutation(len(scores))
            halves = np.array_split(mixed, 2)
            pairs.append((scores[halves[0]], scores[halves[1]]))
        size = "{} × {}".format(*scores.shape)
        print(f"{kind or 'all':<16} {size:<9} {kept(pairs, 'greedy', TAU)}", flush=True)


def gap(boards: int, datasets: int) -> None:
    """Compare in-sample sizes with the smallest of all subsets."""
    print(f"sizes in sample less the smallest of all subsets, {datasets} datasets, τ 0.9")
    rng = np.random.default_rng(1)
    more: dict[str, list[int]] = {"greedy": [], "information": [], "backward": []}
    for _ in range(boards):
        scores = simulate(rng, 20, datasets)
        best = exhaustive(scores, 0.9)
        for method, gaps in more.items():
            order = order_datasets(
                ScoreMatrix(scores), resolve_aggregate("mean"), method, np.ones(datasets)
            )
            columns = list(order)
            reached = next(
                size
                for size in range(1, datasets + 1)
                if tau_on(scores, columns[:size]) >= 0.9 - 1e-12
            )
            gaps.append(reached - best)
    for method, gaps in more.items():
        equal = np.mean(np.array(gaps) == 0)
        print(f"  {method:<12} mean {np.mean(gaps):4.2f}, at most {max(gaps)}, none {equal:4.0%}")


def exhaustive(scores: np.ndarray, tau: float) -> int:
    """Return the size of the smallest of all subsets that reaches τ."""
    n = scores.shape[1]
    full = Reference.of(scores.mean(axis=1))
    for size in range(1, n):
        subsets = list(combinations(range(n), size))
        means = np.column_stack([scores[:, list(subset)].mean(axis=1) for subset in subsets])
        if (full.tau(means) >= tau - 1e-12).any():
            return size
    return n


def speed(models: int, datasets: int) -> None:
    """Time one step of the search against scipy's τ, one candidate at a time."""
    scores = simulate(np.random.default_rng(0), models, datasets)
    mean = scores.mean(axis=1)
    full = Reference.of(mean)

    def scipys() -> list[float]:
        return [float(kendalltau(mean, column).statistic) for column in scores.T]

    np.testing.assert_allclose(full.tau(scores), scipys())
    ours, theirs = best_of(lambda: full.tau(scores), 5), best_of(scipys, 3)
    print(
        f"{datasets} candidates, {models} models: {1000 * ours:.1f} ms, scipy's kendalltau "
        f"{1000 * theirs:.1f} ms, {theirs / ours:.0f} ×"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    if smoke:
        rng = np.random.default_rng(0)
        scores = simulate(rng, 60, 8)
        print(kept([(scores[:20], scores[20:])], "greedy", 0.8))
        gap(2, 5)
        speed(20, 10)
        return
    for models in (20, 90, 300):
        speed(models, 130)
    gap(50, 10)
    real(20)
    simulated(20, 400)


if __name__ == "__main__":
    main()
