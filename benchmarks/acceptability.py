"""SMAA-2: Monte Carlo intervals against exact shares, how weights are drawn, and speed.

Run with ``--smoke`` for a quick check.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import numpy as np
from _timing import best_of

import robustrank as rr
from robustrank._groups import Groups
from robustrank.acceptability import sampling
from robustrank.acceptability.restriction import read_restriction
from robustrank.mcdm.decision import Decision
from robustrank.mcdm.schemes import METHODS


def board(m: int, n: int) -> np.ndarray:
    """Simulate scores with one dominant ability, as on real boards."""
    rng = np.random.default_rng(0)
    return np.clip(rng.normal(0.6, 0.1, (m, 1)) + rng.normal(0, 0.05, (m, n)), 0.01, 0.99)


def exact_shares(scores: np.ndarray) -> np.ndarray:
    """Return the share of weightings of two datasets with each model first, in closed form."""
    slope, level = scores[:, 0] - scores[:, 1], scores[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = (level[:, None] - level) / (slope - slope[:, None])
    inside = crossings[(crossings > 0.0) & (crossings < 1.0)]
    cuts = np.unique(np.r_[0.0, inside, 1.0])
    middles = (cuts[1:] + cuts[:-1]) / 2.0
    first = (level[:, None] + slope[:, None] * middles).argmax(axis=0)
    return np.bincount(first, weights=np.diff(cuts), minlength=len(scores))


def coverage(boards: int, n_draws: int) -> str:
    """Return one line: how often the interval of a share holds the exact one."""
    rng = np.random.default_rng(1)
    held = shares = wrong = 0
    for _ in range(boards):
        scores = rng.uniform(0.2, 0.8, (8, 2))
        found = rr.smaa(scores, n_draws=n_draws, seed=rng).table.loc[
            [f"m{i + 1}" for i in range(8)]
        ]
        exact = exact_shares(scores)
        near = np.abs(found["p_best"].to_numpy() - exact) <= found["p_best_error"].to_numpy()
        some = exact > 10.0 / n_draws
        held, shares = held + int(near[some].sum()), shares + int(some.sum())
        wrong += int((found["can_be_first"].to_numpy(dtype=bool) != (exact > 1e-12)).sum())
    return (
        f"{boards} boards of 8 × 2, {n_draws:,} draws: 95% intervals hold {held / shares:.1%} of "
        f"{shares} exact shares; can_be_first is wrong for {wrong} of {8 * boards} models"
    )


def walk(q: int, largest: float, n_draws: int) -> str:
    """Return one line: the walk against rejection, of weights of at most `largest`."""
    names = tuple(f"g{g}" for g in range(q))
    groups = Groups("group", names, np.arange(q))
    restriction = read_restriction(groups, None, dict.fromkeys(names, largest), None)
    drawn = {}
    usual = sampling._LEAST_ACCEPTED  # noqa: SLF001
    for how, least in (("rejection", 0.0), ("walk", 1.1)):
        sampling._LEAST_ACCEPTED = least  # noqa: SLF001
        start = time.process_time()
        weights, _ = sampling.draw_weights(np.random.default_rng(2), n_draws, restriction)
        drawn[how] = np.sort(weights, axis=1), time.process_time() - start
    sampling._LEAST_ACCEPTED = usual  # noqa: SLF001
    (exact, slow), (walked, fast) = drawn["rejection"], drawn["walk"]
    error = exact.std(axis=0) * np.sqrt(2.0 / n_draws)
    off = np.abs(exact.mean(axis=0) - walked.mean(axis=0)) / error
    return (
        f"{q} weights of at most {largest}: mean of the largest {exact[:, -1].mean():.4f} by "
        f"rejection ({slow:.2f} s), {walked[:, -1].mean():.4f} by the walk ({fast:.2f} s); "
        f"means in order differ by {off.max():.1f} standard errors at most"
    )


def naive(scores: np.ndarray, method: str, n_draws: int) -> None:
    """Count ranks, pairs and central weights draw by draw."""
    rng = np.random.default_rng(0)
    m, n = scores.shape
    decision = Decision(scores, [str(j) for j in range(n)], "none" if method == "wsm" else None)
    ranks, pairs, central = np.zeros((m, m)), np.zeros((m, m)), np.zeros((m, n))
    for _ in range(n_draws):
        weights = rng.dirichlet(np.ones(n))
        values = decision.preferences(method, weights)
        order = np.argsort(-values)
        ranks[order, np.arange(m)] += 1
        pairs += values[:, None] > values
        central[order[0]] += weights


def speed(m: int, n: int, n_draws: int, sample: int) -> None:
    """Print the CPU time of every method, and its ratio to a loop over the draws."""
    scores = board(m, n)
    for method in METHODS:
        whole = partial(rr.smaa, scores, method=method, n_draws=n_draws)
        ours = best_of(whole, 1, time.process_time)
        loop = best_of(partial(naive, scores, method, sample), 1, time.process_time)
        loop *= n_draws / sample
        print(
            f"{m} × {n:<3}  {n_draws:,} draws  {method:<20} {ours:5.2f} s   "
            f"loop {loop:5.1f} s   ratio {loop / ours:4.1f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    print(coverage(3, 200) if smoke else coverage(150, 10_000))
    for q, largest in ((4, 0.4),) if smoke else ((4, 0.4), (9, 0.3), (9, 0.2), (20, 0.15)):
        print(walk(q, largest, 500 if smoke else 10_000))
    if smoke:
        speed(20, 10, 200, 100)
    else:
        speed(300, 131, 10_000, 200)
        speed(300, 9, 10_000, 200)


if __name__ == "__main__":
    main()
