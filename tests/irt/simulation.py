"""Answers drawn from the two-parameter logistic model, and a slow fit of it to compare with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import minimize


@dataclass
class Simulated:
    """Answers (models × items) and what they were drawn from."""

    answers: pd.DataFrame
    ability: np.ndarray
    discrimination: np.ndarray
    difficulty: np.ndarray


def simulate(models: int, items: int, seed: int = 0, missing: float = 0.0) -> Simulated:
    """Draw θ and b from N(0, 1), log a from N(0, 0.5), then right and wrong answers."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=models)
    discrimination = np.exp(rng.normal(0, 0.5, items))
    difficulty = rng.normal(size=items)
    p = 1 / (1 + np.exp(-discrimination * (ability[:, None] - difficulty)))
    answers = (rng.random((models, items)) < p).astype(float)
    answers[rng.random((models, items)) < missing] = np.nan
    frame = pd.DataFrame(
        answers,
        index=[f"m{i}" for i in range(models)],
        columns=[f"q{j}" for j in range(items)],
    )
    return Simulated(frame, ability, discrimination, difficulty)


def objective(parameters: np.ndarray, answers: np.ndarray) -> float:
    """Penalised marginal log-likelihood by loops: `parameters` holds log a, then d."""
    nodes = np.linspace(-9, 9, 901)
    density = np.exp(-(nodes**2) / 2) / np.sqrt(2 * np.pi) * (nodes[1] - nodes[0])
    alpha, d = np.split(parameters, 2)
    total = -0.5 * (alpha**2).sum() - 0.5 * (d**2).sum() / 9
    for row in answers:
        likelihood = np.ones_like(nodes)
        for y, log_a, intercept in zip(row, alpha, d, strict=True):
            if not np.isnan(y):
                p = 1 / (1 + np.exp(-(np.exp(log_a) * nodes + intercept)))
                likelihood = likelihood * (p if y == 1 else 1 - p)
        total += np.log((likelihood * density).sum())
    return float(total)


def slow_fit(answers: np.ndarray) -> tuple[np.ndarray, float]:
    """Maximise `objective` without derivatives of our own; returns log a and d, and the maximum."""
    start = np.zeros(2 * answers.shape[1])
    found = minimize(lambda x: -objective(x, answers), start, method="BFGS")
    return found.x, -found.fun
