"""Time and size of a report, after the analysis; with ``--smoke`` on a small board."""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd

import robustrank as rr

WORDS = [
    "granite",
    "harbour",
    "meadow",
    "willow",
    "copper",
    "falcon",
    "summit",
    "orchid",
    "breeze",
    "canyon",
]


def simulated(m: int, n: int, seed: int = 0) -> rr.ScoreMatrix:
    """Return scores of models with names of usual length on datasets that partly repeat."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(0, 0.08, (m, 1))
    topics = rng.normal(0, 0.06, (m, 12))[:, rng.integers(0, 12, n)]
    scores = np.clip(0.6 + ability + topics + rng.normal(0, 0.02, (m, n)), 0.01, 0.99)
    rows = [f"{_word(i)}-lab/{_word(i // 10)}-embedding-v{i // 100 + 1}" for i in range(m)]
    columns = [f"{_word(j).title()}{_word(j // 10).title()}Task{j}" for j in range(n)]
    return rr.ScoreMatrix(pd.DataFrame(scores, index=rows, columns=columns))


def _word(i: int) -> str:
    return WORDS[i % len(WORDS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes")
    smoke = parser.parse_args().smoke
    for m, n in [(10, 8)] if smoke else [(10, 16), (93, 16), (300, 131)]:
        start = time.perf_counter()
        analysis = rr.analyze(simulated(m, n), n_refits=10 if smoke else 200)
        analysed = time.perf_counter()
        page = analysis.to_html()
        done = time.perf_counter()
        print(
            f"{m} models × {n} datasets: analysis {analysed - start:.1f} s, "
            f"report {done - analysed:.1f} s, {len(page.encode()) / 1e6:.2f} MB"
        )


if __name__ == "__main__":
    main()
