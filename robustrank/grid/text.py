"""A study as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robustrank.grid.study import Study


def methods_paragraph(study: Study) -> str:
    """To be written."""
    raise NotImplementedError


def study_summary(study: Study, top: int) -> str:
    """To be written."""
    raise NotImplementedError


def short_summary(study: Study) -> str:
    """To be written."""
    raise NotImplementedError


def study_to_html(study: Study) -> str:
    """To be written."""
    raise NotImplementedError
