"""Every ranking of a study against the leaderboard's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from robustrank.grid.study import Study

Baseline = Literal["task-type-mean", "mean", "borda"]


@dataclass(frozen=True, eq=False)
class BaselineAgreement:
    """To be written."""


def compare_with_baseline(study: Study, by: Baseline) -> BaselineAgreement:
    """To be written."""
    raise NotImplementedError
