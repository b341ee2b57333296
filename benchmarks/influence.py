"""Leaving out datasets: whether jackknife errors are right, what surviving means, and speed.

Boards are simulated from a population of datasets: a model's score is its ability plus what the
dataset does to all models plus what the two do to each other. The jackknife's standard error is
held against the spread of the aggregate over boards. On boards of equal models it is counted how
often the model that happens to lead stays first whichever dataset is left out.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from _timing import best_of
from scipy.stats import kendalltau
from scipy.stats import t as student

import robustrank as rr

MODELS = 12


def simulate(
    rng: np.random.Generator, truth: np.ndarray, datasets: int, copies: int = 1
) -> np.ndarray:
    """Return scores of models × datasets, of which each occurs `copies` times, almost alike."""
    # Far from 1: a board with a score above it would be read as per cent.
    easy = rng.normal(0.0, 0.05, datasets)
    special = rng.normal(0.0, 0.03, (len(truth), datasets))
    scores = np.repeat(truth[:, None] + easy + special, copies, axis=1)
    return scores + rng.normal(0.0, 0.005, scores.shape)


def calibration(
    boards: int, datasets: int, aggregate: str, *, copies: int = 1, clusters: bool = False
) -> str:
    """Return one line: errors against the spread over boards, and coverage of t-intervals."""
    rng = np.random.default_rng(datasets + 1000 * copies)
    truth = np.linspace(0.45, 0.55, MODELS)
    by = {f"d{j + 1}": j // copies for j in range(datasets * copies)} if clusters else "datasets"
    values, errors = [], []
    for _ in range(boards):
        scores = simulate(rng, truth, datasets, copies)
        models = rr.dataset_influence(scores, aggregate=aggregate, by=by).models
        models = models.loc[[f"m{i + 1}" for i in range(MODELS)]]
        values.append(models["aggregate"].to_numpy())
        errors.append(models["jackknife_standard_error"].to_numpy())
    estimates, found = np.array(values), np.array(errors)
    # Without a formula for the population's value, the mean over boards stands for it.
    known = truth if aggregate == "mean" else estimates.mean(axis=0)
    reach = student.ppf(0.975, datasets * (1 if clusters else copies) - 1)
    held = (np.abs(estimates - known) <= reach * found).mean()
    ratio = np.sqrt((found**2).mean() / estimates.var(axis=0, ddof=1).mean())
    unit = "clusters" if clusters else "datasets"
    return (
        f"{datasets:>4} × {copies}  {aggregate:<16} {unit:<9} error / spread {ratio:5.2f}   "
        f"coverage {held:6.1%}"
    )


def survival(boards: int, models: int, datasets: int) -> str:
    """Return one line: how often the leader of equal models survives every leaving out."""
    rng = np.random.default_rng(models + 1000 * datasets)
    stays = beyond = 0
    for _ in range(boards):
        found = rr.dataset_influence(simulate(rng, np.full(models, 0.5), datasets))
        stays += not found.table["leader_changes"].any()
        beyond += found.margin > 2.0 * found.margin_standard_error
    return (
        f"{models:>4} × {datasets:<4} stays first {stays / boards:6.1%}   "
        f"lead above 2 standard errors {beyond / boards:6.1%}"
    )


def naive(scores: pd.DataFrame, aggregate: str) -> None:
    """Rank every smaller board on its own, and correlate the rankings."""

    def ranks(table: pd.DataFrame) -> pd.Series:
        if aggregate == "mean":
            return table.mean(axis=1).rank(ascending=False)
        return rr.rank(table, aggregate)["rank"]

    full = ranks(scores)
    for name in scores.columns:
        left = ranks(scores.drop(columns=name))
        kendalltau(full.to_numpy(), left.loc[full.index].to_numpy())


def speed(models: int, datasets: int, aggregate: str) -> str:
    """Return one line: time of all of `dataset_influence`, and of the naive rankings."""
    rng = np.random.default_rng(0)
    values = np.clip(simulate(rng, rng.uniform(0.3, 0.7, models), datasets), 0.01, 0.99)
    scores = pd.DataFrame(values).add_prefix("d").rename("m{}".format)
    ours = best_of(lambda: rr.dataset_influence(scores, aggregate=aggregate), 2)
    line = f"{models:>4} × {datasets:<4} {aggregate:<16} {ours:6.2f} s"
    if aggregate not in ("mean", *rr.SCHEMES):
        return line
    return (
        f"{line}   naive {best_of(lambda: naive(scores, aggregate), 1) / ours:5.1f} times as long"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    boards = 3 if smoke else 100
    print(f"datasets × copies: jackknife standard errors, {MODELS} models, {boards} boards")
    for datasets in (5, 10, 22, 60):
        print(calibration(boards, datasets, "mean"), flush=True)
    for aggregate in ("borda", "topsis/critic", "vikor/equal", "bradley-terry"):
        print(calibration(boards, 22, aggregate), flush=True)
    for clusters in (False, True):
        print(calibration(boards, 22, "mean", copies=5, clusters=clusters), flush=True)
    print(f"models × datasets: the leader of equal models, {boards} boards")
    for models, datasets in ((12, 10), (12, 22), (12, 60), (12, 131), (30, 131)):
        print(survival(boards, models, datasets), flush=True)
    print("models × datasets: time")
    shape = (40, 20) if smoke else (300, 131)
    for aggregate in ("mean", "borda-mteb", "topsis/critic", "vikor/merec", "bradley-terry"):
        print(speed(*shape, aggregate), flush=True)


if __name__ == "__main__":
    main()
