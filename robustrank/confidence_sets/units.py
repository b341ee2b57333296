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

#: With m models, skews are called so if they spread by 1 + this / √(m - 1) times what those of
#: normal scores do: so that few boards without skew are, be they of two models or of sixty.
_MARGIN_OF_SKEW = 1.2


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

    def notes(
        self, test: Test, draws: Draws, alpha: float, sides: int, *, against_mean: bool = False
    ) -> list[Note]:
        """Return what to know of the units, and of a test with one side, or two, at a level.

        Parameters
        ----------
        test : str
        draws : Draws
        alpha : float
        sides : int
        against_mean : bool
            Whether models are compared with the mean of all, and not with each other.
        """
        n = self.totals.shape[1]
        notes = list(self.doubts)
        if draws.floor(sides) > alpha + 1e-12:
            too_few_units = draws.exact or 2.0 ** (1 - n) > alpha
            few = self.noun if too_few_units else "draw"
            held = count(n if too_few_units else draws.noise.shape[1], few)
            message = (
                f"{held} cannot tell two models apart at {alpha:.4g}: the smallest p-value is "
                f"{draws.floor(sides):.2g}. Take more {few}s, or a lower level of confidence."
            )
            notes.append(Note("no-separation-possible", message))
        if test == "sign-flip" and self._skewed(against_mean=against_mean):
            what = "of models from their mean" if against_mean else "between models"
            message = (
                f"Differences {what} are skewed over the {self.noun}s. Flipping signs assumes that "
                "they are not: the sets can miss more often than stated where models have equal "
                "means. test='bootstrap-t' does without that, and gives wider sets."
            )
            notes.append(Note("skewed-differences", message))
        return notes

    def _skewed(self, *, against_mean: bool) -> bool:
        """Return whether models' skews are too unlike, or too large, for those of normal scores.

        A model's skew is (mean - median) / standard deviation of its totals. Models skewed alike
        have differences that are not; from their mean they do differ in a skewed way.
        """
        n = self.totals.shape[1]
        spread = self.totals.std(axis=1)
        varying = spread > 10.0**-TIE_DECIMALS
        if n < 3 or not varying.any():
            return False
        held = self.totals[varying]
        skews = (held.mean(axis=1) - np.median(held, axis=1)) / spread[varying]
        size = np.sqrt((skews**2).mean()) if against_mean else skews.std()
        limit = _normal_skew(n) * (1.0 + _MARGIN_OF_SKEW / np.sqrt(max(len(held) - 1, 1)))
        return bool(size > limit)


def _normal_skew(n: int) -> float:
    """Return the spread of (mean - median) / standard deviation in normal samples of size n.

    A median has π / 2 · n / (n + c) times the variance of a mean, with c about 0.57 for an odd n
    and 1.35, fitted, for an even one. The standard deviation divides by n.
    """
    c = 0.57 if n % 2 else 1.35
    return float(np.sqrt((np.pi / 2.0 * n / (n + c) - 1.0) / (n - 1)))


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
