"""What changes when a setting does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from robustrank.grid.study import Study


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """To be written."""


def assess_sensitivity(
    study: Study, settings: Mapping[str, Iterable[Any]], others: Mapping[str, Study]
) -> Sensitivity:
    """To be written."""
    raise NotImplementedError
