"""Weights drawn uniformly from what a restriction allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from robustrank.acceptability.programs import inner_point
from robustrank.errors import ParameterError
from robustrank.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.acceptability.restriction import Restriction

#: Draws from the simplex that decide whether rejecting is affordable, and what share must pass.
_TRIAL = 20_000
_LEAST_ACCEPTED = 0.02
#: Moves of a walk, per q (1 + ln q): resplitting pairs mixes on the simplex in about q ln q moves;
#: in an order of importance groups hold each other back.
_MOVES, _MOVES_IN_ORDER = 20, 60


def draw_weights(
    rng: np.random.Generator, n_draws: int, restriction: Restriction
) -> tuple[FloatArray, list[Note]]:
    """Draw weight vectors uniformly, shape (n_draws, q), each of sum 1.

    Exact on the simplex, above lower bounds and in an order of importance. Otherwise by rejection
    where at least 2 % of the draws are allowed, which is exact too, and else by a random walk.

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
        return _propose(rng, n_draws, restriction), []
    trial = _propose(rng, _TRIAL, restriction)
    passed = restriction.allows(trial)
    share = float(passed.mean())
    if share >= _LEAST_ACCEPTED:
        message = (
            f"Weights were drawn by rejection, which is exact: {share:.1%} of the draws from a "
            "simplex are allowed."
        )
        kept = _reject(rng, n_draws, restriction, trial[passed])
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


def _propose(rng: np.random.Generator, k: int, restriction: Restriction) -> FloatArray:
    """Draw from the simplex above the lower bounds, or that of the order if there are none."""
    weights = rng.standard_exponential((k, restriction.q))
    weights /= weights.sum(axis=1, keepdims=True)
    if restriction.bounded_below:
        return np.asarray(restriction.lower + (1.0 - restriction.lower.sum()) * weights)
    if restriction.ordered:
        # Which of the exchangeable weights is whose is free: the largest goes to the first.
        weights[:, restriction.chain] = -np.sort(-weights[:, restriction.chain], axis=1)
    return weights


def _reject(
    rng: np.random.Generator, n_draws: int, restriction: Restriction, found: FloatArray
) -> FloatArray:
    blocks, held = [found], len(found)
    while held < n_draws:
        block = _propose(rng, _TRIAL, restriction)
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
    """Let one walk per draw shift weight between two groups at a time, uniformly where allowed.

    The walks share the pairs, not the shifts: hit-and-run along the edges of the simplex.
    """
    weights = np.repeat(start[:, None], n_draws, axis=1)
    above, below = _neighbours(restriction)
    for _ in range(n_moves):
        a, b = rng.choice(restriction.q, 2, replace=False)
        # How far the weight of a can rise and fall, when that of b does the opposite.
        rise, fall = _room(weights, restriction, int(a), int(b), above, below)
        rise_b, fall_b = _room(weights, restriction, int(b), int(a), above, below)
        high, low = np.minimum(rise, fall_b), -np.minimum(fall, rise_b)
        if below[a] == b:
            low = np.maximum(low, (weights[b] - weights[a]) / 2.0)
        elif above[a] == b:
            high = np.minimum(high, (weights[b] - weights[a]) / 2.0)
        shift = low + (high - low).clip(min=0.0) * rng.random(n_draws)
        weights[a] += shift
        weights[b] -= shift
    return np.ascontiguousarray(weights.T)


def _neighbours(restriction: Restriction) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the group next above and next below each in the order; -1 for none."""
    above, below = (np.full(restriction.q, -1, dtype=np.intp) for _ in range(2))
    above[restriction.chain[1:]] = restriction.chain[:-1]
    below[restriction.chain[:-1]] = restriction.chain[1:]
    return above, below


def _room(
    weights: FloatArray,
    restriction: Restriction,
    group: int,
    partner: int,
    above: NDArray[np.intp],
    below: NDArray[np.intp],
) -> tuple[FloatArray, FloatArray]:
    """Return by how much the weight of a group can rise and fall while its partner's is open."""
    rise = restriction.upper[group] - weights[group]
    fall = weights[group] - restriction.lower[group]
    if above[group] not in (-1, partner):
        rise = np.minimum(rise, weights[above[group]] - weights[group])
    if below[group] not in (-1, partner):
        fall = np.minimum(fall, weights[group] - weights[below[group]])
    return rise, fall
