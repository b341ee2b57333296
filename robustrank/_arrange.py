"""A matrix in an order of its content, so that arrangement and names change no number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank._numeric import content_order

if TYPE_CHECKING:
    from robustrank.matrix import ScoreMatrix


def by_content(matrix: ScoreMatrix) -> ScoreMatrix:
    """Arrange models and datasets by the scores they hold: see `content_order`."""
    scores = matrix.scores
    rows, columns = content_order(scores)
    return matrix.arrange(models=list(scores.index[rows]), datasets=list(scores.columns[columns]))
