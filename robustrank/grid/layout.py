"""From cells to blocks: which matrix each cell needs, every one of them once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from robustrank.grid.eligibility import Eligibility
    from robustrank.grid.plan import CellPlan, Plan
    from robustrank.grid.source import Source
    from robustrank.matrix import ScoreMatrix

Level = Literal["task", "language"]


@dataclass(frozen=True)
class BlockId:
    """What a block is made of.

    Attributes
    ----------
    task_type : str
        Decides which models are eligible.
    datasets : tuple of str
    language : str or None
        Set if scores are those on one language alone.
    """

    task_type: str
    datasets: tuple[str, ...]
    language: str | None


def block_of(cell: CellPlan, level: Level) -> BlockId:
    """Return the block that a cell needs. At the level of tasks, many cells share one."""
    return BlockId(cell.task_type, cell.scored, cell.language if level == "language" else None)


def block_matrices(
    plan: Plan, source: Source, eligibility: Eligibility, level: Level
) -> dict[BlockId, ScoreMatrix]:
    """Return the matrix of every block: eligible models with complete scores.

    A block that fewer than two models could be ranked on is left out.
    """
    matrices: dict[BlockId, ScoreMatrix] = {}
    language, matrix = None, source.matrix
    for cell in plan.cells:
        block = block_of(cell, level)
        if not block.datasets or block in matrices:
            continue
        if block.language is not None and block.language != language:
            language, matrix = block.language, source.of_language(block.language)
        names = list(block.datasets)
        eligible = eligibility.models[block.task_type].to_numpy()
        complete = matrix.scores[names].notna().all(axis=1).to_numpy()
        models = list(matrix.scores.index[eligible & complete])
        if len(models) > 1:
            matrices[block] = matrix.arrange(models=models, datasets=names)
    return matrices
