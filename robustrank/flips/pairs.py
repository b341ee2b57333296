"""One model against another, in closed form: the fewest groups to drop, the least weight to move.

All functions take differences, challenger minus incumbent: a row per challenger, a column per
dataset or group. The challenger passes when what is kept has a positive weighted sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.flips.terms import TIE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray


def fewest(differences: FloatArray, mass: FloatArray, margin: float = TIE) -> FloatArray:
    """Return how many groups to drop, at least, for a mean difference above a margin.

    Parameters
    ----------
    differences : ndarray, shape (r, q)
        Of sums, see `Sums`.
    mass : ndarray, shape (q,)
    margin : float
        `TIE` to pass; `-TIE` to draw level.

    Returns
    -------
    ndarray, shape (r,)
        NaN if nothing that can be kept is enough: no group on its own favours the challenger.
    """
    q = differences.shape[1]
    # Of all ways to keep k groups, those most in the challenger's favour have the largest sum.
    kept = np.cumsum(-np.sort(-(differences - margin * mass), axis=1), axis=1)
    enough = np.where(beyond(kept, margin), np.arange(1, q + 1), 0).max(axis=1, initial=0)
    return np.where(enough > 0, q - enough, np.nan)


def beyond(sums: FloatArray, margin: float) -> NDArray[np.bool_]:
    """Tell which sums, less their margin, pass, or for a negative margin draw level.

    Groups without mass, on which all models tie, leave a level sum at 0.
    """
    return np.asarray(sums > 0 if margin > 0 else sums >= 0)


def least_favourable(differences: FloatArray, number: int) -> tuple[int, ...]:
    """Return the groups that speak most against the challenger, shape (q,), the worst first."""
    return tuple(map(int, np.argsort(differences, kind="stable")[:number]))


def fewest_by_type(
    differences: FloatArray, types: NDArray[np.intp], margin: float = TIE
) -> tuple[FloatArray, NDArray[np.intp]]:
    """Return how many datasets to drop, at least, where types count the same.

    A type's mean is over what is kept of it, and a type of which nothing is kept is left out.
    Dynamic programming over types: the best that k drops can do is the best split of k between the
    next type and those before it.

    Parameters
    ----------
    differences : ndarray, shape (r, n)
    types : ndarray of int, shape (n,)
    margin : float
        See `fewest`.

    Returns
    -------
    size : ndarray, shape (r,)
        NaN if nothing that can be kept is enough.
    split : ndarray of int, shape (r, t)
        How many to drop of each type.
    """
    r, n = differences.shape
    names = np.unique(types)
    best = np.full((r, n + 1), -np.inf)
    best[:, 0] = 0.0
    choice = np.zeros((len(names), r, n + 1), dtype=np.intp)
    for place, name in enumerate(names):
        own = np.sort(differences[:, types == name] - margin, axis=1)[:, ::-1]
        size = own.shape[1]
        means = np.cumsum(own, axis=1) / np.arange(1, size + 1)
        reached = np.full((r, n + 1), -np.inf)
        for dropped in range(size + 1):
            gain = means[:, size - dropped - 1] if dropped < size else np.zeros(r)
            total = best[:, : n + 1 - dropped] + gain[:, None]
            better = total > reached[:, dropped:]
            reached[:, dropped:][better] = total[better]
            choice[place, :, dropped:][better] = dropped
        best = reached
    enough = best[:, :n] > 0  # something is kept
    size = np.where(enough.any(axis=1), enough.argmax(axis=1), np.nan)
    split = np.zeros((r, len(names)), dtype=np.intp)
    left = np.nan_to_num(size).astype(np.intp)
    for place in reversed(range(len(names))):
        split[:, place] = choice[place, np.arange(r), left]
        left = left - split[:, place]
    return size, split


def least_favourable_by_type(
    differences: FloatArray, types: NDArray[np.intp], split: NDArray[np.intp]
) -> tuple[int, ...]:
    """Return the datasets that a split over types drops, shape (n,), the worst first."""
    dropped: list[int] = []
    for name, number in zip(np.unique(types), split, strict=True):
        own = np.flatnonzero(types == name)
        dropped += [int(own[place]) for place in least_favourable(differences[own], int(number))]
    return tuple(sorted(dropped, key=lambda j: (differences[j], j)))


def least_shift(differences: FloatArray, weights: FloatArray, margin: float = TIE) -> FloatArray:
    """Return the least weight to move before the challenger draws level; any more, and it passes.

    Parameters
    ----------
    differences : ndarray, shape (r, n)
        Of contributions.
    weights : ndarray, shape (n,)
        Sum 1.
    margin : float
        `TIE` if it is to pass; `-TIE` if drawing level is enough.

    Returns
    -------
    ndarray, shape (r,)
        Total variation, 0..1; NaN if the challenger is above, or level, on no dataset.
    """
    moved = np.array([(weights - _taken(row, weights)).sum() for row in differences])
    return np.where(differences.max(axis=1) > margin, moved, np.nan)


def shifted(difference: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weights at which the challenger draws level, shape (n,)."""
    left = _taken(difference, weights)
    left[difference.argmax()] += weights.sum() - left.sum()
    return left


def _taken(difference: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weights less what is moved to the dataset that favours the challenger most.

    Moving it from where the incumbent gains most buys the most per unit.
    """
    order = np.argsort(difference, kind="stable")
    gains = (difference.max() - difference)[order]
    bought = np.cumsum(gains * weights[order])
    before = bought - gains * weights[order]
    need = max(0.0, -float(difference @ weights))
    paid = np.clip(need - before, 0.0, gains * weights[order])
    moved = np.divide(paid, gains, out=np.zeros_like(gains), where=gains > 0)
    left = weights.copy()
    left[order] -= moved
    return left
