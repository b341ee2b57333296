"""What is asked of the model that leads: its mean, and its lead over the average and the second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank.resampling.draws import draw_counts
from robustrank.winners.projection import draw_errors, largest_difference_t, largest_t
from robustrank.winners.selection import Contrast, contrast

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.winners.selection import Sample

#: The rows of the answer.
QUANTITIES = ("mean", "over_average", "over_runner_up")

#: Numbers held at a time by the draws.
_MOST = 10_000_000


@dataclass(frozen=True, eq=False)
class Draws:
    """What chance does, for each of `QUANTITIES`.

    Attributes
    ----------
    largest : ndarray, shape (3, B)
        The largest |t| of any model, or pair of models.
    errors : ndarray, shape (3, B)
        Of the leader of a resample, about the value that this model has in the data.
    """

    largest: FloatArray
    errors: FloatArray


def ask(sample: Sample, leader: int, second: int) -> tuple[Contrast, Contrast, Contrast]:
    """Return `QUANTITIES` with the limits within which the same models would be first and second.

    Parameters
    ----------
    sample : Sample
    leader, second : int
        Rows with the largest and the second largest mean.
    """
    m = len(sample.means)
    others = np.delete(np.arange(m), leader)
    behind = others[others != second]
    leads = np.full(m - 1, leader)
    own = np.zeros(m)
    own[leader] = 1.0
    pair = own.copy()
    pair[second] -= 1.0
    better = np.r_[leader, np.full(m - 2, second)]
    return (
        contrast(sample, own, leads, others),
        contrast(sample, own - 1.0 / m, leads, others),
        contrast(sample, pair, better, np.r_[second, behind]),
    )


def draw(
    sample: Sample,
    values: FloatArray,
    codes: NDArray[np.intp],
    n_resamples: int,
    rng: np.random.Generator,
) -> Draws:
    """Draw errors of all models and pairs, and winners of resamples of the units."""
    m, n = values.shape
    centred = sample.residuals - sample.residuals.mean(axis=0)
    largest, errors = np.empty((3, n_resamples)), np.empty((3, n_resamples))
    size = max(1, _MOST // max(m, n))
    for start in range(0, n_resamples, size):
        block = slice(start, min(start + size, n_resamples))
        drawn = draw_errors(sample.residuals, block.stop - start, rng)
        largest[0, block] = largest_t(drawn, sample.residuals)
        largest[1, block] = largest_t(drawn - drawn.mean(axis=0), centred)
        largest[2, block] = largest_difference_t(drawn, sample.residuals)
        counts = draw_counts(rng, block.stop - start, n, clusters=codes)
        errors[:, block] = _winners(sample.means, values @ (counts / counts.sum(1)[:, None]).T)
    return Draws(largest, errors)


def _winners(means: FloatArray, resampled: FloatArray) -> FloatArray:
    """Return the errors of what wins in each resample, shape (m, B) to (3, B)."""
    error = resampled - means[:, None]
    first = resampled.argmax(axis=0)
    places = np.arange(resampled.shape[1])
    rest = resampled.copy()
    rest[first, places] = -np.inf
    second = rest.argmax(axis=0)
    of_first = error[first, places]
    return np.stack([of_first, of_first - error.mean(axis=0), of_first - error[second, places]])
