"""What is asked about the model that leads, and where its estimate had to lie for it to lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

_TIED = 0.5 * 10.0**-TIE_DECIMALS


@dataclass(frozen=True, eq=False)
class Sample:
    """Means of models over units, and what varies between the units.

    Attributes
    ----------
    means : ndarray, shape (m,)
        Over datasets.
    residuals : ndarray, shape (m, q)
        What each of q units adds to the error of a mean: their sum is 0, and the covariance of the
        means is estimated by residuals @ residuals.T, whatever the number of models.
    """

    means: FloatArray
    residuals: FloatArray

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.residuals.shape[1])


def sample_means(values: FloatArray, codes: NDArray[np.intp]) -> Sample:
    """Average the scores, shape (m, n), and see how units of datasets vary.

    A unit counts with all its datasets, as in the ratio estimator of a cluster sample.
    """
    n, q = values.shape[1], int(codes.max()) + 1
    means = values.mean(axis=1)
    sums = (values - means[:, None]) @ np.eye(q)[codes]
    spread = np.sqrt(q / (q - 1.0)) if q > 1 else np.nan
    return Sample(means, sums * (spread / n))


@dataclass(frozen=True, eq=False)
class Contrast:
    """A linear combination of the means, chosen because some means are larger than others.

    Attributes
    ----------
    estimate, standard_error : float
    lower, upper : float
        Had it lain outside, with all that is independent of it as it is, another would have been
        chosen.
    """

    estimate: float
    standard_error: float
    lower: float
    upper: float


def contrast(
    sample: Sample, weights: FloatArray, better: NDArray[np.intp], worse: NDArray[np.intp]
) -> Contrast:
    """Find the limits of Σ wᵢ Xᵢ from X_better ≥ X_worse, shape (k,): a polyhedron cut by a line.

    References
    ----------
    Andrews, Kitagawa & McCloskey (2024), §III, for the largest mean; Lee, Sun, Sun & Taylor (2016),
    Lemma 5.1, for any set of linear inequalities.
    """
    own = weights @ sample.residuals
    variance = float(own @ own)
    estimate = float(weights @ sample.means)
    if variance <= _TIED**2:
        return Contrast(estimate, 0.0, -np.inf, np.inf)
    differences = sample.residuals[better] - sample.residuals[worse]
    gaps = sample.means[better] - sample.means[worse]
    # By how much a gap grows when the combination grows by 1 and what is independent of it stays.
    slopes = differences @ own / variance
    tight = np.abs(differences).max(axis=1, initial=0.0) > _TIED  # else the gap cannot change
    rising, falling = tight & (slopes > 0.0), tight & (slopes < 0.0)
    return Contrast(
        estimate,
        float(np.sqrt(variance)),
        estimate - float((gaps[rising] / slopes[rising]).min(initial=np.inf)),
        estimate + float((gaps[falling] / -slopes[falling]).min(initial=np.inf)),
    )
