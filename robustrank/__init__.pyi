from .agreement import kendalls_w
from .analysis import Analysis, analyze
from .consistency import (
    coverage_weighted_consistency,
    cross_task_consistency,
    transfer_consistency,
)
from .errors import InputError
from .evidence import evidence_category, evidence_level, evidence_strength
from .matrix import ScoreMatrix
from .mcdm import SCHEMES, rank, rank_schemes
from .notes import Note
from .readers import load_example, read
from .redundancy import cluster_datasets, find_redundancy
from .voting import borda

__all__ = [
    "SCHEMES",
    "Analysis",
    "InputError",
    "Note",
    "ScoreMatrix",
    "analyze",
    "borda",
    "cluster_datasets",
    "coverage_weighted_consistency",
    "cross_task_consistency",
    "evidence_category",
    "evidence_level",
    "evidence_strength",
    "find_redundancy",
    "kendalls_w",
    "load_example",
    "rank",
    "rank_schemes",
    "read",
    "transfer_consistency",
]
