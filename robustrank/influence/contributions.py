"""What each dataset gives each model, where an aggregate is a weighted sum over datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.aggregation.kernels import LinearKernel, SchemeKernel

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.aggregation import Kernel

#: Ranking methods that sum over datasets, given the weights.
_SUMS = ("wsm", "promethee2-usual", "promethee2-gaussian")


def contributions(kernel: Kernel) -> FloatArray | None:
    """Split the aggregate of each model over the datasets.

    Parameters
    ----------
    kernel : Kernel
        Of m models, which it can rank, and n datasets.

    Returns
    -------
    ndarray, shape (m, n), or None
        Rows sum to the aggregate of the model; the weights are those with every dataset. None if
        the aggregate is no such sum.
    """
    if isinstance(kernel, LinearKernel):
        weights = kernel.weights(np.ones((1, kernel.held.shape[1])))
        own = np.where(kernel.held, weights, 0.0)  # of the datasets that a model has
        sums = own.sum(axis=1, keepdims=True)
        shares = np.divide(own, sums, out=np.zeros_like(own), where=sums > 0)
        return np.asarray(np.where(kernel.held, kernel.contributions, 0.0) * shares)
    if isinstance(kernel, SchemeKernel) and kernel.scheme.method in _SUMS:
        n = kernel.held.shape[1]
        weights, _ = kernel.decision.weights(kernel.scheme.weighting, np.ones(n, dtype=bool))
        return kernel.decision.preferences(kernel.scheme.method, np.diag(weights))
    return None
