"""Language models as judges of transformed texts (*HTEB*, appendix A.3)."""

from robustrank.evaluators.hteb.judging.crossover import Judgements, judge
from robustrank.evaluators.hteb.judging.scores import JudgeScores, judge_scores

__all__ = ["JudgeScores", "Judgements", "judge", "judge_scores"]
