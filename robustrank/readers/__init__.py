"""Readers: leaderboard exports, result files and tables into a `ScoreMatrix`."""

from robustrank.readers.dispatch import read
from robustrank.readers.example import load_example

__all__ = ["load_example", "read"]
