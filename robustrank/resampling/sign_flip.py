"""The sign-flip test of paired differences: exact where the datasets are few."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS, single_threaded
from robustrank.errors import (
    EmptyMatrixError,
    NonNumericError,
    as_floats,
    check_count,
    check_seed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray

#: Up to this many datasets all 2ⁿ assignments of signs are counted.
EXACT_UP_TO = 26


@dataclass(frozen=True, eq=False)
class PairedModels:
    """Pairs of models by what they are pairs of.

    Attributes
    ----------
    values : ndarray, shape (m, n)
        Of every model, none missing.
    a, b : ndarray of int, shape (k,)
        The pairs.
    """

    values: FloatArray
    a: NDArray[np.intp]
    b: NDArray[np.intp]


#: Pairs worked on at a time: few for differences of sums, which then stay in the cache of one
#: core, many for matrix products.
_FEW, _MANY = 16, 256


def sign_flip_test(
    differences: ArrayLike,
    *,
    n_resamples: int = 10_000,
    seed: int | np.random.Generator = 0,
) -> FloatArray:
    """Test whether paired differences are symmetric about 0.

    Were two models alike, each dataset could as well have favoured the other one: the p-value is
    the share of the 2ⁿ assignments of signs that give a sum at least as far from 0 as observed. It
    cannot be below `sign_flip_floor`.

    Parameters
    ----------
    differences : array_like, shape (n,) or (k, n)
        Of k pairs of models on n datasets. NaN, and 0, favour neither model.
    n_resamples : int
        With more than 26 datasets signs are drawn this often, the same for all pairs, and the
        p-value is (hits + 1) / (n_resamples + 1).
    seed : int or numpy.random.Generator
        Drives the draw of signs.

    Returns
    -------
    ndarray, shape () or (k,)
        Two-sided p-values.

    References
    ----------
    Fisher (1935), *The Design of Experiments*, §21. The exact count splits the datasets in two
    halves: each half has 2^(n/2) sums, and pairs of them are counted by sorting.
    """
    given = as_floats("differences", differences)
    if given.ndim not in (1, 2) or given.shape[-1] == 0:
        raise EmptyMatrixError(
            "differences must have one column per dataset, at least one; got an array of shape "
            f"{given.shape}."
        )
    if np.isinf(given).any():
        raise NonNumericError(
            "A difference is infinite. Correct it, or give NaN where it is missing."
        )
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    table = np.nan_to_num(given.reshape(-1, given.shape[-1]))
    if table.shape[1] <= EXACT_UP_TO:
        p = _exact(table)
    else:
        p = drawn_p_values(table, n_resamples, np.random.default_rng(seed))
    return p.reshape(given.shape[:-1])


def sign_flip_max_t(
    differences: FloatArray,
    *,
    n_resamples: int,
    seed: int | np.random.Generator,
    models: PairedModels | None = None,
) -> FloatArray:
    """Test many pairs at once, adjusted for their number by the largest difference of each draw.

    All pairs see the same signs. Each sum is divided by the root of its sum of squares, which no
    sign changes; the p-value is the share of draws in which the largest one of all pairs is at
    least as large as the one observed, as in Westfall & Young (1993), *Resampling-Based Multiple
    Testing*.

    Parameters
    ----------
    differences : ndarray, shape (k, n)
        Of k pairs of models.
    n_resamples : int
    seed : int or numpy.random.Generator
    models : PairedModels, optional
        What the differences are differences of, if no score is missing: that is several times as
        fast.

    Returns
    -------
    ndarray, shape (k,)
        (hits + 1) / (n_resamples + 1); 1 for a pair without any difference.
    """
    rng = np.random.default_rng(seed)
    size = np.sqrt((differences**2).sum(axis=1))
    scale = np.where(size <= _tolerance(differences), 1.0, size)
    largest = np.zeros(n_resamples)
    for block, sums in _flipped(differences, n_resamples, rng, models):
        np.divide(sums, scale[block, None], out=sums)
        np.maximum(largest, sums.max(axis=0, initial=0.0), out=largest)
    observed = np.abs(differences.sum(axis=1)) / scale
    hits = n_resamples - np.sort(largest).searchsorted(observed - _tolerance(differences))
    return np.asarray((hits + 1.0) / (n_resamples + 1.0))


def sign_flip_floor(n_datasets: int, n_resamples: int = 10_000) -> float:
    """Return the smallest p-value that `sign_flip_test` can give on so many datasets."""
    check_count("n_datasets", n_datasets, 1)
    return 2.0 / 2**n_datasets if n_datasets <= EXACT_UP_TO else 1.0 / (n_resamples + 1)


def _tolerance(table: FloatArray) -> float:
    """Return by how much equal sums may differ."""
    return float(table.shape[1] * 10.0**-TIE_DECIMALS)


def _exact(table: FloatArray) -> FloatArray:
    n = table.shape[1]
    signs = [_signs(n // 2), _signs(n - n // 2)]
    reached = np.abs(table.sum(axis=1)) - _tolerance(table)
    p = np.ones(len(table))
    # Half of the assignments mirror the others: those at or above the observed sum count twice.
    for k in np.flatnonzero(reached > 0):
        left, right = signs[0] @ table[k, : n // 2], np.sort(signs[1] @ table[k, n // 2 :])
        above = len(right) - right.searchsorted(reached[k] - left)
        p[k] = 2.0 * above.sum() / 2**n
    return p


def _signs(n: int) -> FloatArray:
    return np.array(list(product((1.0, -1.0), repeat=n)))


def drawn_p_values(
    table: FloatArray,
    n_resamples: int,
    rng: np.random.Generator,
    models: PairedModels | None = None,
) -> FloatArray:
    """Do what `sign_flip_test` does with many datasets: draw signs, shape (k, n) to (k,)."""
    reached = np.abs(table.sum(axis=1)) - _tolerance(table)
    hits = np.empty(len(table))
    for block, sums in _flipped(table, n_resamples, rng, models):
        hits[block] = (sums >= reached[block, None]).sum(axis=1)
    return np.asarray((hits + 1.0) / (n_resamples + 1.0))


def _flipped(
    table: FloatArray,
    n_resamples: int,
    rng: np.random.Generator,
    models: PairedModels | None = None,
) -> Iterator[tuple[slice, FloatArray]]:
    """Yield blocks of rows with the sizes of their sums under random signs, shape (rows, B).

    With signs, too, the sum of a difference is the difference of the sums of two models.
    """
    signs = rng.integers(2, size=(n_resamples, table.shape[1])) * 2.0 - 1.0
    flips = np.ascontiguousarray(signs.T)
    with single_threaded():
        by_model = None if models is None else models.values @ flips
        size = _MANY if by_model is None else _FEW
        for start in range(0, len(table), size):
            block = slice(start, start + size)
            if models is None or by_model is None:
                sums = table[block] @ flips
            else:
                sums = by_model[models.a[block]] - by_model[models.b[block]]
            yield block, np.abs(sums, out=sums)
