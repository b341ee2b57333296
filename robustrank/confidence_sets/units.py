"""What is flipped or resampled: datasets, or groups of them, with what to know of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from robustrank._groups import By, group_datasets, repeated_datasets
from robustrank._numeric import TIE_DECIMALS
from robustrank.confidence_sets.draws import Draws, flip_signs, resample
from robustrank.errors import ParameterError
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Callable

    from robustrank._numeric import FloatArray
    from robustrank.matrix import ScoreMatrix

Test = Literal["sign-flip", "bootstrap-t"]

#: How the size of mean minus median, over standard deviation, times √n, is spread in normal
#: samples: its median.
_NORMAL_SKEW = 0.51
#: Differences whose skew is beyond this many times that of normal ones are called skewed.
_SKEWED = 1.5


@dataclass(frozen=True, eq=False)
class Units:
    """What n independent units add to the means of m models.

    Attributes
    ----------
    noun : str
        What a unit is called.
    totals : ndarray, shape (m, n)
        Less what all models share, which differences do not have.
    doubts : tuple of Note
        What is uncertain of the groups.
    """

    noun: str
    totals: FloatArray
    doubts: tuple[Note, ...]

    @classmethod
    def of(cls, matrix: ScoreMatrix, by: By) -> Units:
        """Sum the scores of a complete matrix within its groups of datasets."""
        groups = group_datasets(matrix, by)
        values = matrix.scores.to_numpy()
        totals = np.stack([values[:, held].sum(axis=1) for held in groups.member], axis=1)
        return cls(groups.noun, totals - totals.mean(axis=0), groups.notes)

    def draw(self, test: Test, n_resamples: int, rng: np.random.Generator) -> Draws:
        """Draw what differences look like where there is none; one unit cannot be resampled."""
        make: Callable[[FloatArray, int, np.random.Generator], Draws]
        make = resample if test == "bootstrap-t" and self.totals.shape[1] > 1 else flip_signs
        return make(self.totals, n_resamples, rng)

    def notes(self, test: Test, draws: Draws, alpha: float, sides: int) -> list[Note]:
        """Return what to know of the units, and of tests with one side, or two, at a level."""
        n = self.totals.shape[1]
        notes = list(self.doubts)
        if draws.floor(sides) > alpha + 1e-12:
            few = self.noun if draws.exact else "draw"
            held = count(n if draws.exact else draws.noise.shape[1], few)
            message = (
                f"{held} cannot tell two models apart at {alpha:.4g}: the smallest p-value is "
                f"{draws.floor(sides):.2g}. Take more {few}s, or a lower level of confidence."
            )
            notes.append(Note("no-separation-possible", message))
        if test == "sign-flip" and n > 1 and self._skew() > _SKEWED * _NORMAL_SKEW / np.sqrt(n):
            message = (
                f"Differences between models are skewed over the {self.noun}s. Flipping signs "
                "assumes that they are not: the sets can miss more often than stated where models "
                "have equal means. test='bootstrap-t' does without that, and gives wider sets."
            )
            notes.append(Note("skewed-differences", message))
        return notes

    def _skew(self) -> float:
        """Return the median size of (mean - median) / standard deviation over all pairs."""
        sizes = []
        for i in range(len(self.totals) - 1):
            gaps = self.totals[i] - self.totals[i + 1 :]
            spread = gaps.std(axis=1)
            off = np.abs(gaps.mean(axis=1) - np.median(gaps, axis=1))
            varying = spread > 10.0**-TIE_DECIMALS
            sizes.append(off[varying] / spread[varying])
        found = np.concatenate(sizes)
        return float(np.median(found)) if len(found) else 0.0


def repeat_notes(matrix: ScoreMatrix, by: By) -> list[Note]:
    """Name the datasets that repeat others and yet count as independent."""
    if not isinstance(by, str) or by != "datasets":
        return []
    names, clusters = repeated_datasets(matrix)
    if not names:
        return []
    message = (
        f"{count(len(names), 'dataset')} repeat others ({matrix.shape[1]} datasets, "
        f"{clusters} clusters), but count as independent, which makes sets too "
        f"small; by='clusters' lets a cluster count once: {name_some(names)}."
    )
    return [Note("repeated-datasets", message, names)]


def check_test(test: object) -> None:
    """Raise unless `test` is known."""
    if test not in get_args(Test):
        known = " or ".join(map(repr, get_args(Test)))
        raise ParameterError(f"test must be {known}; got {test!r}.")
