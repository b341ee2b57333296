"""Instance-level item response theory: time, recovery of planted abilities, and quadrature.

Answers are drawn from the two-parameter logistic model with θ, b ~ N(0, 1) and log a ~ N(0, 0.5),
at the sizes of published panels: 93 models × 22 items, 50 × 500, 37 × 5,208. Times are of one
thread. Run with ``--smoke`` for a quick check.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from robustrank.irt import evaluate_selection, find_misfit, fit_2pl_instances

SIZES = ((93, 22), (50, 500), (37, 5208))
SMOKE_SIZES = ((20, 12), (12, 60))
#: Items that girth is timed on; it takes minutes for 200.
GIRTH_ITEMS, SMOKE_GIRTH_ITEMS = 60, 8


def draw(m: int, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return answers, abilities, log-discriminations and difficulties."""
    rng = np.random.default_rng(seed)
    theta, log_a, b = rng.normal(size=m), rng.normal(0, 0.5, n), rng.normal(size=n)
    p = 1 / (1 + np.exp(-np.exp(log_a) * (theta[:, None] - b)))
    return (rng.random((m, n)) < p).astype(float), theta, log_a, b


def correlation(x: object, y: np.ndarray) -> float:
    return float(np.corrcoef(np.asarray(x), y)[0, 1])


def recover(m: int, n: int, seeds: int, missing: float, **settings: float) -> None:
    """Fit simulated answers and compare with what they were drawn from."""
    rows = []
    for seed in range(seeds):
        answers, theta, log_a, b = draw(m, n, seed)
        answers[np.random.default_rng(seed).random((m, n)) < missing] = np.nan
        start = time.process_time()
        fit = fit_2pl_instances(answers, **settings)
        seconds = time.process_time() - start
        slope, origin = np.polyfit(fit.ability, theta, 1)
        error = theta - (slope * fit.ability + origin)
        rows.append(
            [
                seconds,
                fit.n_iterations,
                fit.n_nodes,
                fit.ability.nunique(),
                correlation(fit.ability, theta),
                correlation(fit.accuracy, theta),
                correlation(np.log(fit.discrimination), log_a),
                correlation(fit.difficulty, b),
                float(np.sqrt((error**2).mean()) / (slope * fit.ability_se.median())),
            ]
        )
    mean = np.mean(rows, axis=0)
    said = "".join(f", {name} {value:g}" for name, value in settings.items())
    print(
        f"{m:>3} × {n:<5} missing {missing:.0%}{said}: {mean[0]:6.2f} s of CPU, "
        f"{mean[1]:.0f} iterations, {mean[2]:.0f} nodes, {mean[3]:.1f} distinct abilities; "
        f"correlation with truth: θ {mean[4]:.4f} (accuracy {mean[5]:.4f}), log a {mean[6]:.2f}, "
        f"b {mean[7]:.2f}; error of θ in posterior deviations {mean[8]:.2f}"
    )


def against_girth(items: int) -> None:
    answers, theta, *_ = draw(93, items)
    for engine in ("numpy", "girth"):
        start = time.process_time()
        fit = fit_2pl_instances(answers, engine=engine)
        seconds = time.process_time() - start
        print(
            f" 93 × {items} by {engine}: {seconds:.2f} s, θ {correlation(fit.ability, theta):.3f}"
        )


def select(m: int, n: int, smoke: bool) -> None:
    """Rank models by few items; a twentieth of the labels is reversed."""
    answers = draw(m, n, 3)[0]
    wrong = np.random.default_rng(0).random(n) < 0.05
    answers[:, wrong] = 1 - answers[:, wrong]
    sizes = (5, 10) if smoke else (25, 50, 100, 200)
    start = time.process_time()
    found = evaluate_selection(answers, sizes, n_random=10 if smoke else 100)
    print(f"selection on {m} × {n}: {time.process_time() - start:.1f} s of CPU")
    print(found.table.round(2).to_string())
    print("held-out models:")
    print(found.held_out.round(2).to_string())
    start = time.process_time()
    screen = find_misfit(found.fit)
    seconds = time.process_time() - start
    planted = {f"i{j + 1}" for j in np.flatnonzero(wrong)}
    first = planted & set(screen.table.index[: len(planted)])
    print(
        f"misfit: {seconds:.2f} s, {screen.share_flagged:.1%} of active items flagged "
        f"({screen.expected_share:.1%} expected by chance, {len(planted) / n:.1%} reversed); "
        f"{len(first)} of the first {len(planted)} are reversed"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, one draw")
    smoke = parser.parse_args().smoke
    sizes, seeds = (SMOKE_SIZES, 1) if smoke else (SIZES, 5)
    fit_2pl_instances(draw(5, 5)[0])  # the first call imports scipy
    for m, n in sizes:
        recover(m, n, seeds, 0.0)
        recover(m, n, seeds, 0.3)
    recover(*sizes[-1], seeds, 0.0, log_discrimination_sd=0.5)
    against_girth(SMOKE_GIRTH_ITEMS if smoke else GIRTH_ITEMS)
    select(*sizes[-1], smoke)


if __name__ == "__main__":
    main()
