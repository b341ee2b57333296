"""Ratings with planted qualities, and the paper's printed tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS

NAMES = ["Gemma-3-27B", "Ministral-3-14B", "Olmo-3-7B-Instr.", "Qwen3-8B", "Qwen3-8B-AWQ"]
#: *HTEB*, Table 10: judge × generator.
TABLE_10 = pd.DataFrame(
    [
        [4.64, 4.52, 4.06, 4.62, 4.58],
        [4.08, 3.98, 3.38, 4.01, 3.97],
        [4.36, 4.34, 4.10, 4.37, 4.34],
        [4.66, 4.60, 4.03, 4.68, 4.65],
        [4.52, 4.48, 3.87, 4.47, 4.46],
    ],
    index=NAMES,
    columns=NAMES,
)
AVERAGES = [4.45, 4.38, 3.89, 4.43, 4.40]
LETTERS = ["a", "c", "d", "b", "c"]
#: *HTEB*, Table 11: transformation × generator, and the column of totals.
TABLE_11 = pd.DataFrame(
    [
        [4.64, 3.70, 4.38, 4.71, 4.73],
        [4.29, 4.21, 3.15, 3.98, 3.93],
        [3.58, 3.78, 3.95, 4.12, 4.13],
        [4.84, 4.89, 4.68, 4.73, 4.71],
        [4.14, 4.41, 4.30, 4.61, 4.57],
        [4.55, 4.75, 4.28, 4.56, 4.48],
        [4.71, 4.47, 2.54, 4.10, 4.06],
        [4.88, 4.86, 3.81, 4.62, 4.57],
    ],
    index=list(TRANSFORMATIONS),
    columns=NAMES,
)
TOTALS_11 = [4.43, 3.91, 3.91, 4.77, 4.41, 4.52, 3.97, 4.55]


def ratings(
    quality,
    *,
    n_items: int = 80,
    judges=("J1", "J2", "J3"),
    transformations=("paraphrasing", "translation"),
    own: float = 0.0,
    noise: float = 0.6,
    seed: int = 0,
) -> pd.DataFrame:
    """Whole ratings around each generator's quality; `own` is what a judge adds to its own."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n_items):
        hard = rng.normal(0, 0.5)
        for transformation in transformations:
            for generator, mean in quality.items():
                text = mean + hard + rng.normal(0, noise)
                for place, judge in enumerate(judges):
                    said = text + 0.2 * place + own * (judge == generator) + rng.normal(0, noise)
                    rating = int(np.clip(np.rint(said), 1, 5))
                    rows.append((judge, generator, transformation, f"item {item}", rating))
    columns = ["judge", "generator", "transformation", "item", "rating"]
    return pd.DataFrame(rows, columns=columns)
