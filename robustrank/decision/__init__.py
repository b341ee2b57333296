"""What would change the answer: all of it for one matrix."""

from robustrank.decision.asking import decision_support
from robustrank.decision.support import QUESTIONS, DecisionSupport

__all__ = ["QUESTIONS", "DecisionSupport", "decision_support"]
