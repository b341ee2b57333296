"""The smallest change that puts one model above another."""

from robustrank.flips.change import smallest_change
from robustrank.flips.result import SmallestChange

__all__ = ["SmallestChange", "smallest_change"]
