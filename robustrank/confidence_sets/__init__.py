"""Ranks and best models with family-wise confidence."""

from robustrank.confidence_sets.estimates import rank_sets_from_estimates
from robustrank.confidence_sets.model_sets import ConfidenceSet, model_confidence_set
from robustrank.confidence_sets.rank_sets import RankSets
from robustrank.confidence_sets.ranks import rank_confidence_sets

__all__ = [
    "ConfidenceSet",
    "RankSets",
    "model_confidence_set",
    "rank_confidence_sets",
    "rank_sets_from_estimates",
]
