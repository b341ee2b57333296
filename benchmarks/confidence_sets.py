"""Errors of confidence sets by simulation, the published example, and speed.

How often sets that hold with 95% miss, on few datasets and many models: where all models are
equal, so that telling any two apart is wrong, and where datasets are drawn from those of the
bundled board, so that the true ranks are known.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from _timing import best_of

import robustrank as rr

#: PISA 2018, mathematics, OECD countries: score and standard error (OECD; R package csranks).
PISA = Path(__file__).parent.parent / "tests" / "confidence_sets" / "pisa2018.csv"

#: Kinds, numbers of models and of datasets of boards of equal models.
EQUAL = [
    *(
        (kind, 20, n)
        for kind in ("normal", "heavy", "uneven", "skewed", "alike")
        for n in (10, 22, 60)
    ),
    *(("normal", 100, n) for n in (10, 22, 131)),
]
SMOKE = [("normal", 20, 10), ("skewed", 20, 10)]


def equal_models(rng: np.random.Generator, kind: str, models: int, datasets: int) -> np.ndarray:
    """Return scores of models with equal means over the population of datasets."""
    shape = (models, datasets)
    easy = rng.normal(0.5, 0.1, datasets)
    if kind == "normal":
        return easy + rng.normal(0.0, 0.05, shape)
    if kind == "heavy":
        return easy + 0.05 * rng.standard_t(3, shape)
    if kind == "uneven":  # models and datasets differ in spread, and models in what they share
        shared = rng.normal(size=(models, 3)) @ rng.normal(size=(3, datasets))
        noise = (shared + rng.normal(size=shape)) * rng.uniform(0.5, 2.0, (models, 1))
        return easy + 0.03 * noise * rng.gamma(2.0, 0.5, datasets)
    side = np.ones((models, 1))  # all models skewed alike
    if kind == "skewed":  # half of them each way
        side[::2] = -1.0
    return easy + 0.05 * side * (rng.exponential(1.0, shape) - 1.0)


def by_covariance(scores: np.ndarray, **settings: object) -> rr.confidence_sets.RankSets:
    """Take the means as normal with the covariance that the datasets show, as csranks does."""
    means, covariance = scores.mean(axis=1), np.cov(scores) / scores.shape[1]
    return rr.rank_sets_from_estimates(means, covariance=covariance, **settings)


METHODS = {
    "sign-flip": partial(rr.rank_confidence_sets, test="sign-flip"),
    "bootstrap-t": partial(rr.rank_confidence_sets, test="bootstrap-t"),
    "normal": by_covariance,
}


def family_wise_error(kind: str, models: int, datasets: int, boards: int, draws: int) -> str:
    """Return one line: how often any two of equal models are told apart, and skew is noted."""
    rng = np.random.default_rng(models + 1000 * datasets)
    wrong, noted = dict.fromkeys(METHODS, 0), 0
    for _ in range(boards):
        scores = equal_models(rng, kind, models, datasets)
        for name, find in METHODS.items():
            found = find(scores, n_resamples=draws, stepwise=False, seed=rng)
            wrong[name] += int(found.table["n_above"].any())
            noted += any(note.code == "skewed-differences" for note in found.notes)
    shares = "   ".join(f"{name} {hits / boards:6.1%}" for name, hits in wrong.items())
    shares += f"   skew noted {noted / boards:4.0%}"
    return f"{kind:<7}{models:>4} × {datasets:<4}{shares}   ({boards} boards)"


def coverage_of_ranks(
    board: np.ndarray, datasets: int, boards: int, draws: int, *, equal: bool
) -> str:
    """Return one line: how often all sets hold the true ranks, with datasets of the board drawn."""
    rng = np.random.default_rng(datasets)
    population = board - board.mean(axis=1, keepdims=True) * equal
    truth = np.round(population.mean(axis=1), 10)
    highest = 1 + (truth[:, None] < truth).sum(axis=1)
    lowest = len(truth) - (truth[:, None] > truth).sum(axis=1)
    line = []
    for name, find in METHODS.items():
        held, apart = 0, []
        for _ in range(boards):
            drawn = population[:, rng.integers(population.shape[1], size=datasets)]
            table = find(drawn, n_resamples=draws, seed=rng).table
            # Of equal models, every order is a true ranking: no two may be told apart.
            low, high = (
                table[side].reindex([f"m{i + 1}" for i in range(len(truth))])
                for side in ("rank_low", "rank_high")
            )
            held += int(((low <= highest) & (high >= lowest)).all())
            apart.append(table["n_above"].sum() / (len(truth) * (len(truth) - 1) / 2))
        line.append(f"{name} {held / boards:6.1%} ({np.mean(apart):.0%} of pairs)")
    kind = "equal means" if equal else "own means"
    return f"{kind:<12}{datasets:>4} datasets   {'   '.join(line)}   ({boards} boards)"


def coverage_of_best(
    population: np.ndarray | str, models: int, datasets: int, boards: int, draws: int
) -> str:
    """Return one line: how often sets hold the best model, and how many models they hold.

    With a kind for a population, all models are equal, and all are best.
    """
    equal = isinstance(population, str)
    rng = np.random.default_rng(datasets)
    line = []
    for procedure in ("mcb", "mcs-max", "mcs-range"):
        held, every, sizes = 0, 0, []
        for _ in range(boards):
            if isinstance(population, str):
                scores, best = equal_models(rng, population, models, datasets), "m1"
            else:
                drawn = rng.integers(population.shape[1], size=datasets)
                scores = population[:, drawn]
                best = f"m{int(population.mean(axis=1).argmax()) + 1}"
            found = rr.model_confidence_set(
                scores, procedure=procedure, n_resamples=draws, seed=rng
            )
            held += best in found.members
            every += len(found.members) == len(scores)
            sizes.append(len(found.members))
        whole = f", all {every / boards:.1%}" if equal else ""
        line.append(f"{procedure} {held / boards:6.1%}{whole}, size {np.mean(sizes):.1f}")
    kind = f"equal, {population}" if equal else "board"
    return f"{kind:<14}{datasets:>4} datasets   {'   '.join(line)}   ({boards} boards)"


def naive_p_values(scores: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Return single-step p-values of all pairs, from one matrix of pairs per draw."""
    gaps = scores[:, None] - scores
    size = np.sqrt((gaps**2).sum(axis=2))
    np.fill_diagonal(size, 1.0)
    observed = np.abs(gaps.sum(axis=2)) / size
    hits = np.zeros(observed.shape)
    for sign in signs:
        hits += (np.abs(gaps @ sign) / size).max() >= observed - 1e-8
    return (hits + 1.0) / (len(signs) + 1.0)


