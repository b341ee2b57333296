"""All 15 ranking schemes, weights and ranks included: robustrank against pymcdm in one run.

pymcdm has no Gaussian preference function. It is compared twice: without it (12 schemes on either
side), and with one registered the way pymcdm keeps its own (15 schemes); and as it is called by
default, which validates the input each time, and without that. Times are the best of several runs
in alternating order, on one thread. Run with ``--smoke`` for a quick check.
"""

from __future__ import annotations

import argparse
import resource
import time
import tracemalloc
import warnings
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from pymcdm import methods, weights
from pymcdm.methods.partial import promethee_i

from robustrank._numeric import single_threaded
from robustrank.matrix import ScoreMatrix
from robustrank.mcdm import SCHEMES, rank_schemes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Models, datasets, repeats for robustrank and for pymcdm.
SIZES = ((200, 3, 30, 10), (200, 20, 30, 7), (200, 130, 15, 3))
SMOKE_SIZES = ((30, 3, 2, 1), (30, 8, 2, 1))
TARGET = 20.0
WITHOUT_GAUSSIAN = [name for name in SCHEMES if "gaussian" not in name]


def board(m: int, n: int) -> np.ndarray:
    """Simulate scores with one dominant ability, as on real boards."""
    rng = np.random.default_rng(0)
    return np.clip(rng.normal(0.6, 0.1, (m, 1)) + rng.normal(0, 0.05, (m, n)), 0.01, 0.99)


def gaussian(d: np.ndarray, q: object, p: float) -> np.ndarray:  # noqa: ARG001 - pymcdm's signature
    return np.where(d > 0, 1.0 - np.exp(-(d**2) / (2.0 * p**2)), 0.0)


def by_pymcdm(
    x: np.ndarray, *, with_gaussian: bool, validation: bool = False
) -> dict[str, np.ndarray]:
    """Rank by pymcdm, with its own weights and ranks."""
    types = np.ones(x.shape[1], dtype=int)
    spread = list(x.std(axis=0))
    makers: dict[str, Callable[[], object]] = {
        "wsm": methods.WSM,
        "topsis": methods.TOPSIS,
        "vikor": methods.VIKOR,
        "promethee2-usual": lambda: methods.PROMETHEE_II("usual"),
    }
    if with_gaussian:
        makers["promethee2-gaussian"] = lambda: methods.PROMETHEE_II("gaussian", p=spread)
    ranks = {}
    for weighting, vector in {
        "equal": weights.equal_weights(x),
        "merec": weights.merec_weights(x, types),
        "critic": weights.critic_weights(x),
    }.items():
        for method, make in makers.items():
            body = make()
            ranks[f"{method}/{weighting}"] = body.rank(
                body(x, vector, types, validation=validation)
            )
    return ranks


def best_of(tasks: Sequence[tuple[Callable[[], object], int]]) -> list[float]:
    """Return the shortest time of each task in ms, taking turns."""
    best = [np.inf] * len(tasks)
    for turn in range(max(repeats for _, repeats in tasks)):
        order = list(enumerate(tasks))
        for place, (task, repeats) in order if turn % 2 == 0 else reversed(order):
            if turn < repeats:
                start = time.perf_counter()
                task()
                best[place] = min(best[place], time.perf_counter() - start)
    return [1000.0 * seconds for seconds in best]


def agree(x: np.ndarray) -> None:
    """Make sure that both sides compute the same thing (ranks, where nothing is tied)."""
    ours, theirs = rank_schemes(x).ranks["all"], by_pymcdm(x, with_gaussian=True)
    for name, ranks in theirs.items():
        if "usual" not in name and "vikor" not in name:  # there pymcdm breaks exact ties
            assert (ours[name].to_numpy() == ranks).all(), name


def speed(sizes: Sequence[tuple[int, int, int, int]]) -> bool:
    """Print the table of times and ratios; tell whether every large size meets the target."""
    print(
        "            schemes      robustrank  from a table |     pymcdm    ratio | not validating"
    )
    met = True
    for m, n, repeats, repeats_pymcdm in sizes:
        x = board(m, n)
        agree(x)
        matrix = ScoreMatrix(x)
        for chosen, gauss in ((WITHOUT_GAUSSIAN, False), (list(SCHEMES), True)):
            ours, whole, default, bare = best_of(
                [
                    (partial(rank_schemes, matrix, schemes=chosen), repeats),
                    (partial(rank_schemes, x, schemes=chosen), repeats),
                    (partial(by_pymcdm, x, with_gaussian=gauss, validation=True), repeats_pymcdm),
                    (partial(by_pymcdm, x, with_gaussian=gauss), repeats_pymcdm),
                ]
            )
            met &= n < 20 or default / ours >= TARGET
            print(
                f"{m:4} × {n:<4} {len(chosen):6} {ours:13.2f} ms {whole:10.2f} ms | "
                f"{default:7.1f} ms {default / ours:6.1f} × | {bare:7.1f} ms {bare / ours:6.1f} ×"
            )
    return met


def memory(m: int, n: int) -> None:
    """Print what ranking a large board allocates beyond the scores."""
    matrix = ScoreMatrix(board(m, n))
    tracemalloc.start()
    start = time.perf_counter()
    rank_schemes(matrix)
    seconds = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(
        f"{m} × {n}: {peak:.0f} MiB allocated at most, {seconds:.2f} s; process {resident:.0f} MiB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="small sizes, no target")
    smoke = parser.parse_args().smoke
    promethee_i._PreferenceFunctions.gaussian = staticmethod(gaussian)  # noqa: SLF001
    with single_threaded(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of pymcdm, about dominant models
        met = speed(SMOKE_SIZES if smoke else SIZES)
        memory(*((50, 20) if smoke else (1000, 500)))
    if not smoke:
        print(f"target {TARGET:.0f} × from 20 datasets: {'met' if met else 'MISSED'}")


if __name__ == "__main__":
    main()
