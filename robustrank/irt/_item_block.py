"""Items of the two-parameter logistic model given what is thought of the models' abilities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from robustrank.irt._quadrature import softplus

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Items worked on at a time, so that their arrays of items × nodes stay in the cache.
BLOCK = 64
#: Longest step of α and of d.
_LONGEST = np.array([1.0, 2.0])


@dataclass(frozen=True, eq=False)
class ItemBlock:
    """Some items, and what the abilities of the models are thought to be.

    `right` and `held` (answered) are models × items, `density` models × nodes; `mass`, items ×
    nodes, is the expected number of models at each ability that answered the item.
    """

    right: FloatArray
    held: FloatArray
    models: FloatArray
    mean: FloatArray
    density: FloatArray
    mass: FloatArray
    nodes: FloatArray
    precision: FloatArray

    @cached_property
    def n_right(self) -> FloatArray:
        """Number of right answers."""
        return np.asarray(self.models @ self.right)

    @cached_property
    def by_ability(self) -> FloatArray:
        """Expected sum of the abilities of the models that are right."""
        return np.asarray((self.models * self.mean) @ self.right)

    @cached_property
    def powers(self) -> FloatArray:
        """1, θ and θ² at the nodes."""
        return self.nodes[:, None] ** np.arange(3)

    def value(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the expected log-posterior of each item, shape (k,), and 1 / p, items × nodes."""
        a, d = np.exp(parameters[:, 0]), parameters[:, 1]
        soft, inverse = softplus(np.outer(a, self.nodes) + d[:, None])
        linear = self.n_right * d + a * self.by_ability
        penalty = 0.5 * parameters**2 @ self.precision
        return linear - np.einsum("jq,jq->j", self.mass, soft) - penalty, inverse

    def newton_step(self, parameters: FloatArray, p: FloatArray) -> FloatArray:
        """Return the step to where a quadratic would be largest, shape (k, 2), not too long."""
        a = np.exp(parameters[:, 0])
        expected = self.mass * p
        sums = expected @ self.powers[:, :2]
        p -= 1.0
        expected *= p
        weights = -(expected @ self.powers)
        slope = a * (self.by_ability - sums[:, 1])
        g_alpha, g_d = (
            np.column_stack([slope, self.n_right - sums[:, 0]]) - self.precision * parameters
        ).T
        # The second derivative by α = log a holds the slope. Where that is upwards it would make
        # the objective less concave, or convex, and is left out.
        h_alpha = a**2 * weights[:, 2] + np.maximum(-slope, 0.0) + self.precision[0]
        h_both, h_d = a * weights[:, 1], weights[:, 0] + self.precision[1]
        determinant = h_alpha * h_d - h_both**2
        step = np.column_stack([h_d * g_alpha - h_both * g_d, h_alpha * g_d - h_both * g_alpha])
        return np.asarray((step / determinant[:, None]).clip(-_LONGEST, _LONGEST))

    def observed_information(self, parameters: FloatArray) -> FloatArray:
        """Return minus the second derivatives of the objective by α and d, shape (k, 2, 2)."""
        a = np.exp(parameters[:, 0])
        p = 1.0 / softplus(np.outer(a, self.nodes) + parameters[:, 1:])[1]
        correct = (self.models[:, None] * self.right).T @ self.density
        complete = (self.mass * p * (1.0 - p)) @ self.powers
        # Expected square of a model's score (y - p)(a θ, 1), and the square of its expectation.
        squares = (correct * (1.0 - 2.0 * p) + self.mass * p**2) @ self.powers
        by_d = self.right - self.held * (self.density @ p.T)
        by_a = self.right * self.mean[:, None] - self.held * ((self.density * self.nodes) @ p.T)
        known = np.stack([by_d**2, by_d * by_a, by_a**2], axis=-1)
        one, both, two = (complete - squares + np.einsum("i,ijp->jp", self.models, known)).T
        curved = two * a**2 - a * (self.models @ by_a) + self.precision[0]
        rows = [[curved, a * both], [a * both, one + self.precision[1]]]
        return np.moveaxis(np.array(rows), -1, 0)


def log_likelihood(
    right: FloatArray,
    masks: FloatArray,
    mask_of: NDArray[np.intp],
    a: FloatArray,
    d: FloatArray,
    nodes: FloatArray,
    items: FloatArray | float = 1.0,
) -> FloatArray:
    """Return the log-likelihood of each model's responses at each ability, shape (M, Q).

    The logarithm of p is z - log(1 + exp(z)) with z = a θ + d, so that responses enter by two sums
    per model, and only the sets of items that were answered need a product of matrices.
    """
    counts = np.broadcast_to(items, a.shape)
    soft = np.zeros((len(masks), len(nodes)))
    for start in range(0, len(a), BLOCK):
        rows = slice(start, start + BLOCK)
        z = np.outer(a[rows], nodes) + d[rows, None]
        soft += (masks[:, rows] * counts[rows]) @ softplus(z)[0]
    # Not products of matrices, in which equal rows can differ by where they stand.
    slope, offset = (right * (counts * a)).sum(axis=1), (right * (counts * d)).sum(axis=1)
    return np.asarray(slope[:, None] * nodes + offset[:, None] - soft[mask_of])