def published() -> None:
    table = pd.read_csv(PISA, index_col="country")
    sets = rr.rank_sets_from_estimates(table["score"], table["error"])
    print(sets.summary(top=12))
    print("may be among the 5 best:", ", ".join(sorted(sets.best(5))))
    alone = {"models": "United Kingdom", "simultaneous": False}
    one = rr.rank_sets_from_estimates(table["score"], table["error"], **alone)
    print("marginal:", one.table[["rank_low", "rank_high"]].T.to_dict("list"))


def speed(models: int, datasets: int, draws: int) -> str:
    rng = np.random.default_rng(0)
    ability = rng.normal(0.5, 0.1, (models, 1))
    scores = ability + rng.normal(0.0, 0.1, (models, datasets))
    signs = rng.integers(2, size=(draws, datasets)) * 2.0 - 1.0
    naive = best_of(lambda: naive_p_values(scores, signs), 1)
    line = f"{models} × {datasets}, {draws} draws: a matrix per draw {naive:.1f} s"
    for test in ("sign-flip", "bootstrap-t"):
        find = partial(rr.rank_confidence_sets, scores, test=test, n_resamples=draws)
        single = best_of(partial(find, stepwise=False), 1)
        line += f"; {test} {single:.1f} s, in steps {best_of(find, 1):.1f} s"
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    draws = 200 if smoke else 500
    published()
    print("models × datasets: any two of equal models told apart, at 0.05")
    for kind, models, datasets in SMOKE if smoke else EQUAL:
        boards = 2 if smoke else 100
        print(family_wise_error(kind, models, datasets, boards, draws))
    print("datasets drawn from the bundled board: all true ranks within their sets")
    board = rr.load_example().resolve_missing("drop-models").scores.to_numpy()
    part = board[::8] if smoke else board[::3]
    for equal in (False, True):
        for datasets in (10,) if smoke else (10, 22, 60, 130):
            print(coverage_of_ranks(part, datasets, 2 if smoke else 60, draws, equal=equal))
    print("the best model in the set of best models")
    for datasets in (10,) if smoke else (10, 22, 60):
        boards = 2 if smoke else 60
        print(coverage_of_best(part, len(part), datasets, boards, draws))
        for kind in ("normal", "alike"):
            print(coverage_of_best(kind, 20, datasets, boards, draws))
    print(speed(30 if smoke else 300, 22 if smoke else 131, draws))


if __name__ == "__main__":
    main()
