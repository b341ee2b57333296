"""`import robustrank`, and `analyze` on a full-size board: numpy engine against pymcdm engine.

The board has 300 models and 131 datasets, the size of MTEB(Multilingual, v2) with every model
complete. Run with ``--smoke`` for a quick check.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tracemalloc

import numpy as np
import pandas as pd
from _timing import best_of

import robustrank as rr


def board(m: int, n: int, holes: float = 0.0) -> pd.DataFrame:
    """Simulate scores with one dominant ability and some clusters of datasets."""
    rng = np.random.default_rng(0)
    ability = rng.normal(0.6, 0.1, (m, 1))
    facets = rng.normal(0, 0.06, (m, n // 3 + 1))[:, rng.integers(0, n // 3 + 1, n)]
    scores = np.clip(ability + facets + rng.normal(0, 0.015, (m, n)), 0.01, 0.99)
    scores[rng.random((m, n)) < holes] = np.nan
    return pd.DataFrame(
        scores, index=[f"m{i}" for i in range(m)], columns=[f"d{j}" for j in range(n)]
    )


def start_up(code: str) -> None:
    """Run `code` in a new interpreter."""
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, one repeat")
    smoke = parser.parse_args().smoke
    repeats = 1 if smoke else 5
    m, n = (40, 12) if smoke else (300, 131)

    bare = best_of(lambda: start_up("pass"), repeats)
    for code in ("import robustrank", "from robustrank import analyze", "import pandas"):
        seconds = best_of(lambda code=code: start_up(code), repeats) - bare
        print(f"{code:<30} {seconds:7.3f} s")

    scores, sparse = board(m, n), board(m, n, holes=0.01)
    rr.analyze(scores)  # the first call imports scipy
    ours = best_of(lambda: rr.analyze(scores), repeats)
    theirs = best_of(lambda: rr.analyze(scores, engine="pymcdm"), 1)
    print(f"analyze {m} × {n}: {ours:.3f} s; with engine='pymcdm' {theirs:.2f} s", end="")
    print(f" ({theirs / ours:.1f} times as long)")
    kept = best_of(lambda: rr.analyze(sparse, missing="keep"), 1)
    print(f"analyze {m} × {n} with 1% missing, kept: {kept:.3f} s")
    tracemalloc.start()
    rr.analyze(scores)
    print(f"peak memory of analyze: {tracemalloc.get_traced_memory()[1] / 2**20:.0f} MiB")
    tracemalloc.stop()


if __name__ == "__main__":
    main()
