"""Resampling of datasets and instances: intervals, tiers, probabilities and tests."""

from robustrank.resampling.bootstrap import Bootstrap
from robustrank.resampling.comparisons import Comparisons
from robustrank.resampling.multiplicity import adjust_p_values
from robustrank.resampling.paired import check_settings, paired_bootstrap
from robustrank.resampling.sign_flip import sign_flip_floor, sign_flip_test

__all__ = [
    "Bootstrap",
    "Comparisons",
    "adjust_p_values",
    "check_settings",
    "paired_bootstrap",
    "sign_flip_floor",
    "sign_flip_test",
]
