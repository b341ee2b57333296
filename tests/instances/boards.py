"""Boards of scores per instance."""

from __future__ import annotations

import numpy as np

from robustrank.instances import InstanceScores


def right_or_wrong(models: int, sizes: dict[str, int], seed: int = 0) -> dict[str, np.ndarray]:
    """Answers of models of rising ability, per dataset: 1 is right."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(0.3, 0.8, models)[:, None]
    return {name: (rng.random((models, n)) < ability).astype(float) for name, n in sizes.items()}


def names(models: int) -> list[str]:
    return [f"m{i}" for i in range(models)]


def board(models: int = 4, seed: int = 0, **sizes: int) -> InstanceScores:
    given = sizes or {"small": 40, "large": 200}
    return InstanceScores(right_or_wrong(models, given, seed), models=names(models))


def graded(models: int = 3, n: int = 30, seed: int = 0, missing: float = 0.0) -> np.ndarray:
    """Scores with many values, some of them missing."""
    rng = np.random.default_rng(seed)
    values = rng.beta(2, 1, (models, n))
    values[rng.random((models, n)) < missing] = np.nan
    return values
