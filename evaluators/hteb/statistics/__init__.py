"""The statistics of *HTEB*, of scores on originals and on transformed texts."""

from robustrank.evaluators.hteb.statistics.disruption import Disruption, disruption
from robustrank.evaluators.hteb.statistics.matrix import matrix
from robustrank.evaluators.hteb.statistics.paired_datasets import DatasetContrast, compare_datasets
from robustrank.evaluators.hteb.statistics.profiles import Profiles, profiles
from robustrank.evaluators.hteb.statistics.reading import read_scores
from robustrank.evaluators.hteb.statistics.robustness import Robustness, robustness
from robustrank.evaluators.hteb.statistics.scale import ScaleEffect, scale_effect
from robustrank.evaluators.hteb.statistics.scores import Scores
from robustrank.evaluators.hteb.statistics.settings import SettingContrast, compare_settings
from robustrank.evaluators.hteb.statistics.shifts import Shifts, shifts
from robustrank.evaluators.hteb.statistics.split_half import SplitHalf, split_half
from robustrank.evaluators.hteb.statistics.stability import RankingStability, ranking_stability
from robustrank.evaluators.hteb.statistics.zero_shot import zero_shot

__all__ = [
    "DatasetContrast",
    "Disruption",
    "Profiles",
    "RankingStability",
    "Robustness",
    "ScaleEffect",
    "Scores",
    "SettingContrast",
    "Shifts",
    "SplitHalf",
    "compare_datasets",
    "compare_settings",
    "disruption",
    "matrix",
    "profiles",
    "ranking_stability",
    "read_scores",
    "robustness",
    "scale_effect",
    "shifts",
    "split_half",
    "zero_shot",
]
