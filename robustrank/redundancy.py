"""Which datasets repeat each other, and what is left when each cluster keeps one.

Datasets whose scores correlate above a threshold τ over models are linked, and a cluster is a
connected component (single linkage), after Gjorgjevikj, Koroušić Seljak and Eftimov, *On the
Robustness of Multilingual Text Embedding Rankings* (2026), §3.1. Average and complete linkage ask
for more than a chain of links.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._linkage import Linkage, cut, merge_datasets
from robustrank._numeric import Correlation, content_order, correlation_matrix, varies
from robustrank.errors import ParameterError, check_count, check_seed
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray

#: Merges this close to τ are reported: a few models more or less could undo them.
FRAGILE_WIDTH = 0.02
#: With fewer models, a correlation between two datasets is too uncertain to cluster by.
FEW_MODELS = 10


@dataclass(frozen=True, eq=False)
class Redundancy:
    """Correlation between datasets, their clusters, and compositions without repetition.

    Attributes
    ----------
    correlation : DataFrame, shape (n, n)
        Correlation between datasets over models; NaN for a dataset on which all models tie.
    clusters : Series of int
        Cluster of each dataset, numbered from 1, largest first; 0 where all models tie.
    compositions : DataFrame of bool
        Composition × dataset. ``all``, then picks of one dataset per cluster.
    merges : DataFrame
        Of clusters, strongest first: ``dataset_a`` and ``dataset_b``, one of each; the
        ``correlation`` at which they join; and whether that is ``fragile``: within 0.02 of τ. The
        pair is the one with that correlation: the strongest (single) or weakest (complete) between
        the two clusters. Under average linkage it is the pair that comes closest to the mean.
    n, q : int
        Numbers of datasets that tell models apart, and of their clusters.
    n_unique : int
        Number of distinct picks (U in *Slavic*); 1 when there is only ``all``.
    n_effective : float
        Effective number of datasets, (Σλ)² / Σλ² over the eigenvalues of the correlation.
    tau : float
        The threshold.
    linkage : {"single", "average", "complete"}
        How clusters merge.
    notes : tuple of Note
    """

    correlation: pd.DataFrame
    clusters: pd.Series
    compositions: pd.DataFrame
    merges: pd.DataFrame
    n: int
    q: int
    n_unique: int
    n_effective: float
    tau: float
    linkage: Linkage
    notes: tuple[Note, ...] = ()

    @property
    def picks(self) -> list[str]:
        """Compositions that rankings are counted over: the picks, or ``all`` unless U > 1."""
        return counted_compositions(list(self.compositions.index), self.n_unique)


def cluster_datasets(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    tau: float = 0.9,
    *,
    correlation: Correlation = "pearson",
    linkage: Linkage = "single",
) -> pd.Series:
    """Cluster datasets whose scores correlate above `tau`.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets.
    tau : float
        Clusters merge while they correlate strictly above this; 0 ≤ tau ≤ 1.
    correlation : {"pearson", "spearman"}
    linkage : {"single", "average", "complete"}
        See `find_redundancy`.

    Returns
    -------
    Series of int
        Dataset → cluster, numbered from 1, largest first; 0 for a dataset on which all models tie,
        whose correlations are undefined.
    """
    found = find_redundancy(scores, tau, correlation=correlation, linkage=linkage, n_compositions=0)
    return found.clusters


def find_redundancy(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    tau: float = 0.9,
    *,
    correlation: Correlation = "pearson",
    linkage: Linkage = "single",
    n_compositions: int = 3,
    seed: int | np.random.Generator = 0,
) -> Redundancy:
    """Correlate and cluster the datasets and draw compositions without repetition.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets; with missing scores, pairs of datasets are compared over the models that
        have both, and not linked if those are fewer than ten (on a board of fewer than twenty, half
        of the models, at least three).
    tau : float
        Threshold of the correlation above which two datasets repeat each other; 0 ≤ tau ≤ 1.
    correlation : {"pearson", "spearman"}
    linkage : {"single", "average", "complete"}
        Which correlation must exceed `tau` for two clusters to merge: the strongest between a
        dataset of one and a dataset of the other, so that each link counts; the mean; or the
        weakest, so that all members repeat each other. Under the latter two, a pair that is not
        compared keeps its clusters apart.
    n_compositions : int
        How many distinct picks of one dataset per cluster to draw, at most.
    seed : int or numpy.random.Generator

    Returns
    -------
    Redundancy
    """
    check_clustering(tau=tau, correlation=correlation, linkage=linkage)
    check_count("n_compositions", n_compositions, 0)
    check_seed(seed)
    matrix = ScoreMatrix.coerce(scores)
    table = matrix.scores
    values = table.to_numpy()
    shared = 2 if matrix.is_complete else min(FEW_MODELS, max(3, len(table) // 2))
    r = correlation_matrix(values, correlation, min_rows=shared)
    order = content_order(table)[1]
    merges = merge_datasets(r, order, linkage)
    groups = cut(merges, varies(values), order, tau)
    picks = _draw_picks(groups, n_compositions, np.random.default_rng(seed))
    n, q = sum(map(len, groups)), len(groups)
    clusters = np.zeros(len(order), dtype=np.int64)
    for number, members in enumerate(groups, start=1):
        clusters[members] = number
    rows = np.zeros((1 + len(picks), len(order)), dtype=bool)
    rows[0] = True
    for position, pick in enumerate(picks, start=1):
        rows[position, pick] = True
    names = table.columns
    index = pd.Index(["all", *(f"pick-{i}" for i in range(1, len(picks) + 1))], name="composition")
    merged = pd.DataFrame(
        [(names[a], names[b], height) for a, b, height in merges],
        columns=["dataset_a", "dataset_b", "correlation"],
    ).astype({"correlation": float})
    merged["fragile"] = (merged["correlation"] - tau).abs() <= FRAGILE_WIDTH
    return Redundancy(
        correlation=pd.DataFrame(r, index=names, columns=names),
        clusters=pd.Series(clusters, index=names, name="cluster"),
        compositions=pd.DataFrame(rows, index=index, columns=names),
        merges=merged,
        n=n,
        q=q,
        n_unique=max(len(picks), 1),
        n_effective=effective_number(r),
        tau=tau,
        linkage=linkage,
        notes=_notes(matrix, r, merged, tau),
    )


def counted_compositions(names: list[str], n_unique: int) -> list[str]:
    """Return the compositions that rankings are counted over, of ``all`` and the picks."""
    return names[1:] if n_unique > 1 else ["all"]


def check_clustering(
    *, tau: object = 0.9, correlation: object = "pearson", linkage: object = "single"
) -> None:
    """Raise for a setting of the clusters that is out of range."""
    if isinstance(tau, bool) or not isinstance(tau, Real) or not 0.0 <= float(tau) <= 1.0:
        raise ParameterError(f"tau is a correlation between 0 and 1; got {tau!r}.")
    if correlation not in ("pearson", "spearman"):
        raise ParameterError(f"correlation must be 'pearson' or 'spearman'; got {correlation!r}.")
    if linkage not in ("single", "average", "complete"):
        raise ParameterError(f"linkage must be 'single', 'average' or 'complete'; got {linkage!r}.")


def effective_number(correlation: FloatArray) -> float:
    """Return the effective number of datasets, (Σλ)² / Σλ² over eigenvalues of their correlation.

    n uncorrelated datasets give n; n copies of one give 1. Datasets with undefined correlations
    are not counted. Source: C. S. Bretherton et al., *The effective number of spatial degrees of
    freedom of a time-varying field*, J. Climate 12 (1999), Eq. 5.
    """
    defined = ~np.isnan(np.diag(correlation))
    block = np.nan_to_num(correlation[np.ix_(defined, defined)])
    # trace² / trace(C²) needs no eigenvalues, and stays defined when C is not positive definite.
    return float(len(block) ** 2 / (block**2).sum()) if block.size else 0.0


def _draw_picks(
    groups: list[list[int]], wanted: int, rng: np.random.Generator
) -> list[tuple[int, ...]]:
    """Draw distinct picks of one dataset per cluster; all of them if there are no more."""
    n, q = sum(map(len, groups)), len(groups)
    if not 1 < q < n or wanted == 0:
        return []
    if math.prod(map(len, groups)) <= wanted:
        return list(product(*groups))
    picks: dict[tuple[int, ...], None] = {}
    while len(picks) < wanted:
        picks[tuple(group[rng.integers(len(group))] for group in groups)] = None
    return list(picks)


def _notes(
    matrix: ScoreMatrix, r: FloatArray, merges: pd.DataFrame, tau: float
) -> tuple[Note, ...]:
    notes = []
    fragile = merges[merges["fragile"]]
    if len(fragile):
        pairs = [
            f"{a} with {b} at {height:.3f}"
            for a, b, height in zip(
                fragile["dataset_a"], fragile["dataset_b"], fragile["correlation"], strict=True
            )
        ]
        labels = tuple(dict.fromkeys([*fragile["dataset_a"], *fragile["dataset_b"]]))
        message = (
            f"{count(len(pairs), 'merge')} of clusters within {FRAGILE_WIDTH:g} of tau = {tau:g}, "
            f"which a few models more or less could turn: {name_some(pairs, 3)}."
        )
        notes.append(Note("fragile-clusters", message, labels))
    if len(matrix.scores) < FEW_MODELS:
        message = (
            f"Correlations between datasets rest on {count(len(matrix.scores), 'model')}: clusters "
            "are uncertain."
        )
        notes.append(Note("few-models", message))
    undefined = int(np.isnan(r[np.triu_indices(len(r), k=1)]).sum())
    if undefined and not matrix.is_complete:
        message = (
            f"{count(undefined, 'pair')} of datasets shared too few models (or none that differ) "
            "to be correlated, and were not linked."
        )
        notes.append(Note("unlinked-pairs", message))
    return tuple(notes)
