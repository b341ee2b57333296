"""Files that come with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def packaged(name: str) -> Traversable:
    """Return a file of the folder ``data``."""
    return files("robustrank.evaluators.hteb").joinpath("data", *name.split("/"))


def example_results() -> Path:
    """Return the folder of the results that come with the package.

    Eight tiny datasets, one of each task type, were rewritten by SmolLM2, a language model of 135
    million parameters, and four embedding models were scored on them: real, and far too small to
    conclude anything from.

    Returns
    -------
    Path
        Holds ``scores.csv``, one row per score of three runs; ``texts.parquet``, the texts of one
        run, of SmolLM2 and of rules, with their errors; ``judgements.csv``, what SmolLM2 as a
        judge says of them.
    """
    return Path(str(packaged("example_results")))
