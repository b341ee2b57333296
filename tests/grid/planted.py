"""A small benchmark with known cells: three languages, two task types, partial scores and all."""

from __future__ import annotations

import numpy as np
import pandas as pd

import robustrank as rr

#: Dataset → task type and languages. In language "aaa", "wide" and "twin" are copies.
DATASETS = {
    "wide": ("Retrieval", ("aaa", "bbb")),
    "twin": ("Retrieval", ("aaa",)),
    "other": ("Retrieval", ("aaa",)),
    "solo": ("STS", ("aaa", "bbb")),
    "ghost": ("STS", ("aaa", "ccc")),
}
MODELS = [f"org/m{i:02d}" for i in range(12)]


def long_table(seed: int = 0) -> pd.DataFrame:
    """Scores per model, dataset and language; nobody ran "ghost"."""
    rng = np.random.default_rng(seed)
    rows = []
    skill = np.linspace(0.3, 0.8, len(MODELS))
    noise = {name: rng.normal(0, 0.15, len(MODELS)) for name in ("wide", "other", "solo")}
    noise["twin"] = noise["wide"]
    for name, (task_type, languages) in DATASETS.items():
        if name == "ghost":
            continue
        for place, language in enumerate(languages):
            for i, model in enumerate(MODELS):
                # On the second language, the order is the other way round.
                score = skill[i] if place == 0 else 1.0 - skill[i]
                rows.append(
                    {
                        "model": model,
                        "task": name,
                        "task_type": task_type,
                        "split": "test",
                        "subset": language,
                        "languages": f"{language}-Latn",
                        "score": float(np.clip(score + noise[name][i], 0.01, 0.99)),
                    }
                )
    return pd.DataFrame(rows)


def task_metadata() -> pd.DataFrame:
    """One row per dataset, "ghost" included."""
    return pd.DataFrame(
        {
            "task": list(DATASETS),
            "task_type": [task_type for task_type, _ in DATASETS.values()],
            "languages": [";".join(languages) for _, languages in DATASETS.values()],
            "eval_splits": "test",
            "n_subsets": [len(languages) for _, languages in DATASETS.values()],
        }
    )


def model_metadata() -> pd.DataFrame:
    """One row per model: what filters ask for, with holes."""
    m = len(MODELS)
    return pd.DataFrame(
        {
            "model": MODELS,
            "open_weights": [i != 1 for i in range(m)],
            "n_parameters": [1e8 * (i + 1) if i != 2 else np.nan for i in range(m)],
            "embed_dim": 768,
            "max_tokens": 512,
            "release_date": ["2024-01-01"] * 6 + ["2025-06-30"] * 5 + [None],
            "zs_Retrieval": [100.0] * (m - 2) + [50.0, np.nan],
            "zs_STS": [100.0] * (m - 1) + [np.nan],
        }
    )


def study(table: pd.DataFrame | None = None, **settings) -> rr.Study:
    """Study the benchmark."""
    given = {"tasks": task_metadata(), "models": model_metadata(), **settings}
    return rr.study(long_table() if table is None else table, **given)
