"""People as judges of transformed texts: surveys, agreement, labels (*HTEB*, §2.4 and A.4)."""

from robustrank.evaluators.hteb.ratings.agreement import Agreement, gwet_ac2
from robustrank.evaluators.hteb.ratings.drift import (
    QualityDrift,
    drift_and_quality,
    measure_drift,
)
from robustrank.evaluators.hteb.ratings.preservation import LabelPreservation, label_preservation
from robustrank.evaluators.hteb.ratings.reading import Ratings, read_ratings
from robustrank.evaluators.hteb.ratings.summary import RatingSummary, summarise_ratings
from robustrank.evaluators.hteb.ratings.survey import Survey, make_pair_survey, make_survey

__all__ = [
    "Agreement",
    "LabelPreservation",
    "QualityDrift",
    "RatingSummary",
    "Ratings",
    "Survey",
    "drift_and_quality",
    "gwet_ac2",
    "label_preservation",
    "make_pair_survey",
    "make_survey",
    "measure_drift",
    "read_ratings",
    "summarise_ratings",
]
