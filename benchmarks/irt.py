"""Task-level item response theory: time of a fit and of its refits, against scipy, and recovery.

The peer is `scipy.optimize.least_squares` on the same objective with an analytic Jacobian. Times
are the best of several runs, on one thread. Run with ``--smoke`` for a quick check.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc

import numpy as np
from _timing import best_of
from scipy.optimize import least_squares
from scipy.stats import kendalltau

from robustrank._numeric import single_threaded
from robustrank.irt import fit_2pl, screen_datasets
from robustrank.irt._batch import RIDGE_C, RIDGE_LOG_A, RIDGE_THETA
from robustrank.irt._solver import fit_once
from robustrank.matrix import ScoreMatrix

#: Models, datasets, share of missing scores; and, in seconds, how long a fit, and how long one with
#: 200 refits of either kind, may take (`inf` where nothing was promised).
SIZES = (
    (54, 16, 0.0, np.inf, np.inf),
    (93, 22, 0.0, 0.05, 5.0),
    (93, 22, 0.3, 0.05, 5.0),
    (98, 130, 0.0, np.inf, np.inf),
    (300, 131, 0.0, np.inf, 8.0),
    (447, 131, 0.55, np.inf, np.inf),
    (40, 1000, 0.0, np.inf, np.inf),
)
SMOKE_SIZES = ((20, 6, 0.0, np.inf, np.inf), (6, 20, 0.2, np.inf, np.inf))


def simulate(m: int, n: int, holes: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw scores from the model, with noise of 0.05; also ability, discrimination, difficulty."""
    rng = np.random.default_rng(0)
    theta, a, b = rng.normal(size=m), np.exp(rng.normal(0, 0.5, n)), rng.normal(size=n)
    scores = 1 / (1 + np.exp(-a * (theta[:, None] - b))) + rng.normal(0, 0.05, (m, n))
    scores = np.clip(scores, 0.001, 0.999)
    scores[rng.random((m, n)) < holes] = np.nan
    return scores, theta, a, b


def by_scipy(scores: np.ndarray) -> float:
    """Minimise the objective of `fit_2pl` with scipy; return it at its minimum."""
    m, n = scores.shape
    i, j = np.nonzero(~np.isnan(scores))
    cells, target = np.arange(len(i)), scores[i, j]
    ridge = np.sqrt(np.repeat([RIDGE_THETA, RIDGE_LOG_A, RIDGE_C], [m, n, n]))

    def predict(x: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(np.exp(x[m + j]) * x[i] + x[m + n + j])))

    def residuals(x: np.ndarray) -> np.ndarray:
        return np.concatenate([predict(x) - target, ridge * x])

    def jacobian(x: np.ndarray) -> np.ndarray:
        slope = predict(x)
        slope *= 1 - slope
        matrix = np.zeros((len(cells) + len(x), len(x)))
        matrix[cells, i] = slope * np.exp(x[m + j])
        matrix[cells, m + j] = slope * np.exp(x[m + j]) * x[i]
        matrix[cells, m + n + j] = slope
        matrix[len(cells) + np.arange(len(x)), np.arange(len(x))] = ridge
        return matrix

    mean = np.nanmean(scores, axis=1)
    start = np.concatenate([(mean - mean.mean()) / mean.std(), np.zeros(2 * n)])
    return float(least_squares(residuals, start, jacobian, method="trf", x_scale="jac").cost)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="small sizes, few refits, no target")
    smoke = parser.parse_args().smoke
    refits, repeats = (5, 1) if smoke else (200, 3)
    missed = []
    print(
        "                 a fit     scipy | with 2 ×",
        refits,
        "refits | corr θ  log a      b |",
        end="",
    )
    print(" τ to truth, of the mean")
    for m, n, holes, fit_target, refit_target in SMOKE_SIZES if smoke else SIZES:
        scores, theta, a, b = simulate(m, n, holes)
        matrix = ScoreMatrix(scores)
        once = best_of(lambda x=matrix: fit_2pl(x, n_refits=0), repeats)
        many = best_of(lambda x=matrix: fit_2pl(x, n_refits=refits), 1)
        fit = fit_2pl(matrix, n_refits=0)
        peer = "        –"
        if scores.size < 5000:
            with single_threaded():
                start = time.perf_counter()
                cost = by_scipy(scores)
                peer = f"{1000 * (time.perf_counter() - start):6.0f} ms"
            assert fit_once(scores).cost[0] <= cost * (1 + 1e-6)
        pairs = ((fit.ability, theta), (np.log(fit.discrimination), np.log(a)), (fit.difficulty, b))
        recovered = " ".join(f"{np.corrcoef(x, y)[0, 1]:.4f}" for x, y in pairs)
        taus = [kendalltau(x, theta).statistic for x in (fit.ability, matrix.scores.mean(axis=1))]
        print(
            f"{m:3} × {n:<4} {100 * (1 - holes):3.0f}% {1000 * once:6.1f} ms {peer} | "
            f"{many:15.2f} s | {recovered} | {taus[0]:.3f} {taus[1]:.3f}"
        )
        if once > fit_target or many > refit_target:
            missed.append(f"{m} × {n}")
    m, n = (20, 6) if smoke else (300, 131)
    matrix = ScoreMatrix(simulate(m, n, 0.0)[0])
    tracemalloc.start()
    fit = fit_2pl(matrix, n_refits=refits)
    print(f"peak memory at {m} × {n}: {tracemalloc.get_traced_memory()[1] / 2**20:.0f} MiB")
    tracemalloc.stop()
    seconds = best_of(lambda: screen_datasets(matrix, irt=fit), repeats)
    print(f"screening {m} × {n}, the fit given: {1000 * seconds:.0f} ms")
    if not smoke:
        print(f"targets: {'missed at ' + ', '.join(missed) if missed else 'met'}")


if __name__ == "__main__":
    main()
