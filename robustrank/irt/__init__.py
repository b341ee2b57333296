"""Item response theory: of datasets (continuous scores) and of instances (right or wrong)."""

from robustrank.irt.information import fisher_information, informative_items
from robustrank.irt.instances import InstanceIRT, fit_2pl_instances
from robustrank.irt.misfit import Misfit, find_misfit
from robustrank.irt.screening import Screening, screen_datasets
from robustrank.irt.selection import Selection, evaluate_selection
from robustrank.irt.task import TaskIRT, fit_2pl

__all__ = [
    "InstanceIRT",
    "Misfit",
    "Screening",
    "Selection",
    "TaskIRT",
    "evaluate_selection",
    "find_misfit",
    "fisher_information",
    "fit_2pl",
    "fit_2pl_instances",
    "informative_items",
    "screen_datasets",
]
