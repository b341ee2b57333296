"""Analyses and studies whose names and gaps are as unpleasant as real ones can be."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

import robustrank as rr

#: What a page must show as it is, whatever it would mean as markup, script or template.
HOSTILE = (
    "<script>alert(1)</script>",
    '"onmouseover="alert(2)',
    "{{ 7*7 }}{% raw %}",
    "</style></script><b>bold</b>",
    "two\nlines",
    "org/" + "long-name-" * 9 + "123456",
    "模型/日本語-α",
    "a$b$ & 'c' \\d",
)
NAMES = (*HOSTILE, *(f"org/model-{i}" for i in range(6)))


def scores(n_datasets: int = 8, seed: int = 4) -> pd.DataFrame:
    """Scores of models of different ability on datasets of which two repeat others."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(0.75, 0.35, len(NAMES))
    noise = rng.normal(0, 0.05, (len(NAMES), n_datasets))
    table = np.clip(ability[:, None] + rng.uniform(-0.2, 0.2, n_datasets) + noise, 0.01, 0.99)
    table[:, 1] = np.clip(table[:, 0] + 0.01, 0, 1)
    table[:, 3] = np.clip(table[:, 2] - 0.01, 0, 1)
    datasets = ["<img src=x onerror=alert(3)>", *(f"Dataset{j}" for j in range(1, n_datasets))]
    return pd.DataFrame(table.round(4), index=list(NAMES), columns=datasets)


@cache
def hostile_analysis() -> rr.Analysis:
    """An analysis of such names; two models miss a score, and sizes are known."""
    table = scores()
    table.iloc[5, 6] = table.iloc[9, 7] = np.nan
    models = pd.DataFrame(
        {
            "n_parameters": [float(10**7 * 3 ** (i % 7)) for i in range(len(NAMES))],
            "open_weights": [i % 3 > 0 for i in range(len(NAMES))],
            "zero_shot": [0.9, np.nan] * (len(NAMES) // 2),
        },
        index=list(NAMES),
    )
    matrix = rr.ScoreMatrix(table, models=models)
    return rr.analyze(matrix, missing="keep", n_resamples=400, n_refits=8)


@cache
def hostile_study() -> rr.Study:
    """A study of such names: cells of every level, one of them without a dataset."""
    table = scores(12)
    datasets = pd.DataFrame(
        {
            "task_type": ["STS"] * 5 + ["PairClassification"] * 4 + ["<i>Retrieval</i>"] * 3,
            "languages": [
                "eng;fra", "eng;fra", "eng", "eng", "eng;</script>",
                "eng;fra", "eng", "fra", "fra",
                "eng", "fra", "fra",
            ],
        },
        index=table.columns,
    )  # fmt: skip
    return rr.study(rr.ScoreMatrix(table, datasets=datasets), n_compositions=2)
