"""The places that models take in every resample, ties included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._numeric import TIE_DECIMALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray


#: Cells worked on at a time.
_BLOCK_CELLS = 100_000


@dataclass(frozen=True, eq=False)
class Places:
    """First and last place of the run of tied models that each model belongs to.

    Attributes
    ----------
    first, last : ndarray of int, shape (m, B)
        From 1, the best; equal where a model is tied with no other. 0 where it has no place.
    """

    first: NDArray[np.integer[Any]]
    last: NDArray[np.integer[Any]]

    @property
    def doubled(self) -> NDArray[np.integer[Any]]:
        """Twice the average rank, which is a whole number; 0 without a place."""
        return self.first + self.last

    def share_within(self, k: int) -> FloatArray:
        """Return the share of resamples with each model in the best k, shape (m,).

        A run of tied models that reaches beyond place k shares the places that it has up to k.
        Resamples in which no model has a place are not counted.
        """
        m = len(self.first)
        n_resamples = max(1, int(np.count_nonzero(self.first.any(axis=0))))
        places = np.arange(m + 1)
        inside = np.array([np.bincount(row, minlength=m + 1) for row in self.first])
        share = inside @ ((places > 0) & (places <= k)) / n_resamples
        if self.last is not self.first:
            rows, columns = np.nonzero(self.last != self.first)
            first, size = self.first[rows, columns], (self.last - self.first)[rows, columns] + 1
            part = np.clip(k - first + 1, 0, size) / size - (first <= k)
            share += np.bincount(rows, weights=part, minlength=m) / n_resamples
        return np.asarray(share)

    def rank_quantiles(self, low: float, high: float) -> FloatArray:
        """Return two quantiles of each model's rank over the resamples, shape (2, m).

        A quantile is the smallest rank that at least this share of the resamples does not exceed.
        NaN for a model without a place in any resample.
        """
        untied = self.last is self.first
        width = (1 if untied else 2) * len(self.first) + 1
        counts = np.array(
            [
                np.bincount(ranks, minlength=width)
                for ranks in (self.first if untied else self.doubled)
            ]
        )
        counts[:, 0] = 0
        reached = counts.cumsum(axis=1)
        placed = reached[:, -1:]
        # Less than a resample is rounding error of share times number; none at all is no share.
        ranks = [
            (reached < np.maximum(share * placed - 1e-6, 0.5)).sum(axis=1) for share in (low, high)
        ]
        scale = 1.0 if untied else 0.5
        return np.where(placed[:, 0] > 0, scale * np.array(ranks), np.nan)


def take_places(values: FloatArray) -> Places:
    """Rank the models in each resample, best first.

    Parameters
    ----------
    values : ndarray, shape (m, B)
        Higher is better; NaN takes no place. Values equal to 10 decimals are tied.

    Returns
    -------
    Places
    """
    m, n_resamples = values.shape
    largest = max(float(np.nanmax(np.abs(values), initial=0.0)), 1e-300)
    first = np.empty((m, n_resamples), dtype=_place_type(m))
    last = first
    # Blocks that stay in the cache of one core.
    size = max(1, _BLOCK_CELLS // m)
    for start in range(0, n_resamples, size):
        block = slice(start, start + size)
        places, until = _places_in_block(values[:, block], largest)
        first[:, block] = places.T
        if until is not places:
            last = first.copy() if last is first else last
        if last is not first:
            last[:, block] = until.T
    return Places(first, last)


def _place_type(m: int) -> type[np.signedinteger[Any]]:
    """Return the smallest type that holds twice a place: comparing is as fast as it is small."""
    return np.int16 if 2 * m <= np.iinfo(np.int16).max else np.int32


def _places_in_block(
    values: FloatArray, largest: float
) -> tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]:
    """Return first and last places, shape (B, m); one array twice where nothing ties."""
    m, n_resamples = values.shape
    # A rounded value and the number of its model share one integer, so that a single sort of
    # integers gives order and ties. The scale leaves room for the number.
    bits = max(1, (m - 1).bit_length())
    scale = min(10.0**TIE_DECIMALS, 2.0 ** (60 - bits) / largest)
    missing = np.isnan(values.T)
    any_missing = bool(missing.any())
    scaled = np.multiply(np.ascontiguousarray(values.T), -scale)
    if any_missing:
        scaled[missing] = 2.0 ** (61 - bits)  # after every value
    keys = np.rint(scaled, out=scaled).astype(np.int64)
    keys <<= bits
    keys |= np.arange(m)
    keys.sort(axis=1)
    order = keys & ((1 << bits) - 1)
    order += (np.arange(n_resamples) * m)[:, None]
    places = np.arange(1, m + 1, dtype=_place_type(m))
    first = np.empty(n_resamples * m, dtype=places.dtype)
    first[order.ravel()] = np.tile(places, n_resamples)
    last = first
    # Neighbours differ in the low bits alone if they are tied.
    same = (keys[:, 1:] ^ keys[:, :-1]).view(np.uint64) < np.uint64(1 << bits)
    if same.any():
        tied = same.any(axis=1)
        last = first.copy()
        first[order[tied]], last[order[tied]] = _runs(same[tied])
    places, until = first.reshape(-1, m), last.reshape(-1, m)
    if any_missing:
        until = until.copy() if last is first else until
        places[missing] = until[missing] = 0
    return places, places if last is first and not any_missing else until


def _runs(same: NDArray[np.bool_]) -> tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]:
    """Return first and last place of the run at each place, from whether neighbours are tied."""
    m = same.shape[1] + 1
    places = np.arange(1, m + 1, dtype=_place_type(m))
    starts = np.ones((len(same), m), dtype=bool)
    starts[:, 1:] = ~same
    ends = np.ones((len(same), m), dtype=bool)
    ends[:, :-1] = ~same
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, places, m)[:, ::-1], axis=1)[:, ::-1]
    return first, last
