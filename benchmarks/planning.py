"""Power at the number of datasets asked for, coverage of its interval, and which dataset to run.

Differences of two models are simulated with a known effect: normal, heavy-tailed (Student's t with
five degrees of freedom) or skewed (exponential), with the tail in favour of the lead or against it.
Which dataset to run next is judged on the bundled board: scores of complete models are masked, and
their ability after k further datasets is compared with that by all datasets, under a fit that has
not seen the masked scores.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import ttest_1samp, ttest_rel

import robustrank as rr
from robustrank.planning.plans import Asked, plan
from robustrank.planning.power import sample_size

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "heavy": lambda rng, shape: rng.standard_t(5, size=shape) / np.sqrt(5 / 3),
    "skewed": lambda rng, shape: rng.exponential(size=shape) - 1.0,
    "against": lambda rng, shape: 1.0 - rng.exponential(size=shape),
}


def board(differences: np.ndarray) -> pd.DataFrame:
    """Return two models whose scores differ by this, in hundredths."""
    scores = 0.5 + np.vstack([differences, np.zeros(differences.shape)]) / 100.0
    return pd.DataFrame(scores, index=["a", "b"])


def needed(differences: np.ndarray, **settings: object) -> pd.Series:
    return rr.datasets_needed(board(differences), ("a", "b"), **settings).table.iloc[0]


def rejections(differences: np.ndarray, alpha: float) -> float:
    return float((ttest_1samp(differences, 0.0, axis=1).pvalue <= alpha).mean())


def power_at(effect: float, power: float, kind: str, boards: int) -> str:
    """Return one line: the power of fresh boards with the number of datasets given."""
    rng = np.random.default_rng(1)
    pilot = rng.normal(size=131)
    pilot = (pilot - pilot.mean()) / pilot.std(ddof=1) + effect  # has this effect exactly
    n = int(needed(pilot, power=power, n_resamples=1)["needed"])
    found = rejections(KINDS[kind](rng, (boards, n)) + effect, 0.05)
    return f"effect {effect:.2f}  asked {power:.2f}  {n:>5} datasets  {kind:<7} power {found:.3f}"


def resampled_at(kind: str, effect: float, pilots: int, boards: int) -> str:
    """Return one line: power at both numbers, on average over boards of 131 datasets."""
    rng = np.random.default_rng(2)
    powers = []
    for _ in range(pilots):
        pilot = KINDS[kind](rng, 131)
        pilot = (pilot - pilot.mean()) / pilot.std(ddof=1) + effect
        row = needed(pilot, n_resamples=1000, seed=rng)
        numbers = (int(row["needed"]), int(row["resampled"]))
        powers.append([rejections(KINDS[kind](rng, (boards, n)) + effect, 0.05) for n in numbers])
    formula, drawn = np.mean(powers, axis=0)
    return f"effect {effect:.2f}  {kind:<7} at needed {formula:.3f}   at resampled {drawn:.3f}"


def interval_coverage(n: int, effect: float, kind: str, boards: int) -> str:
    """Return one line: how often the interval of the number holds the true number."""
    rng = np.random.default_rng(n)
    asked = Asked(alpha=0.05, power=0.8, confidence_level=0.95)
    truth = sample_size(effect, asked.alpha, asked.power)
    held = unlimited = 0
    for _ in range(boards):
        differences = KINDS[kind](rng, n) + effect
        found = plan(differences * np.sign(differences.mean()), asked)  # the one ahead comes first
        high = np.inf if found.high is None else found.high
        held += int(found.low <= truth <= high)
        unlimited += int(np.isinf(high))
    return (
        f"{n:>4} datasets  effect {effect:.2f} ({truth} needed)  {kind:<7} "
        f"coverage {held / boards:6.1%}   without upper limit {unlimited / boards:6.1%}"
    )


def holm_power(boards: int) -> list[str]:
    """Return lines: power of each pair, with the number that it needs under Holm's procedure."""
    rng = np.random.default_rng(4)
    means = np.array([0.60, 0.58, 0.565, 0.552, 0.542])
    noise = rng.normal(size=(5, 400))
    noise -= noise.mean(axis=1, keepdims=True)
    whitened = np.linalg.inv(np.linalg.cholesky(np.cov(noise))) @ noise
    table = rr.datasets_needed(means[:, None] + 0.05 * whitened, top_k=5).table
    lines = []
    for place, row in enumerate(table.itertuples()):
        found = {"formula": int(row.needed), "resampling": int(row.resampled)}
        for name, n in found.items():
            drawn = means[:, None] + 0.05 * rng.normal(size=(boards, 5, n))
            p = ttest_rel(drawn[:, :-1], drawn[:, 1:], axis=2).pvalue
            share = np.mean([rr.adjust_p_values(each, "holm")[place] <= 0.05 for each in p])
            lines.append(f"pair {place + 1}  {n:>4} datasets by {name:<10} power {share:.3f}")
    return lines


