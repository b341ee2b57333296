"""Whether datasets order the models alike at all: a permutation test of their concordance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks, content_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Draws of permutations: a p-value of 0.05 is known to half a hundredth.
N_PERMUTATIONS: Final = 2000


def concordance_p(cube: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return the p-values of Friedman's test of no difference between models, by permutation.

    Parameters
    ----------
    cube : ndarray, shape (n, m, k)
        Datasets × models × parts. Models are ranked within a dataset, among those that have a
        value there; ranks of different models are exchanged at random within it.
    rng : Generator
        The same draws serve all parts.

    Returns
    -------
    ndarray, shape (k,)
        The observed arrangement counts among the draws, so that no p-value is 0 and the level holds
        whatever their number. NaN where no two datasets have two models in common, or no models
        differ on two datasets.
    """
    # By what they hold, so that the draws depend on no order of the models.
    lines = pd.DataFrame(cube.swapaxes(0, 1).reshape(cube.shape[1], -1))
    ranks = np.stack([average_ranks(values) for values in cube[:, content_order(lines)[0]]])
    held = ~np.isnan(ranks)
    number = held.sum(axis=1, keepdims=True)
    centred = np.where(held, ranks - (number + 1) / 2.0, 0.0)  # halves: sums of them are exact
    observed = _spread(centred.sum(axis=0)[None])[0]
    sums = np.zeros((N_PERMUTATIONS, *cube.shape[1:]))
    for values, there in zip(centred, held, strict=True):
        sums += _permuted(values, there, rng)
    reached = (_spread(sums) >= observed).sum(axis=0)
    p_values = (1.0 + reached) / (1.0 + N_PERMUTATIONS)
    shared = (held.sum(axis=0) > 1).sum(axis=0) > 1
    told_apart = (centred != 0.0).any(axis=1).sum(axis=0) > 1
    return np.where(shared & told_apart, p_values, np.nan)


def _spread(sums: FloatArray) -> FloatArray:
    """Return the sum of squares over models, of draws × models × parts."""
    return np.asarray((sums**2).sum(axis=1))


def _permuted(values: FloatArray, there: NDArray[np.bool_], rng: np.random.Generator) -> FloatArray:
    """Exchange the values of models × parts that are there, in as many ways as there are draws."""
    keys = rng.random((N_PERMUTATIONS, len(values), 1))
    # Sorted, so that the order in which models are given changes nothing.
    sorted_values = np.sort(np.where(there, values, np.inf), axis=0)
    sorted_values[np.isinf(sorted_values)] = 0.0
    if (there == there[:, :1]).all():  # one permutation serves all parts
        return np.asarray(sorted_values[_places(keys, there[:, :1])[..., 0]])
    return np.take_along_axis(sorted_values[None], _places(keys, there), axis=1)


def _places(keys: FloatArray, there: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return which of the sorted values each model gets; those that are not there get the last."""
    order = np.argsort(np.where(there, keys, np.inf), axis=1)
    return np.argsort(order, axis=1)
