from .bars import shares
from .bump import bump
from .correlation import correlation
from .critical_difference import critical_difference
from .curves import curves
from .dumbbell import dumbbell
from .evidence import evidence
from .heatmap import heatmap
from .information import information
from .intervals import intervals
from .items import items
from .pairwise import pairwise
from .pareto import pareto
from .rank_distribution import rank_distribution
from .rankings import rankings
from .shifts import shifts
from .style import detached, save

__all__ = [
    "bump",
    "correlation",
    "critical_difference",
    "curves",
    "detached",
    "dumbbell",
    "evidence",
    "heatmap",
    "information",
    "intervals",
    "items",
    "pairwise",
    "pareto",
    "rank_distribution",
    "rankings",
    "save",
    "shares",
    "shifts",
]
