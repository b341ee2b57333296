"""Aggregates: the mean and its relatives, votes and schemes, on a matrix or on many resamples."""

from robustrank.aggregation.kernels import Kernel
from robustrank.aggregation.registry import (
    AGGREGATES,
    Aggregate,
    resolve_aggregate,
    task_type_codes,
)
from robustrank.aggregation.table import Aggregations, compare_aggregations

__all__ = [
    "AGGREGATES",
    "Aggregate",
    "Aggregations",
    "Kernel",
    "compare_aggregations",
    "resolve_aggregate",
    "task_type_codes",
]
