"""The winner's curse, and comparisons that were planned."""

from robustrank.winners.comparison import PlannedComparison
from robustrank.winners.correction import correct_winner
from robustrank.winners.planned import planned_comparison
from robustrank.winners.winner import Winner

__all__ = ["PlannedComparison", "Winner", "correct_winner", "planned_comparison"]
