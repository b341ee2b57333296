"""Evaluators: what produces the matrices that `robustrank` analyses."""
