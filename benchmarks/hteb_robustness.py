"""Coverage of HTEB's intervals and errors of its tests by simulation, and speed of the test.

Differences between scores on transformed and on original texts are simulated: what a transformation
does in general, to a model, to the texts of a dataset, to all of a dataset's texts however they are
transformed, and to a model on a dataset, with the mean of three noisy runs. The models are those at
hand; the truth is the mean over a population of datasets.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from _timing import best_of
from scipy.stats import wilcoxon

import robustrank as rr
from robustrank.evaluators.hteb.statistics.profiles import profiles
from robustrank.evaluators.hteb.statistics.scores import Scores, with_axes
from robustrank.evaluators.hteb.statistics.shifts import shifts
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS

#: About the changes of *HTEB*'s English datasets, on 0..1.
EFFECTS = (-0.04, -0.02, -0.05, -0.06, -0.03, -0.05, -0.15, -0.19)
#: Standard deviations of what comes on top.
OF_MODEL, OF_DATASET, OF_TEXTS, OF_CELL, OF_RUN = 0.03, 0.02, 0.04, 0.03, 0.01
RUNS = 3
NAMES = list(TRANSFORMATIONS)


def board(
    rng: np.random.Generator, models: int, datasets: int, effects: np.ndarray
) -> tuple[Scores, np.ndarray]:
    """Return scores and the true effects, models × transformations."""
    k = len(NAMES)
    of_model = rng.normal(0.0, OF_MODEL, (models, k))
    truth = effects + of_model - (0.0 if effects.any() else of_model.mean(axis=0))
    delta = (
        truth[:, None]
        + rng.normal(0.0, OF_DATASET, (datasets, 1))
        + rng.normal(0.0, OF_TEXTS, (datasets, k))
        + rng.normal(0.0, OF_CELL, (models, datasets, k))
        + rng.normal(0.0, OF_RUN / np.sqrt(RUNS), (models, datasets, k))
    )
    names = [[f"m{i}" for i in range(models)], [f"d{j}" for j in range(datasets)]]
    index = pd.MultiIndex.from_product(names, names=["model", "dataset"])
    baseline = pd.DataFrame(0.6, index=index, columns=NAMES)
    scores = Scores(
        transformed=baseline + delta.reshape(-1, k),
        baseline=baseline,
        runs=pd.DataFrame(columns=["model", "dataset", "transformation", "run"]),
        axes=AXES,
        task_types=pd.Series("STS", index=names[1]),
    )
    return scores, truth


def holds(table: pd.DataFrame, truth: np.ndarray) -> np.ndarray:
    return ((table["low"] <= truth) & (truth <= table["high"])).to_numpy()


def coverage(boards: int, models: int, datasets: int) -> str:
    """Return one line: how often 95% intervals of shifts and profiles hold the truth."""
    rng = np.random.default_rng(models + 1000 * datasets)
    held: dict[str, list[np.ndarray]] = {"datasets": [], "pairs": [], "profiles": [], "totals": []}
    for _ in range(boards):
        scores, truth = board(rng, models, datasets, np.array(EFFECTS))
        for observations in ("datasets", "pairs"):
            table = shifts(scores, observations=observations).table
            held[observations].append(holds(table, truth.mean(axis=0)))
        table = profiles(scores).table
        by_part = with_axes(pd.DataFrame(truth, index=scores.models, columns=NAMES), AXES)
        table = table[table.index.get_level_values("part").isin(by_part.columns)]
        of_rows = by_part.stack().loc[table.index]  # noqa: PD013 - of numbers alone
        found = holds(table, of_rows.to_numpy())
        held["profiles"].append(found)
        held["totals"].append(found[table.index.get_level_values("part") == "total"])
    shares = "   ".join(f"{name} {np.mean(hits):6.1%}" for name, hits in held.items())
    return f"{models:>4} × {datasets:<4} {shares}"


def family_wise_error(boards: int, models: int, datasets: int) -> str:
    """Return one line: how often any of the eight shifts is found where there is none."""
    rng = np.random.default_rng(1 + models + 1000 * datasets)
    wrong = {"datasets": 0, "pairs": 0}
    for _ in range(boards):
        scores, _ = board(rng, models, datasets, np.zeros(len(NAMES)))
        for observations in wrong:
            table = shifts(scores, observations=observations).table
            wrong[observations] += int((table["p_value"] < 0.05).any())
    shares = "   ".join(f"{name} {hits / boards:6.1%}" for name, hits in wrong.items())
    return f"{models:>4} × {datasets:<4} {shares}"


def speed(n: int, repeats: int) -> str:
    """Return one line: times of the test with estimate and interval, and of SciPy's without."""
    values = np.random.default_rng(n).normal(0.1, 1.0, n)
    own = best_of(lambda: rr.signed_rank_test(values), repeats)
    other = best_of(lambda: wilcoxon(values), repeats)
    return (
        f"{n:>6} differences: {1000 * own:7.2f} ms, wilcoxon {1000 * other:7.2f} ms, "
        f"{own / other:.1f} times"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    boards, empty_boards = (2, 2) if smoke else (300, 500)
    sizes = ((11, 19), (9, 13), (4, 8))
    print("models × datasets: coverage of 95% intervals of shifts and of profiles, boards:", boards)
    for models, datasets in sizes:
        print(coverage(boards, models, datasets), flush=True)
    print("models × datasets: share of boards without effect with one found at 0.05:", empty_boards)
    for models, datasets in sizes:
        print(family_wise_error(empty_boards, models, datasets), flush=True)
    print("signed_rank_test with estimate and interval, and scipy.stats.wilcoxon")
    for n in (19, 209, 1000):
        print(speed(n, 3 if smoke else 50))


if __name__ == "__main__":
    main()
