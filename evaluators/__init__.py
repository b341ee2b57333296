"""Evaluators: what produces the matrices that `robustrank` analyses."""

from robustrank.evaluators.base import (
    GROUP,
    Evaluation,
    Evaluator,
    evaluator_names,
    load_evaluator,
)

__all__ = ["GROUP", "Evaluation", "Evaluator", "evaluator_names", "load_evaluator"]
