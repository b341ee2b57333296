"""HTEB: benchmark texts rewritten by a language model, and embedding models scored on both."""

from robustrank.evaluators.hteb.evaluator import HTEB

__all__ = ["HTEB"]
