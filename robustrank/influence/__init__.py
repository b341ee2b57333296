"""Which datasets decide a ranking: leave one out."""

from robustrank.influence.leave_out import dataset_influence
from robustrank.influence.result import Influence

__all__ = ["Influence", "dataset_influence"]
