"""Who leads, and who is in the top, by every suite of a series."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: How far down a ranking counts as the top.
TOP = 10


def leader_kept(full: FloatArray, values: FloatArray) -> NDArray[np.bool_]:
    """Tell which columns of values, shape (m, k), put a leader of the full ranking first."""
    return np.asarray((_top(full[:, None], 1) & _top(values, 1)).any(axis=0))


def top_overlap(full: FloatArray, values: FloatArray) -> FloatArray:
    """Return the share of the top models that both rankings have, for each column, shape (k,).

    Models that tie with the last of the top belong to it, which is then the larger one's size.
    """
    top, tops = _top(full[:, None], TOP), _top(values, TOP)
    size = np.maximum(top.sum(), tops.sum(axis=0))
    return np.asarray((top & tops).sum(axis=0) / size)


def _top(values: FloatArray, k: int) -> NDArray[np.bool_]:
    rounded = values.round(TIE_DECIMALS)
    last = np.sort(rounded, axis=0)[-min(k, len(values))]
    return np.asarray(rounded >= last)
