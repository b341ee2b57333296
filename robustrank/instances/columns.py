"""Which column of a table holds models, datasets, instances and scores, by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank import _columns as aliases
from robustrank._columns import column_key

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Names in order of preference, as `column_key` writes them.
ALIASES: dict[str, tuple[str, ...]] = {
    "model": aliases.MODEL,
    "dataset": aliases.DATASET,
    "instance": aliases.INSTANCE,
    "score": (*aliases.SCORE, "correct", "is_correct"),
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
    "split": aliases.SPLIT,
    "subset": aliases.SUBSET,
}


def find_roles(columns: Iterable[object]) -> dict[str, str]:
    """Return which column plays which role, where the names tell."""
    keys: dict[str, str] = {}
    for name in columns:
        keys.setdefault(column_key(name), str(name))
    roles: dict[str, str] = {}
    for role, known in ALIASES.items():
        found = next((keys[alias] for alias in known if alias in keys), None)
        if found is not None:
            roles[role] = found
    return roles
