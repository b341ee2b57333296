"""Coverage of the intervals, and errors of the tests, by simulation.

Boards are simulated from a population of datasets: a model's score is its ability plus what the
dataset does to all models plus what the two do to each other. The truth is the mean over the
population. Percentile intervals of few datasets are known to be too narrow; this says by how much.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

import robustrank as rr


def simulate(
    rng: np.random.Generator, models: int, datasets: int, copies: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return scores of models × datasets and the true means; each dataset occurs `copies` times."""
    # Far from 1: a board with a score above it would be read as per cent.
    truth = np.linspace(0.45, 0.55, models)
    easy = rng.normal(0.0, 0.05, datasets)
    special = rng.normal(0.0, 0.025, (models, datasets))
    scores = np.repeat(truth[:, None] + easy + special, copies, axis=1)
    return scores + rng.normal(0.0, 0.0025, scores.shape), truth


def coverage(boards: int, datasets: int, copies: int, resampling: str, n_resamples: int) -> str:
    """Return one line: coverage of means, of differences, and errors of the resolved pairs."""
    rng = np.random.default_rng(datasets + 1000 * copies)
    models = 12
    held = wrong = resolved = pairs_held = pairs = 0
    clusters = {f"d{j + 1}": j // copies + 1 for j in range(datasets * copies)}
    for _ in range(boards):
        scores, truth = simulate(rng, models, datasets, copies)
        found = rr.paired_bootstrap(
            scores, resampling=resampling, clusters=clusters, n_resamples=n_resamples, seed=rng
        )
        interval = found.interval.to_numpy()
        held += int(((interval[:, 0] <= truth) & (truth <= interval[:, 1])).sum())
        chance = found.pairwise.to_numpy()
        better = chance > 0.95
        resolved += int(better.sum())
        wrong += int((better & (truth[:, None] < truth[None, :])).sum())
        table = found.compare(adjustment="none", test="bootstrap").table
        a, b = (found.models.get_indexer(table[side]) for side in ("model_a", "model_b"))
        gap = truth[a] - truth[b]
        pairs_held += int(((table["low"] <= gap) & (gap <= table["high"])).sum())
        pairs += len(table)
    return (
        f"{datasets:>4} × {copies}  {resampling:<9} mean {held / (boards * models):6.1%}   "
        f"difference {pairs_held / pairs:6.1%}   wrong among resolved {wrong / resolved:6.2%}"
    )


def family_wise_error(boards: int, models: int, datasets: int, n_resamples: int) -> str:
    """Return one line: how often max-t finds a difference between equal models, at 0.05."""
    rng = np.random.default_rng(models + 1000 * datasets)
    found = dict.fromkeys(("bootstrap", "sign-flip"), 0)
    for _ in range(boards):
        easy = rng.normal(0.5, 0.08, datasets)
        scores = easy + rng.normal(0.0, 0.03, (models, datasets))
        bootstrap = rr.paired_bootstrap(scores, n_resamples=n_resamples, seed=rng)
        for test in found:
            table = bootstrap.compare(test=test, seed=rng).table
            found[test] += int(table["significant"].any())
    shares = "   ".join(f"{test} {hits / boards:6.1%}" for test, hits in found.items())
    return f"{models:>4} × {datasets:<3} {shares}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    boards, n_resamples = (3, 200) if smoke else (400, 2000)
    print("datasets × copies: coverage of 95% intervals, 12 models, simulated boards:", boards)
    for datasets, copies in product((5, 10, 22, 60), (1,)):
        print(coverage(boards, datasets, copies, "datasets", n_resamples))
    for resampling in ("datasets", "clusters"):
        print(coverage(boards, 22, 5, resampling, n_resamples))
    print("models × datasets: boards of equal models on which max-t finds a difference at 0.05")
    for models, datasets in ((4, 10), (10, 22), (30, 22), (10, 60)):
        print(family_wise_error(boards, models, datasets, n_resamples // 4))


if __name__ == "__main__":
    main()
