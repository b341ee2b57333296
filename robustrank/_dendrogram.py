"""Which models are ranked alike: hierarchical clustering of the rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS, content_order

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """A tree of models.

    Attributes
    ----------
    order : list of str
        The models as the leaves of the tree, from left to right.
    merges : DataFrame
        Lowest merge first, as `scipy.cluster.hierarchy.linkage` has them: ``left`` and ``right``
        are what merges, at a ``height``, into a cluster of ``size`` models. A number below m is the
        model at that place of `order`; m + i is the cluster that row i makes (``cluster``).
        ``left_model`` and ``right_model`` name the models, and are NA for clusters.
    """

    order: list[str]
    merges: pd.DataFrame


def cluster_models(table: pd.DataFrame) -> Dendrogram:
    """Cluster the rows of a complete table by average linkage on Euclidean distances.

    Those are the defaults of seaborn's ``clustermap``. Of two sides that merge, that with the lower
    mean is left. Neither the order of rows and columns nor names change the tree: they only decide
    between rows that are alike.

    Parameters
    ----------
    table : DataFrame, model × anything

    Returns
    -------
    Dendrogram
    """
    from scipy.cluster import hierarchy  # noqa: PLC0415 - only figures need it
    from scipy.spatial.distance import pdist  # noqa: PLC0415

    rows, columns = content_order(table.set_axis(table.columns.map(str), axis="columns"))
    values = table.to_numpy()[np.ix_(rows, columns)]
    names = list(table.index[rows])
    m = len(names)
    if m < 2:
        return Dendrogram(names, _merges(np.empty((0, 4)), names))
    distances = pdist(values).round(TIE_DECIMALS)
    tree = _lower_left(hierarchy.linkage(distances, method="average"), values.mean(axis=1))
    leaves = hierarchy.leaves_list(tree)
    place = np.concatenate([np.argsort(leaves), np.arange(m, 2 * m - 1)])
    tree[:, :2] = place[tree[:, :2].astype(np.intp)]
    order = [names[leaf] for leaf in leaves]
    return Dendrogram(order, _merges(tree, order))


def _lower_left(tree: FloatArray, means: FloatArray) -> FloatArray:
    """Swap the sides of merges so that the cluster with the lower mean is left."""
    turned = tree.copy()
    level, size = list(means), [1.0] * len(means)
    for merge in turned:
        left, right = merge[:2].astype(np.intp)
        if round(level[right], TIE_DECIMALS) < round(level[left], TIE_DECIMALS):
            merge[:2] = right, left
        size.append(merge[3])
        level.append((level[left] * size[left] + level[right] * size[right]) / merge[3])
    return turned


def _merges(tree: FloatArray, order: list[str]) -> pd.DataFrame:
    sides = tree[:, :2].astype("int64")
    table = pd.DataFrame({"cluster": np.arange(len(tree)) + len(order)})
    table["left"], table["right"] = sides.T
    table["height"] = tree[:, 2]
    table["size"] = tree[:, 3].astype("int64")
    for side in ("left", "right"):
        named = [order[place] if place < len(order) else pd.NA for place in table[side]]
        table[f"{side}_model"] = pd.Series(named, dtype="object")
    return table
