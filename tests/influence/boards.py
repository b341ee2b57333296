"""Boards whose datasets have task types, and the aggregates that rank them."""

from __future__ import annotations

import pandas as pd

import robustrank as rr
from robustrank.aggregation import AGGREGATES

TYPES = ["STS", "STS", "Retrieval", "Retrieval", "Clustering", "STS"]
#: Every aggregate that is no scheme, and a scheme of every ranking method and every weighting.
KINDS = [
    *(name for name in AGGREGATES if "/" not in name),
    "wsm/critic",
    "topsis/merec",
    "vikor/equal",
    "promethee2-usual/critic",
    "promethee2-gaussian/merec",
]


def typed(scores: pd.DataFrame) -> rr.ScoreMatrix:
    """Give up to six datasets task types of unequal size."""
    types = TYPES[: scores.shape[1]]
    return rr.ScoreMatrix(scores, pd.DataFrame({"task_type": types}, index=scores.columns))
