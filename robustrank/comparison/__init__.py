"""Two boards of the same models: do they agree, where do they part, and for whom."""

from robustrank.comparison.boards import Comparison, compare
from robustrank.comparison.coefficients import Coefficient
from robustrank.comparison.cohorts import CohortShift, cohort_rank_shift

__all__ = ["Coefficient", "CohortShift", "Comparison", "cohort_rank_shift", "compare"]
