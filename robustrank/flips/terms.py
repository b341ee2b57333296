"""What an aggregate adds up, where it is a sum: then a change of datasets changes known terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS
from robustrank.aggregation import AGGREGATES
from robustrank.aggregation.kernels import LinearKernel, SchemeKernel
from robustrank.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._groups import Groups
    from robustrank._numeric import FloatArray
    from robustrank.aggregation import Aggregate, Kernel
    from robustrank.matrix import ScoreMatrix

#: Aggregates that differ by no more are tied.
TIE = 0.5 * 10.0**-TIE_DECIMALS

_AS_BORDA = Note(
    "counted-as-borda",
    "On complete scores Bradley-Terry strengths order models as Borda counts do, whichever "
    "datasets are kept: leads are given as Borda counts.",
)
_WEIGHTS_KEPT = Note(
    "weights-kept",
    "Datasets that are kept keep the importance that all datasets together gave them: it is not "
    "estimated again.",
)


@dataclass(frozen=True, eq=False)
class Sums:
    """Terms of q groups of datasets.

    Of any two models, the one with the larger sum of terms over the groups that are kept has the
    larger aggregate.

    Attributes
    ----------
    terms : ndarray, shape (m, q)
    mass : ndarray, shape (q,)
        What the sum of differences is divided by is the sum of these, which says what is a tie.
    """

    terms: FloatArray
    mass: FloatArray


@dataclass(frozen=True, eq=False)
class Linear:
    """An aggregate that is a weighted mean over n datasets, of m models.

    Attributes
    ----------
    contributions : ndarray, shape (m, n)
    weights : ndarray, shape (n,)
        The aggregate's own, sum 1.
    importance : ndarray, shape (n,), or None
        Weights up to a factor, where they are the same whichever datasets are kept.
    types : ndarray of int, shape (n,), or None
        Task types that count the same as long as one of their datasets is kept.
    """

    contributions: FloatArray
    weights: FloatArray
    importance: FloatArray | None = None
    types: NDArray[np.intp] | None = None

    def sums(self, groups: Groups) -> Sums | None:
        """Return the terms of groups that are dropped whole; None if there are no such terms."""
        member = groups.member.astype(np.float64)
        if self.importance is not None:
            return Sums((self.contributions * self.importance) @ member.T, member @ self.importance)
        if self.types is None or not _each_in_one(self.types, groups.codes):
            return None
        # A type is dropped whole: its mean is a term.
        sizes = np.bincount(self.types)[self.types]
        return Sums((self.contributions / sizes) @ member.T, member @ (1.0 / sizes))


@dataclass(frozen=True, eq=False)
class Terms:
    """An aggregate of one complete matrix.

    Attributes
    ----------
    kernel : Kernel
    linear : Linear or None
        None if the aggregate is no weighted mean.
    """

    kernel: Kernel
    linear: Linear | None


def prepare_terms(matrix: ScoreMatrix, aggregate: Aggregate) -> tuple[Terms, list[Note]]:
    """Find what an aggregate adds up on a complete matrix."""
    notes = []
    if aggregate == AGGREGATES["bradley-terry"]:
        aggregate, notes = AGGREGATES["borda"], [_AS_BORDA]
    kernel = aggregate.prepare(matrix)
    if isinstance(kernel, LinearKernel):
        if kernel.importance is not None:
            notes = [*notes, _WEIGHTS_KEPT]
        return Terms(kernel, _of_mean(kernel)), notes
    if isinstance(kernel, SchemeKernel) and kernel.scheme.method in _FLOWS:
        return Terms(kernel, _of_scheme(kernel)), notes
    return Terms(kernel, None), notes


def _of_mean(kernel: LinearKernel) -> Linear:
    n = kernel.contributions.shape[1]
    weights = kernel.weights(np.ones((1, n)))[0]
    if kernel.groups is None:
        importance = np.ones(n) if kernel.importance is None else kernel.importance
        return Linear(kernel.contributions, weights, importance)
    types = kernel.groups if kernel.importance is None else None
    return Linear(kernel.contributions, weights, None, types)


def _of_scheme(kernel: SchemeKernel) -> Linear:
    """Return what a scheme adds up: nothing on datasets on which all models tie."""
    varying = kernel.decision.varying
    contributions = np.zeros(kernel.held.shape)
    contributions[:, varying] = getattr(kernel.decision, _FLOWS[kernel.scheme.method])
    weights, _ = kernel.decision.weights(kernel.scheme.weighting, np.ones(len(varying), dtype=bool))
    # Other weightings weigh what is kept anew.
    fixed = kernel.scheme.weighting == "equal"
    return Linear(contributions, weights, varying.astype(np.float64) if fixed else None)


#: Schemes that add up, and the attribute of `Decision` that holds what they add.
_FLOWS = {"wsm": "wsm", "promethee2-usual": "usual", "promethee2-gaussian": "gaussian"}


def _each_in_one(types: NDArray[np.intp], codes: NDArray[np.intp]) -> bool:
    """Tell whether all datasets of a type are in one group."""
    return len(np.unique(np.column_stack([types, codes]), axis=0)) == len(np.unique(types))
