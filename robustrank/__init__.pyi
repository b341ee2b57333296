from . import figures
from .acceptability import smaa
from .aggregation import AGGREGATES, compare_aggregations
from .agreement import kendalls_w
from .analysis import Analysis, analyze
from .comparison import cohort_rank_shift, compare
from .confidence_sets import (
    model_confidence_set,
    rank_confidence_sets,
    rank_sets_from_estimates,
)
from .consistency import (
    coverage_weighted_consistency,
    cross_task_consistency,
    transfer_consistency,
)
from .contrasts import contrast_groups
from .decision import decision_support
from .errors import InputError
from .evidence import evidence_category, evidence_level, evidence_strength
from .flips import smallest_change
from .grid import ModelFilter, Study, study
from .influence import dataset_influence
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
from .planning import datasets_needed, next_dataset
from .readers import load_example, read
from .redundancy import cluster_datasets, find_redundancy
from .resampling import adjust_p_values, paired_bootstrap, sign_flip_test
from .short_suites import short_suite
from .signed_rank import SignedRank, signed_rank_test
from .voting import borda
from .winners import correct_winner, planned_comparison

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
    "correct_winner",
    "coverage_weighted_consistency",
    "critical_difference",
    "cross_task_consistency",
    "dataset_influence",
    "datasets_needed",
    "decision_support",
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
    "model_confidence_set",
    "nemenyi_test",
    "next_dataset",
    "paired_bootstrap",
    "pareto_front",
    "planned_comparison",
    "rank",
    "rank_confidence_sets",
    "rank_schemes",
    "rank_sets_from_estimates",
    "read",
    "read_instances",
    "screen_datasets",
    "short_suite",
    "sign_flip_test",
    "signed_rank_test",
    "smaa",
    "smallest_change",
    "study",
    "transfer_consistency",
]
