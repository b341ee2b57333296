"""Coverage of the interval of AC2 by simulation, where most ratings are high.

Three raters differ from an item's quality by errors of their own, and round to 1 to 5. Qualities
are high, as people's ratings of transformed texts are. The truth is the agreement of the same
raters on very many items.
"""

from __future__ import annotations

import argparse

import numpy as np

from robustrank.evaluators.hteb.ratings import gwet_ac2

RATERS = 3
#: Mean and standard deviation of the qualities of items, and deviation of the errors of raters.
QUALITY, BETWEEN, WITHIN = 4.2, 0.7, 0.5


def ratings(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return ratings of n items, shape (n, RATERS)."""
    quality = rng.normal(QUALITY, BETWEEN, (n, 1))
    return np.clip(np.rint(quality + rng.normal(0.0, WITHIN, (n, RATERS))), 1, 5)


def coverage(draws: int, n: int, truth: float) -> str:
    """Return one line: how often 95% intervals of n items hold the truth, and their width."""
    rng = np.random.default_rng(n)
    found = [gwet_ac2(ratings(rng, n), categories=range(1, 6)) for _ in range(draws)]
    held = np.mean([each.low <= truth <= each.high for each in found])
    width = np.mean([each.high - each.low for each in found])
    return f"{n:>4} items: {held:.1%}, {width:.2f} wide"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="once, small")
    smoke = parser.parse_args().smoke
    draws, many = (20, 10_000) if smoke else (10_000, 1_000_000)
    truth = gwet_ac2(ratings(np.random.default_rng(0), many), categories=range(1, 6)).coefficient
    print(f"AC2 {truth:.3f}: coverage of 95% intervals, draws: {draws}")
    for n in (10,) if smoke else (10, 20, 40, 100):
        print(coverage(draws, n, truth), flush=True)


if __name__ == "__main__":
    main()
