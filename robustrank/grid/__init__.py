"""The grid: every language and task type of a benchmark, analysed in one go."""

from robustrank.grid.build import study
from robustrank.grid.filters import ModelFilter
from robustrank.grid.study import Study

__all__ = ["ModelFilter", "Study", "study"]
