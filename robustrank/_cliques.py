"""Largest sets of items that are all alike in pairs: the maximal cliques of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def runs(values: NDArray[np.float64], width: float) -> list[list[int]]:
    """Return the largest runs of ordered values whose ends are less than `width` apart.

    Parameters
    ----------
    values : ndarray, shape (m,)
        In rising order.
    width : float

    Returns
    -------
    list of list of int
        Positions; in order, none within another.
    """
    ends = np.searchsorted(values, values + width)
    # Equal values stay together, however narrow the runs are.
    return _without_repeats(np.maximum(ends, np.searchsorted(values, values, side="right")))


def neighbour_runs(alike: NDArray[np.bool_]) -> list[list[int]]:
    """Return the largest runs of neighbours within which every pair is alike.

    What `cliques` falls back on: it joins none that differ, but leaves out the sets with a gap.
    """
    m = len(alike)
    ends = np.empty(m, dtype=np.intp)
    end = 0
    for start in range(m):
        end = max(end, start + 1)
        while end < m and alike[start:end, end].all():
            end += 1
        ends[start] = end
    return _without_repeats(ends)


def cliques(alike: NDArray[np.bool_], most: int) -> list[list[int]] | None:
    """Return the largest sets within which every pair is alike.

    Items are added one by one. What is known of the first i items is never more than of all (each
    set of theirs is part of another one of all), so that the work stops as soon as there are too
    many: it grows with ``most²`` per item, and never exponentially.

    Parameters
    ----------
    alike : ndarray of bool, shape (m, m)
        Symmetric; the diagonal does not matter.
    most : int

    Returns
    -------
    list of list of int, or None
        In the order of their members; None if there are more than `most`.
    """
    m = len(alike)
    # A set is an integer with a bit per item.
    near = [sum(1 << int(j) for j in np.flatnonzero(row)) for row in alike]
    found: list[int] = []
    for i in range(m):
        whole = [known for known in found if known & ~near[i] == 0]
        partly = [known for known in found if known & ~near[i]]
        joined = sorted({known & near[i] for known in (*whole, *partly)}, key=int.bit_count)
        largest: list[int] = []
        for candidate in reversed(joined or [0]):
            if not any(candidate & ~other == 0 for other in largest):
                largest.append(candidate)
        found = partly + [members | 1 << i for members in largest]
        if len(found) > most:
            return None
    return sorted([i for i in range(m) if members >> i & 1] for members in found)


def _without_repeats(ends: NDArray[np.intp]) -> list[list[int]]:
    """Return the runs from each start to its end, but those that lie within the one before."""
    reached = np.r_[0, ends[:-1]]
    return [
        list(range(start, end))
        for start, (end, before) in enumerate(zip(ends.tolist(), reached.tolist(), strict=True))
        if end > before
    ]
