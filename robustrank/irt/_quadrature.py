"""Integrals over ability: an equally spaced grid that is as fine and as wide as posteriors need.

With thousands of items the posterior of an ability is much narrower than the gaps of the usual
grids of 21 or 41 nodes: models then snap to nodes, and tie. Here a grid is replaced by a finer or
wider one until no posterior is. On an equally spaced grid whose gap is not larger than the
posterior's standard deviation σ, the sum differs from the integral of a normal density by a share
of about 2·exp(-2π²σ²/gap²), less than 1e-8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from robustrank._numeric import FloatArray

#: Abilities within ± this are on the first grid; the prior is standard normal.
REACH = 6.0
#: Probability at an end of the grid from which it is widened, and by how much.
_AT_THE_END = 1e-10
_WIDEN = 2.0
#: A gap may be this many posterior standard deviations; a finer grid gets a gap of `_FINER` of
#: them, so that it does not have to be refined again soon.
COARSEST = 0.9
_FINER = 0.7
#: The posterior on a grid that is too coarse can look arbitrarily narrow: refine step by step.
_REFINE = 4.0
#: exp of more than 709 overflows.
_LEAST_EXPONENT = -700.0


@dataclass(frozen=True, eq=False)
class Grid:
    """Equally spaced abilities from ``-reach`` to ``reach`` with the logarithm of their prior."""

    reach: float
    nodes: FloatArray

    @classmethod
    def spaced(cls, reach: float, count: int) -> Grid:
        """Return a grid of an odd number of nodes, at least `count`."""
        half = math.ceil((count - 1) / 2)
        steps = np.arange(-half, half + 1).astype(np.float64)
        return cls(reach, steps * (reach / half))

    @property
    def gap(self) -> float:
        """Distance between neighbouring nodes."""
        return float(self.nodes[1] - self.nodes[0])

    @property
    def log_prior(self) -> FloatArray:
        """Logarithm of the standard normal density times the gap."""
        constant = math.log(self.gap) - 0.5 * math.log(2.0 * math.pi)
        return np.asarray(constant - 0.5 * self.nodes**2)

    def refined_for(self, posterior: Posterior) -> Grid:
        """Return a finer or wider grid, or this one if it serves `posterior`."""
        ends = max(posterior.density[:, 0].max(), posterior.density[:, -1].max())
        reach = self.reach + (_WIDEN if ends > _AT_THE_END else 0.0)
        gap, narrowest = self.gap, float(posterior.deviation.min())
        if gap > COARSEST * narrowest:
            gap = max(_FINER * narrowest, gap / _REFINE)
        if (gap, reach) == (self.gap, self.reach):
            return self
        return Grid.spaced(reach, math.ceil(2.0 * reach / gap - 1e-9) + 1)


@dataclass(frozen=True, eq=False)
class Posterior:
    """What responses say about abilities.

    Attributes
    ----------
    grid : Grid
    density : ndarray, shape (M, Q)
        Probability of each node; rows sum to 1.
    evidence : ndarray, shape (M,)
        Logarithm of the probability of the responses.
    mean, deviation : ndarray, shape (M,)
        Of ability.
    """

    grid: Grid
    density: FloatArray
    evidence: FloatArray
    mean: FloatArray
    deviation: FloatArray


def posterior_on(grid: Grid, log_likelihood: Callable[[FloatArray], FloatArray]) -> Posterior:
    """Integrate over ability, on `grid` or on one that is finer or wider where that is needed.

    Parameters
    ----------
    grid : Grid
        Where to start.
    log_likelihood : callable
        From nodes, shape (Q,), to the log-likelihood of each model at each, shape (M, Q).
    """
    while True:
        joint = log_likelihood(grid.nodes) + grid.log_prior
        # In logarithms: the product of thousands of probabilities is 0 in floating point.
        peak = joint.max(axis=1, keepdims=True)
        density = np.exp(joint - peak)
        total = density.sum(axis=1, keepdims=True)
        density /= total
        # Not `density @ nodes`, in which equal rows can differ by where they stand.
        mean = (density * grid.nodes).sum(axis=1)
        spread = (density * (grid.nodes - mean[:, None]) ** 2).sum(axis=1)
        evidence = (peak + np.log(total))[:, 0]
        found = Posterior(grid, density, evidence, mean, np.sqrt(spread))
        better = grid.refined_for(found)
        if better is grid:
            return found
        grid = better


def softplus(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return log(1 + exp(z)), exact to about 1e-16·|z|, and 1 + exp(-z), the inverse of logistic.

    Works in the memory of `z`.
    """
    np.maximum(z, _LEAST_EXPONENT, out=z)
    inverse = np.exp(-z)
    inverse += 1.0
    z += np.log(inverse)
    return z, inverse
