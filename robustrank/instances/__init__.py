"""Scores per instance, and what they say about the uncertainty within a dataset."""

from robustrank.instances.analytic import analytic_intervals
from robustrank.instances.designs import Design, find_designs, metric_kind
from robustrank.instances.draws import parametric_means, resampled_means
from robustrank.instances.intervals import Intervals, instance_intervals
from robustrank.instances.reading import read_instances
from robustrank.instances.tables import InstanceScores, check_instances

__all__ = [
    "Design",
    "InstanceScores",
    "Intervals",
    "analytic_intervals",
    "check_instances",
    "find_designs",
    "instance_intervals",
    "metric_kind",
    "parametric_means",
    "read_instances",
    "resampled_means",
]
