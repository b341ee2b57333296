"""A study as files: CSV, parquet, LaTeX, Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from pathlib import Path

    from robustrank.grid.study import Study

Format = Literal["csv", "parquet", "latex", "markdown"]
TableName = Literal["cells", "languages", "tasks"]


def save_study(
    study: Study, folder: str | os.PathLike[str], formats: Iterable[Format]
) -> list[Path]:
    """To be written."""
    raise NotImplementedError


def study_to_markdown(study: Study, table: TableName) -> str:
    """To be written."""
    raise NotImplementedError


def study_to_latex(study: Study, table: TableName) -> str:
    """To be written."""
    raise NotImplementedError
