from . import figures
from .aggregation import AGGREGATES, compare_aggregations
from .agreement import kendalls_w
from .analysis import Analysis, analyze
from .comparison import cohort_rank_shift, compare
from .consistency import (
    coverage_weighted_consistency,
    cross_task_consistency,
    transfer_consistency,
)
from .contrasts import contrast_groups
from .errors import InputError
from .evidence import evidence_category, evidence_level, evidence_strength
from .grid import ModelFilter, Study, study
from .instances import InstanceScores, analytic_intervals, instance_intervals, read_instances
from .irt import (
    evaluate_selection,
    find_misfit,
    fisher_information,
    fit_2pl,
    fit_2pl_instances,
    informative_items,
    screen_datasets,
)
from .matrix import ScoreMatrix
from .mcdm import SCHEMES, rank, rank_schemes
from .nemenyi import critical_difference, nemenyi_test
from .notes import Note
from .pareto import pareto_front
from .readers import load_example, read
from .redundancy import cluster_datasets, find_redundancy
from .resampling import adjust_p_values, paired_bootstrap, sign_flip_test
from .signed_rank import SignedRank, signed_rank_test
from .voting import borda

__all__ = [
    "AGGREGATES",
    "SCHEMES",
    "Analysis",
    "InputError",
    "InstanceScores",
    "ModelFilter",
    "Note",
    "ScoreMatrix",
    "SignedRank",
    "Study",
    "adjust_p_values",
    "analytic_intervals",
    "analyze",
    "borda",
    "cluster_datasets",
    "cohort_rank_shift",
    "compare",
    "compare_aggregations",
    "contrast_groups",
    "coverage_weighted_consistency",
    "critical_difference",
    "cross_task_consistency",
    "evaluate_selection",
    "evidence_category",
    "evidence_level",
    "evidence_strength",
    "figures",
    "find_misfit",
    "find_redundancy",
    "fisher_information",
    "fit_2pl",
    "fit_2pl_instances",
    "informative_items",
    "instance_intervals",
    "kendalls_w",
    "load_example",
    "nemenyi_test",
    "paired_bootstrap",
    "pareto_front",
    "rank",
    "rank_schemes",
    "read",
    "read_instances",
    "screen_datasets",
    "sign_flip_test",
    "signed_rank_test",
    "study",
    "transfer_consistency",
]