def masked(models: int, starts: int, steps: tuple[int, ...]) -> pd.DataFrame:
    """Return errors of ability after k datasets by information, and at random."""
    matrix = rr.load_example().resolve_missing()
    rng = np.random.default_rng(5)
    scores = matrix.scores
    rows = []
    for model in rng.choice(scores.index, models, replace=False):
        others = rr.fit_2pl(scores.drop(index=model), n_refits=0)
        final = others.score_new(scores.loc[model])["ability"].iloc[0]
        ability = others.ability
        for _ in range(starts):
            first = list(rng.choice(scores.columns, 10, replace=False))
            board = scores.copy()
            board.loc[model, scores.columns.difference(first)] = np.nan
            found = rr.next_dataset(rr.ScoreMatrix(board), model, n=max(steps))
            rest = [name for name in scores.columns if name not in first]
            random = list(rng.permutation(rest)[: max(steps)])
            for k in (0, *steps):
                for way, order in (("information", list(found.table.index)), ("random", random)):
                    used = scores.loc[model, [*first, *order[:k]]]
                    error = others.score_new(used)["ability"].iloc[0] - final
                    shift = (ability > final + error).sum() - (ability > final).sum()
                    step = found.now if k == 0 else found.table.iloc[k - 1]
                    known = way == "information"
                    rows.append(
                        {
                            "datasets": k,
                            "way": way,
                            "error": error**2,
                            "rank_shift": abs(shift),
                            "standard_error": step["standard_error"] ** 2 if known else np.nan,
                            "distance": step["distance"] ** 2 if known else np.nan,
                            "ranks_hold": float(
                                step["rank_low"] <= 1 + (ability > final).sum() <= step["rank_high"]
                            )
                            if known
                            else np.nan,
                        }
                    )
    means = pd.DataFrame(rows).groupby(["datasets", "way"]).mean()
    roots = ["error", "standard_error", "distance"]
    means[roots] = np.sqrt(means[roots])
    return means.round(3)


def naive(differences: np.ndarray, sizes: list[int], n_resamples: int) -> list[float]:
    """Resample in a loop, as one would by hand."""
    rng = np.random.default_rng(0)
    return [
        float(
            np.mean(
                [
                    ttest_1samp(rng.choice(differences, size), 0.0).pvalue <= 0.05
                    for _ in range(n_resamples)
                ]
            )
        )
        for size in sizes
    ]


def timed(task: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    result = task()
    return time.perf_counter() - start, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    boards, pilots = (200, 2) if smoke else (20_000, 40)
    print("power on fresh boards of the number of datasets given")
    for effect in (0.1, 0.25, 0.5, 1.0):
        for power in (0.8, 0.95):
            print(power_at(effect, power, "normal", boards))
    for kind in ("heavy", "skewed", "against"):
        for effect in (0.1, 0.25, 0.5):
            print(power_at(effect, 0.8, kind, boards))
    print("power by formula and by resampling, boards of 131 datasets, 0.8 asked")
    for kind in KINDS:
        for effect in (0.25, 0.5):
            print(resampled_at(kind, effect, pilots, boards // 10))
    print("coverage of the 95% interval of the number")
    for kind in ("normal", "heavy"):
        for n in (10, 22, 60, 131):
            print(interval_coverage(n, 0.4, kind, 20 if smoke else 4000))
    print("neighbours of five models under Holm's procedure, 0.8 asked")
    print("\n".join(holm_power(boards // 10)))
    print("ability of masked models of the bundled board, 10 datasets run: root mean squares")
    print(masked(2 if smoke else 25, 1 if smoke else 2, (1, 2) if smoke else (1, 2, 3, 5, 10)))
    differences = np.random.default_rng(0).normal(0.3, 1.0, 131)
    draws = 100 if smoke else 300
    own, found = timed(lambda: rr.datasets_needed(board(differences), n_resamples=draws))
    slow, _ = timed(lambda: naive(differences, list(found.curve["n_datasets"]), draws))
    print(f"power curve: {own:.2f} s, in a loop {slow:.2f} s, {slow / own:.0f} times as long")


if __name__ == "__main__":
    main()
