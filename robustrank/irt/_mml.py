"""Two-parameter logistic model of right and wrong answers by penalised marginal likelihood.

The probability of a right answer is 1 / (1 + exp(-(a θ + d))) with a = exp(α) > 0; the difficulty
is b = -d / a. Abilities θ are integrated out over a standard normal distribution; α and d have
normal priors. The objective is the log-likelihood plus the log-density of the priors.

EM after R. D. Bock and M. Aitkin, *Marginal maximum likelihood estimation of item parameters*,
Psychometrika 46 (1981), with the parameter expansion of C. Liu, D. B. Rubin and Y. N. Wu,
*Parameter expansion to accelerate EM*, Biometrika 85 (1998): plain EM moves the common scale and
origin of abilities by a few percent of the way per iteration, and takes hundreds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from robustrank.irt._item_block import BLOCK, ItemBlock, log_likelihood
from robustrank.irt._quadrature import REACH, Grid, posterior_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robustrank._numeric import FloatArray
    from robustrank.irt._quadrature import Posterior
    from robustrank.irt._responses import Patterns

#: Nodes that no model's posterior reaches do not matter to the items.
_UNREACHED = 1e-12
#: How often a step that does not help is tried at a quarter of its length.
_ATTEMPTS = 8
#: An objective may fall by this share of its size by rounding alone.
_ROUNDING = 1e-13
#: Steps towards the common scale of abilities, and the longest of them.
_SCALE_STEPS = 50
_LONGEST_RESCALING = 0.5


@dataclass(frozen=True, slots=True)
class Prior:
    """Standard deviations of the normal priors of α (mean 0) and d (mean 0)."""

    log_discrimination: float = 1.0
    intercept: float = 3.0

    @property
    def precision(self) -> FloatArray:
        """Inverse variances of α and d."""
        return np.array([self.log_discrimination**-2.0, self.intercept**-2.0])


@dataclass
class MarginalFit:
    """Items and abilities, improved by `run`.

    Attributes
    ----------
    patterns : Patterns
    prior : Prior
    parameters : ndarray, shape (N, 2)
        α and d of each distinct item.
    posterior : Posterior
        Of the distinct models, given the items.
    objective : list of float
        At the start and after each iteration.
    converged : bool
    """

    patterns: Patterns
    prior: Prior
    n_nodes: int
    parameters: FloatArray = field(init=False)
    posterior: Posterior = field(init=False)
    objective: list[float] = field(init=False, default_factory=list)
    converged: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        p = self.patterns
        right, held = p.models @ p.right, p.models @ p.masks[p.mask_of]
        self.parameters = np.zeros((len(right), 2))
        self.parameters[:, 1] = np.log((right + 0.5) / (held - right + 0.5))
        self._integrate(Grid.spaced(REACH, self.n_nodes))

    @property
    def n_iterations(self) -> int:
        """Number of EM iterations made."""
        return len(self.objective) - 1

    def run(self, max_iterations: int, tolerance: float) -> MarginalFit:
        """Iterate until no α or d moves by more than `tolerance`."""
        while self.n_iterations < max_iterations and not self.converged:
            before = self.parameters.copy()
            self._improve_items()
            self._rescale()
            self._integrate(self.posterior.grid)
            self.converged = bool(np.abs(self.parameters - before).max() <= tolerance)
        return self

    def _integrate(self, grid: Grid) -> None:
        """Do the E-step: the posterior of each model's ability given the items."""
        p = self.patterns
        a, d = np.exp(self.parameters[:, 0]), self.parameters[:, 1]
        self.posterior = posterior_on(
            grid, lambda nodes: log_likelihood(p.right, p.masks, p.mask_of, a, d, nodes, p.items)
        )
        penalty = 0.5 * p.items @ (self.parameters**2 @ self.prior.precision)
        self.objective.append(float(self.log_likelihood - penalty))

    @property
    def log_likelihood(self) -> float:
        """Marginal log-likelihood of all responses."""
        return float(self.patterns.models @ self.posterior.evidence)

    def _improve_items(self) -> None:
        """Do the M-step: one Newton step per item, shortened where it does not help."""
        for rows, block in self._blocks():
            now = self.parameters[rows]
            value, inverse = block.value(now)
            step = block.newton_step(now, 1.0 / inverse)
            for _ in range(_ATTEMPTS):
                trial = block.value(now + step)[0]
                worse = trial < value - _ROUNDING * np.abs(value)
                if not worse.any():
                    break
                step[worse] /= 4.0
            step[worse] = 0.0
            self.parameters[rows] = now + step

    def _rescale(self) -> None:
        """Give abilities the mean μ and deviation exp(τ) that suit them; fold both into the items.

        Maximises the expected log-density of θ ~ N(μ, exp(2τ)) and of the priors of α + τ and
        d + a μ, by turns in μ (exactly) and τ (Newton).
        """
        p, found = self.patterns, self.posterior
        n_models, n_items = p.models.sum(), p.items.sum()
        alpha, d = self.parameters.T
        a = np.exp(alpha)
        kappa, lam = self.prior.precision
        total = p.models @ found.mean
        square = p.models @ (found.mean**2 + found.deviation**2)
        aa, ad, alphas = p.items @ a**2, p.items @ (a * d), p.items @ alpha
        mu = tau = 0.0
        for _ in range(_SCALE_STEPS):
            weight = np.exp(-2.0 * tau)
            mu = (weight * total - lam * ad) / (weight * n_models + lam * aa)
            spread = weight * (square - 2.0 * mu * total + n_models * mu**2)
            slope = spread - n_models - kappa * (alphas + n_items * tau)
            step = slope / (2.0 * spread + kappa * n_items)
            tau += min(max(step, -_LONGEST_RESCALING), _LONGEST_RESCALING)
        self.parameters = np.column_stack([alpha + tau, d + a * mu])

    def covariance(self) -> FloatArray:
        """Return the covariance of α and d of each item, shape (N, 2, 2).

        The inverse of the item's own block of the observed information of the objective (T. A.
        Louis, *Finding the observed information matrix when using the EM algorithm*, J. R. Stat.
        Soc. B 44, 1982). NaN where that is not positive definite: the fit has not converged.
        """
        covariance = np.full((len(self.parameters), 2, 2), np.nan)
        for rows, block in self._blocks():
            information = block.observed_information(self.parameters[rows])
            fine = (information[:, 0, 0] > 0) & (np.linalg.det(information) > 0)
            covariance[rows][fine] = np.linalg.inv(information[fine])
        return covariance

    def _blocks(self) -> Iterator[tuple[slice, ItemBlock]]:
        p, found = self.patterns, self.posterior
        weighted = p.models[:, None] * found.density
        reached = weighted.sum(axis=0) > _UNREACHED
        nodes, density = found.grid.nodes[reached], found.density[:, reached]
        mass = np.zeros((len(p.masks), len(nodes)))
        np.add.at(mass, p.mask_of, weighted[:, reached])
        held = p.masks[p.mask_of]
        for start in range(0, len(self.parameters), BLOCK):
            rows = slice(start, start + BLOCK)
            yield (
                rows,
                ItemBlock(
                    right=p.right[:, rows],
                    held=held[:, rows],
                    models=p.models,
                    mean=found.mean,
                    density=density,
                    mass=p.masks[:, rows].T @ mass,
                    nodes=nodes,
                    precision=self.prior.precision,
                ),
            )
