"""Files that come with the package."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def packaged(name: str) -> Traversable:
    """Return a file of the folder ``data``."""
    return files("robustrank.evaluators.hteb").joinpath("data", *name.split("/"))
