"""Scores of an embedding model on a dataset, by task type and protocol."""

from robustrank.evaluators.hteb.scoring.base import Encoder, Role, Score
from robustrank.evaluators.hteb.scoring.protocols import PROTOCOLS, score

__all__ = ["PROTOCOLS", "Encoder", "Role", "Score", "score"]
