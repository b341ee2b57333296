"""Whether corrected winners and planned comparisons hold what they state, by simulation.

The truth is the mean over a population of datasets of the model that happened to lead. Populations
are normal or heavy-tailed, with a difficulty that all models share; or the datasets of the bundled
board themselves, drawn with replacement.
"""

from __future__ import annotations

import argparse
import re
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import robustrank as rr
from robustrank.winners.correction import answer, find_winner
from robustrank.winners.differences import Differences, detectable, p_values
from robustrank.winners.projection import draw_errors, largest_difference_t
from robustrank.winners.selection import sample_means

if TYPE_CHECKING:
    from collections.abc import Callable

METHODS = ("answer", "naive", "hybrid", "conditional", "projection", "bootstrap")


def normal(
    rng: np.random.Generator, truth: np.ndarray, datasets: int, tails: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and true means; `tails` are the degrees of freedom of a t distribution."""
    size = (len(truth), datasets)
    own = rng.standard_normal(size)
    if tails is not None:
        own = rng.standard_t(tails, size) * np.sqrt((tails - 2.0) / tails)
    return truth[:, None] + rng.normal(0.0, 0.1, datasets) + 0.04 * own, truth


def board(
    rng: np.random.Generator, population: np.ndarray, datasets: int
) -> tuple[np.ndarray, np.ndarray]:
    drawn = rng.integers(population.shape[1], size=datasets)
    return population[:, drawn], population.mean(axis=1)


def winners(
    name: str,
    simulate: Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]],
    boards: int,
    n_resamples: int,
) -> list[dict[str, object]]:
    """Return coverage, estimates that are too high, and their errors, by method and quantity.

    ``above 0`` is the share of boards on which the answer claims a lead that is none.
    """
    rng = np.random.default_rng(7)
    hits: dict[tuple[str, str], list[tuple[bool, bool, float, bool]]] = {}
    for _ in range(boards):
        scores, truth = simulate(rng)
        units = np.arange(scores.shape[1])
        first, second, found = find_winner(
            scores, units, confidence_level=0.95, n_resamples=n_resamples, rng=rng
        )
        true = truth[first] - np.array([0.0, truth.mean(), truth[second]])
        table, _ = answer(found, "hybrid", len(units))
        for (quantity, by_method), right in zip(found.items(), true, strict=True):
            rows = {
                method: (each.estimate, each.low, each.high) for method, each in by_method.items()
            }
            rows["answer"] = tuple(table.loc[quantity, ["corrected", "low", "high"]])
            for method in METHODS:
                estimate, low, high = rows[method]
                hits.setdefault((quantity, method), []).append(
                    (low <= right <= high, estimate > right, estimate - right, low > 0.0 >= right)
                )
    lines = []
    for quantity in ("mean", "over_average", "over_runner_up"):
        line: dict[str, object] = {"board": name, "quantity": quantity}
        for method in METHODS:
            held, high, error, false = np.array(hits[quantity, method], dtype=float).T
            size = np.sqrt((np.clip(error, -9.0, 9.0) ** 2).mean())
            line[method] = f"{held.mean():.1%} {high.mean():.0%} {size:.3f}"
            if method == "answer":
                line["above 0"] = f"{false.mean():.1%}"
        lines.append(line)
    return lines


def comparisons(real: np.ndarray, boards: int, n_resamples: int) -> None:
    """Print error rates of planned comparisons, power, and what choosing afterwards does.

    ``real`` pairs are two of the best 20 models of the bundled board, their mean difference taken
    off, on datasets drawn from it.
    """
    best = real[np.argsort(-real.mean(axis=1))[:20]]
    best = best - best.mean(axis=1, keepdims=True)
    print(
        "\nplanned comparisons: share of boards of equal models with any claim, at 0.05; and power"
    )
    for datasets in (6, 10, 22, 60, 131):
        rng = np.random.default_rng(datasets)
        size = detectable_effect(datasets)
        for test in ("sign-flip", "t", "signed-rank"):
            settings = {"test": test, "n_resamples": n_resamples}
            claims = dict.fromkeys(("one", "three", "heavy", "real", "lead", "rival", "power"), 0)
            for _ in range(boards):
                scores, _ = normal(rng, np.full(10, 0.5), datasets)
                heavy, _ = normal(rng, np.full(2, 0.5), datasets, tails=3)
                pair = best[rng.choice(len(best), 2, replace=False)]
                skewed = pair[:, rng.integers(pair.shape[1], size=datasets)]
                order = np.argsort(-scores.mean(axis=1))
                for kind, table, model, against in (
                    ("one", scores, 0, [1]),
                    ("three", scores, 0, [1, 2, 3]),
                    ("heavy", heavy, 0, [1]),
                    ("real", skewed, 0, [1]),
                    ("lead", scores, order[0], [order[5]]),
                    ("rival", scores, order[1], [order[0]]),
                ):
                    claims[kind] += claim(table, model, against, rng, settings)
                ahead, _ = normal(rng, np.array([0.5 + size, 0.5]), datasets)
                claims["power"] += claim(ahead, 0, [1], rng, settings)
            shares = {kind: f"{number / boards:.1%}" for kind, number in claims.items()}
            print(f"{datasets:>4} datasets  {test:<12}", shares, flush=True)


def detectable_effect(datasets: int) -> float:
    """Return the difference that 80% of tests find, of models as `normal` draws them."""
    spread = np.linspace(-1.0, 1.0, datasets)
    spread *= 0.04 * np.sqrt(2.0) / spread.std(ddof=1)
    exact = Differences(spread[None, :], np.ones((1, datasets)))
    return float(detectable(exact, "t", 0.05, 0.8, 1)[0])


def claim(
    scores: np.ndarray, model: int, against: list[int], rng: np.random.Generator, settings: dict
) -> bool:
    gaps = scores[model] - scores[against]
    found = Differences(gaps, np.ones_like(gaps))
    p = p_values(found, alternative="greater", rng=rng, **settings)
    return bool((rr.adjust_p_values(p, "holm") <= 0.05).any())


def speed(models: int, datasets: int, n_resamples: int) -> None:
    """Print the time of a call, and of its slowest part against one difference at a time."""
    rng = np.random.default_rng(0)
    scores, _ = normal(rng, np.linspace(0.3, 0.7, models), datasets)
    sample = sample_means(scores, np.arange(datasets))
    drawn = draw_errors(sample.residuals, n_resamples, rng)
    start = time.process_time()
    fast = largest_difference_t(drawn, sample.residuals)
    middle = time.process_time()
    slow = np.zeros(n_resamples)
    for a in range(models):
        for b in range(a):
            gap = sample.residuals[a] - sample.residuals[b]
            slow = np.maximum(slow, np.abs(drawn[a] - drawn[b]) / np.sqrt(gap @ gap))
    end = time.process_time()
    assert np.allclose(fast, slow, rtol=1e-3)
    rr.correct_winner(np.clip(scores, 0.0, 1.0), n_resamples=n_resamples)
    last = time.process_time()
    print(
        f"\n{models} × {datasets}, {n_resamples:,} draws: correct_winner {last - end:.2f} s; "
        f"differences of all pairs {(end - middle) / (middle - start):.1f} times as fast as one "
        "pair at a time"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="once, small")
    parser.add_argument("--only", default="", help="parts whose names match this, such as real")
    parser.add_argument("--boards", type=int, default=200, help="how many of each kind")
    given = parser.parse_args()
    boards, n_resamples = (2, 200) if given.smoke else (given.boards, 500)
    real = rr.load_example().resolve_missing().scores.to_numpy()
    one = np.r_[0.6, np.full(19, 0.5)]
    kinds = {
        "equal 2 × 10": partial(normal, truth=np.full(2, 0.5), datasets=10),
        "equal 20 × 22": partial(normal, truth=np.full(20, 0.5), datasets=22),
        "equal 100 × 22": partial(normal, truth=np.full(100, 0.5), datasets=22),
        "t(3) 20 × 22": partial(normal, truth=np.full(20, 0.5), datasets=22, tails=3),
        "one ahead 20 × 22": partial(normal, truth=one, datasets=22),
        "spread 20 × 22": partial(normal, truth=np.linspace(0.5, 0.55, 20), datasets=22),
        "real 86 × 6": partial(board, population=real, datasets=6),
        "real 86 × 10": partial(board, population=real, datasets=10),
        "real 86 × 22": partial(board, population=real, datasets=22),
        "real 86 × 60": partial(board, population=real, datasets=60),
        "real 86 × 131": partial(board, population=real, datasets=131),
    }
    print(f"coverage of 95% intervals, estimates too high, root mean squared error; {boards} each")
    chosen = {name: kind for name, kind in kinds.items() if re.search(given.only, name)}
    for name, simulate in chosen.items():
        lines = pd.DataFrame(winners(name, simulate, boards, n_resamples))
        print(lines.to_string(index=False, header=name == next(iter(chosen))), flush=True)
    if re.search(given.only, "comparisons"):
        comparisons(real, 5 * boards, n_resamples)
    if re.search(given.only, "speed"):
        speed(*((20, 10, 1000) if given.smoke else (300, 131, 10_000)))


if __name__ == "__main__":
    main()
