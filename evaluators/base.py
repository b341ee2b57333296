"""The protocol that evaluators follow, and the registry that finds them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from robustrank.errors import unknown_label

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.metadata import EntryPoint

    import pandas as pd

    from robustrank.matrix import ScoreMatrix

#: Distributions announce their evaluators in this entry-point group.
GROUP = "robustrank.evaluators"


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What an evaluator returns.

    Attributes
    ----------
    matrix : ScoreMatrix
        Models × datasets.
    table : DataFrame
        The long table that the matrix was made from: one row per score.
    """

    matrix: ScoreMatrix
    table: pd.DataFrame


@runtime_checkable
class Evaluator(Protocol):
    """Something that scores models on datasets."""

    def run(self, models: Sequence[Any], datasets: Sequence[Any], **options: Any) -> Evaluation:
        """Score every model on every dataset."""
        ...


def evaluator_names() -> list[str]:
    """Name the evaluators that installed distributions announce, sorted."""
    return sorted(entry.name for entry in entry_points(group=GROUP))


def load_evaluator(name: str) -> Evaluator:
    """Import an evaluator by name and create it.

    Parameters
    ----------
    name : str
        One of `evaluator_names`.

    Returns
    -------
    Evaluator

    Raises
    ------
    UnknownLabelError
        If no installed distribution announces this name.
    TypeError
        If what is announced has no ``run`` method.
    """
    found: dict[str, EntryPoint] = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        raise unknown_label(
            "evaluator", name, found, none_known="no installed package announces an evaluator."
        )
    evaluator = found[name].load()()
    if not isinstance(evaluator, Evaluator):
        raise TypeError(
            f"{found[name].value}, announced as evaluator {name!r}, has no run method; see "
            "robustrank.evaluators.Evaluator."
        )
    return evaluator
