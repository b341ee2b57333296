"""Boards with planted drops, in the shape in which the evaluator writes its scores."""

from __future__ import annotations

import numpy as np
import pandas as pd

from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS

#: About how many points each transformation costs.
DROPS = dict(zip(TRANSFORMATIONS, (4, 3, 3, 7, 4, 6, 16, 18), strict=True))
AXIS_OF = {name: axis for axis, names in AXES.items() for name in names}
#: The transformations of a small board, one per axis.
SMALL = ["paraphrasing", "expansion", "translation"]
_TYPES = ("classification", "clustering", "sts", "retrieval")


def planted(
    models: int = 5,
    datasets: int = 9,
    runs: int = 2,
    *,
    factor: float = 1.0,
    noise: float = 0.004,
    seed: int = 0,
) -> pd.DataFrame:
    """Return a long table; a drop is the model's along an axis times the dataset's."""
    rng = np.random.default_rng(seed)
    sensitivity = 1.0 + rng.normal(0.0, 0.3, (models, len(AXES)))
    severity = 1.0 + rng.normal(0.0, 0.3, (datasets, len(TRANSFORMATIONS)))
    level = rng.normal(0.0, 0.05, datasets)
    rows = []
    for i in range(models):
        for j in range(datasets):
            cell = {"model": f"model {i}", "dataset": f"data {j}", "task_type": _TYPES[j % 4]}
            base = float(np.clip(0.6 + 0.02 * min(i, 10) + level[j], 0.3, 0.95))
            for run in range(runs):
                rows.append({**cell, "transformation": "original", "run": run, "score": base})
                for k, (name, drop) in enumerate(DROPS.items()):
                    own = sensitivity[i, list(AXES).index(AXIS_OF[name])] * severity[j, k]
                    score = base - factor * drop / 100 * own + rng.normal(0.0, noise)
                    rows.append({**cell, "transformation": name, "run": run, "score": score})
    return pd.DataFrame(rows)


def row(model, dataset, transformation, score, **more):
    return {
        "model": model,
        "dataset": dataset,
        "transformation": transformation,
        "score": score,
        **more,
    }


def small(scores=(0.5, 0.4, 0.3), original=0.6, models=("a", "b"), datasets=("x", "y")):
    """Return two models on two datasets under one transformation per axis."""
    return pd.DataFrame(
        [
            row(model, dataset, name, score)
            for model in models
            for dataset in datasets
            for name, score in zip(["original", *SMALL], (original, *scores), strict=True)
        ]
    )
