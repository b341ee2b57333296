"""Weights drawn uniformly from what a restriction allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from robustrank.acceptability.programs import inner_point, order_rows
from robustrank.errors import ParameterError
from robustrank.notes import Note

if TYPE_CHECKING:
    from collections.abc import Callable

    from robustrank._numeric import FloatArray
    from robustrank.acceptability.restriction import Restriction

#: Draws from the simplex that decide whether rejecting is affordable, and what share must pass.
_TRIAL = 20_000
_LEAST_ACCEPTED = 0.02
#: Moves of a walk, per q (1 + ln q): resplitting pairs mixes on the simplex in about q ln q moves;
#: in an order of importance every other move is of a second kind.
_MOVES, _MOVES_IN_ORDER = 20, 40
#: Change of a constraint per unit of a move that is none.
_STILL = 1e-12


def draw_weights(
    rng: np.random.Generator, n_draws: int, restriction: Restriction
) -> tuple[FloatArray, list[Note]]:
    """Draw weight vectors uniformly, shape (n_draws, q), each of sum 1.

    Exact on the simplex, above lower bounds and in an order of importance. Otherwise by rejection
    where at least 2% of the draws are allowed, which is exact too, and else by a random walk.

    Returns
    -------
    weights : ndarray, shape (n_draws, q)
    notes : list of Note
        How they were drawn, unless directly.

    Raises
    ------
    ParameterError
        If no weights are allowed.
    """
    if not restriction.bounded_above and not (restriction.bounded_below and restriction.ordered):
        propose = _above_lower if restriction.bounded_below else _in_order
        return propose(rng, n_draws, restriction), []
    proposals = [_above_lower, _in_order] if restriction.ordered else [_above_lower]
    trials = [propose(rng, _TRIAL, restriction) for propose in proposals]
    passed = [restriction.allows(trial) for trial in trials]
    best = int(np.argmax([allowed.sum() for allowed in passed]))
    share = float(passed[best].mean())
    if share >= _LEAST_ACCEPTED:
        message = (
            f"Weights were drawn by rejection, which is exact: {share:.1%} of the draws from a "
            "simplex are allowed."
        )
        kept = _reject(rng, n_draws, restriction, proposals[best], trials[best][passed[best]])
        return kept, [Note("weights-by-rejection", message)]
    start = inner_point(restriction)
    if start is None:
        raise ParameterError(
            "No weights meet lower, upper and order together: widen the bounds, or leave groups "
            "out of the order."
        )
    moves = _MOVES_IN_ORDER if restriction.ordered else _MOVES
    n_moves = math.ceil(moves * restriction.q * (1.0 + math.log(restriction.q)))
    message = (
        f"Weights were drawn by hit-and-run, {n_moves:,} moves per draw from the middle of what is "
        f"allowed, as under {_LEAST_ACCEPTED:.0%} of the draws from a simplex are: their "
        "distribution is close to uniform."
    )
    return _walk(rng, n_draws, restriction, start, n_moves), [Note("weights-by-walk", message)]


def _above_lower(rng: np.random.Generator, k: int, restriction: Restriction) -> FloatArray:
    """Draw from the simplex above the lower bounds."""
    weights = rng.standard_exponential((k, restriction.q))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(restriction.lower + (1.0 - restriction.lower.sum()) * weights)


def _in_order(rng: np.random.Generator, k: int, restriction: Restriction) -> FloatArray:
    """Draw from the part of the simplex that keeps the order."""
    weights = rng.standard_exponential((k, restriction.q))
    weights /= weights.sum(axis=1, keepdims=True)
    # Which of the exchangeable weights is whose is free: the largest goes to the first.
    weights[:, restriction.chain] = -np.sort(-weights[:, restriction.chain], axis=1)
    return weights


def _reject(
    rng: np.random.Generator,
    n_draws: int,
    restriction: Restriction,
    propose: Callable[[np.random.Generator, int, Restriction], FloatArray],
    found: FloatArray,
) -> FloatArray:
    blocks, held = [found], len(found)
    while held < n_draws:
        block = propose(rng, _TRIAL, restriction)
        blocks.append(block[restriction.allows(block)])
        held += len(blocks[-1])
    return np.concatenate(blocks)[:n_draws]


def _walk(
    rng: np.random.Generator,
    n_draws: int,
    restriction: Restriction,
    start: FloatArray,
    n_moves: int,
) -> FloatArray:
    """Let one walk per draw move along edges of the simplex, uniformly where allowed.

    The walks share the directions, not how far they go. With an order, every other move is along an
    edge of the simplex of ordered weights: between neighbours in the order alone they would crawl.
    """
    corners = [np.eye(restriction.q)]
    if restriction.ordered:
        corners.append(_corners_in_order(restriction))
    rows, sides = _constraints(restriction)
    weights = np.repeat(start[:, None], n_draws, axis=1)
    room = np.repeat((sides - rows @ start).clip(min=0.0)[:, None], n_draws, axis=1)
    for move in range(n_moves):
        a, b = rng.choice(restriction.q, 2, replace=False)
        edge = corners[move % len(corners)][a] - corners[move % len(corners)][b]
        used = rows @ edge
        ahead, behind = np.flatnonzero(used > _STILL), np.flatnonzero(used < -_STILL)
        high = (room[ahead] / used[ahead, None]).min(axis=0)
        low = (room[behind] / used[behind, None]).max(axis=0)
        shift = low + (high - low) * rng.random(n_draws)
        moved, changed = np.flatnonzero(edge), np.r_[ahead, behind]
        weights[moved] += edge[moved, None] * shift
        room[changed] = (room[changed] - used[changed, None] * shift).clip(min=0.0)
    return np.ascontiguousarray(weights.T)


def _corners_in_order(restriction: Restriction) -> FloatArray:
    """Return the corners of the simplex of ordered weights, one per row: the first k share 1."""
    chain = restriction.chain
    corners = np.eye(restriction.q)
    corners[np.ix_(chain, chain)] = np.tri(len(chain)) / np.arange(1, len(chain) + 1)[:, None]
    return corners


def _constraints(restriction: Restriction) -> tuple[FloatArray, FloatArray]:
    """Return rows and sides of ``rows @ weights <= sides``, without those that others imply."""
    one = np.eye(restriction.q)
    above_0 = restriction.lower > 0.0
    below_1 = restriction.upper < 1.0
    least = np.ones(restriction.q, dtype=bool)
    least[restriction.chain[:-1]] = False
    low = above_0 | least
    rows = np.r_[-one[low], one[below_1], order_rows(restriction)]
    sides = np.r_[-restriction.lower[low], restriction.upper[below_1]]
    return rows, np.r_[sides, np.zeros(len(rows) - len(sides))]
