"""Merging datasets into clusters: single, average and complete linkage on correlations.

Each linkage gives two clusters a correlation from the pairs of datasets across them, one of each:
the strongest of these (single), their mean (average) or the weakest (complete). Whichever two
clusters have the strongest correlation merge first. Source: G. N. Lance and W. T. Williams, *A
general theory of classificatory sorting strategies*, The Computer Journal 9 (1967).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from robustrank._numeric import TIE_DECIMALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

    #: A dataset of either side, by position, and the correlation at which the sides merge.
    Merge = tuple[int, int, float]

Linkage = Literal["single", "average", "complete"]


def merge_datasets(r: FloatArray, order: NDArray[np.intp], linkage: Linkage) -> list[Merge]:
    """Merge datasets until only undefined correlations are left, strongest merge first.

    Parameters
    ----------
    r : ndarray, shape (n, n)
        Correlation between datasets; NaN where it is undefined.
    order : ndarray of int, shape (n,)
        Of the datasets by content, which decides between ties.
    linkage : {"single", "average", "complete"}

    Returns
    -------
    list of (int, int, float)
        The pair across the two sides whose correlation is (single, complete), or is closest to
        (average), that at which they merge; and the latter. Under average and complete linkage, one
        undefined correlation across two sides keeps these apart.
    """
    arranged = r[np.ix_(order, order)]
    merges = _spanning_tree(arranged) if linkage == "single" else _agglomerate(arranged, linkage)
    return [(int(order[a]), int(order[b]), height) for a, b, height in merges]


def cut(
    merges: list[Merge], discriminating: NDArray[np.bool_], order: NDArray[np.intp], tau: float
) -> list[list[int]]:
    """Return the members of each cluster that merges above `tau` make, largest cluster first."""
    n = len(order)
    above = np.array([(a, b) for a, b, height in merges if height > tau], dtype=int).reshape(-1, 2)
    links = coo_array((np.ones(len(above)), above.T), shape=(n, n))
    labels = connected_components(links, directed=False)[1]
    groups: dict[int, list[int]] = {}
    for j in order[discriminating[order]]:
        groups.setdefault(int(labels[j]), []).append(int(j))
    return sorted(groups.values(), key=len, reverse=True)  # stable: else by content


def _spanning_tree(r: FloatArray) -> list[Merge]:
    """Return the merges of single linkage: a maximum spanning tree."""
    # The tree is that of smallest 2 - r, which is never 0: csgraph takes 0 for "no edge".
    edges = csr_array(np.triu(np.nan_to_num(2.0 - r), k=1))
    tree = minimum_spanning_tree(edges).tocoo()
    heights = r[tree.row, tree.col]
    strongest_first = np.lexsort((tree.col, tree.row, -heights))
    return [(int(tree.row[e]), int(tree.col[e]), float(heights[e])) for e in strongest_first]


def _agglomerate(r: FloatArray, linkage: Literal["average", "complete"]) -> list[Merge]:
    """Return the merges of average or complete linkage, from scipy's tree."""
    from scipy.cluster import hierarchy  # noqa: PLC0415 - most analyses do without

    n = len(r)
    if n < 2:
        return []
    # An average over at most n² / 4 pairs with one at n² is at least 4, and no 1 - r is above 2.
    distance = np.where(np.isnan(r), n**2, 1.0 - r).round(TIE_DECIMALS)
    tree = hierarchy.linkage(distance[np.triu_indices(n, k=1)], linkage)
    combine = np.mean if linkage == "average" else np.min
    members = [[j] for j in range(n)]
    merges: list[Merge] = []
    height = 1.0
    for left, right in tree[:, :2].astype(int):
        a, b = sorted((members[left], members[right]))
        members.append(sorted(a + b))
        across = r[np.ix_(a, b)]
        if np.isnan(across).any():
            break  # these come last
        # Distances that tie in the tree differ by rounding: that must not turn the order.
        height = min(height, float(combine(across)))
        off = np.abs(across - height).round(TIE_DECIMALS)
        i, j = np.unravel_index(off.argmin(), off.shape)
        merges.append((a[i], b[j], height))
    return merges
