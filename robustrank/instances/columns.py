"""Which column of a table holds models, datasets, instances and scores, by its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Names in order of preference, as `column_key` writes them.
ALIASES: dict[str, tuple[str, ...]] = {
    "model": ("model_name", "model", "model_id", "system_name", "system", "embedding_model"),
    "dataset": (
        "task_name",
        "task",
        "dataset_name",
        "dataset",
        "data_set",
        "benchmark_name",
        "benchmark",
    ),
    "instance": (
        "instance_id",
        "instance",
        "query_id",
        "qid",
        "query",
        "question_id",
        "sample_id",
        "sample",
        "item_id",
        "item",
        "example_id",
        "example",
        "id",
        "idx",
    ),
    "score": ("main_score", "score", "scores", "value", "result", "correct", "is_correct"),
    "experiment": (
        "seed",
        "experiment",
        "experiment_id",
        "run",
        "run_id",
        "trial",
        "fold",
        "repetition",
    ),
    "split": ("split", "eval_split"),
    "subset": ("subset", "hf_subset", "language", "lang"),
}


def column_key(name: object) -> str:
    """Return a name in lower case with one underscore between its words."""
    return re.sub(r"[\W_]+", "_", str(name).casefold()).strip("_")


def find_roles(columns: Iterable[object]) -> dict[str, str]:
    """Return which column plays which role, where the names tell."""
    keys: dict[str, str] = {}
    for name in columns:
        keys.setdefault(column_key(name), str(name))
    roles: dict[str, str] = {}
    for role, aliases in ALIASES.items():
        found = next((keys[alias] for alias in aliases if alias in keys), None)
        if found is not None:
            roles[role] = found
    return roles
