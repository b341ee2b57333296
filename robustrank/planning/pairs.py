"""Which models are compared, and their differences per dataset and per unit of evidence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from robustrank._groups import group_datasets
from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import unknown_label
from robustrank.notes import Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix

#: What counts as one observation of a difference.
Units = Literal["datasets", "clusters"]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of models, the one ahead first.

    Attributes
    ----------
    names : list of tuple of str
    differences : ndarray, shape (k, n)
        Per pair and dataset that counts.
    codes : ndarray of int, shape (n,)
        The unit of each of these datasets.
    held : ndarray of bool
        Which datasets of the matrix count.
    notes : list of Note
    """

    names: list[tuple[str, str]]
    differences: FloatArray
    codes: NDArray[np.intp]
    held: NDArray[np.bool_]
    notes: list[Note]

    @property
    def units(self) -> FloatArray:
        """Return the differences per unit, shape (k, units)."""
        return unit_means(self.differences, self.codes)


def unit_means(values: FloatArray, codes: NDArray[np.intp]) -> FloatArray:
    """Average the columns that belong together, shape (k, n) to (k, units)."""
    member = np.unique(codes)[:, None] == codes
    return np.asarray((values @ member.T) / member.sum(axis=1))


def named_pair(matrix: ScoreMatrix, pair: Sequence[str], by: Units) -> Pairs:
    """Compare two models on the datasets that both ran; in `matrix` names may have any order."""
    for name in pair:
        if str(name) not in matrix.scores.index:
            raise unknown_label("model", name, matrix.scores.index)
    a, b = map(str, pair)
    values = matrix.scores.loc[[a, b]].to_numpy()
    held = ~np.isnan(values).any(axis=0)
    groups = group_datasets(matrix, by)
    codes = groups.codes[held]
    differences = (values[0] - values[1])[None, held]
    notes = list(groups.notes)
    if not held.all():
        message = f"Compared on the {held.sum()} of {held.size} datasets that both models ran."
        notes.append(Note("shared-datasets", message, (a, b)))
    if held.any() and unit_means(differences, codes).mean().round(TIE_DECIMALS) < 0.0:
        a, b, differences = b, a, -differences
    return Pairs([(a, b)], differences, codes, held, notes)


def neighbours(matrix: ScoreMatrix, top_k: int, by: Units) -> Pairs:
    """Compare neighbours among the best models of a complete matrix, by means over units."""
    values, names = matrix.scores.to_numpy(), matrix.scores.index
    groups = group_datasets(matrix, by)
    codes = groups.codes
    standing = unit_means(values, codes).mean(axis=1).round(TIE_DECIMALS)
    order = np.argsort(-standing, kind="stable")[:top_k]
    plain = values.mean(axis=1).round(TIE_DECIMALS)
    notes = list(groups.notes)
    if plain[order[0]] < plain.max():
        message = (
            f"By means over clusters {names[order[0]]} leads; by means over datasets "
            f"{names[plain.argmax()]} does."
        )
        notes.append(Note("leader-by-clusters", message, (names[order[0]], names[plain.argmax()])))
    return Pairs(
        names=[(str(names[i]), str(names[j])) for i, j in pairwise(order)],
        differences=values[order[:-1]] - values[order[1:]],
        codes=codes,
        held=np.ones(values.shape[1], dtype=bool),
        notes=notes,
    )
