"""Readers: leaderboard exports, result files and tables into a `ScoreMatrix`."""

from robustrank.readers.dispatch import read

__all__ = ["read"]
