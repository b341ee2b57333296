"""Weightings: how much each dataset counts. Pure functions of a models × datasets array.

Each takes an array of shape (m, n) whose columns are benefits (higher is better) and returns n
weights that sum to 1, or n times NaN where the weighting is undefined: what to do then is the
caller's decision (`Decision` takes equal weights and says so in a note).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS, correlation_matrix
from robustrank.mcdm.methods import normalize

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray


def equal_weights(x: FloatArray) -> FloatArray:
    """Return the same weight for every column.

    Parameters
    ----------
    x : ndarray, shape (m, n)

    Returns
    -------
    ndarray, shape (n,)
    """
    n = x.shape[1]
    return np.full(n, 1.0 / max(n, 1))


def merec_weights(x: FloatArray) -> FloatArray:
    """Weigh each column by the effect of its removal (MEREC).

    With n_ij = min_k x_kj / x_ij, S_i = ln(1 + (1/n) Σ_j |ln n_ij|) and S'_ij the same without
    column j (the divisor stays n), the effect of column j is E_j = Σ_i |S'_ij - S_i| and its
    weight E_j / Σ E.

    Parameters
    ----------
    x : ndarray, shape (m, n)
        Positive benefits.

    Returns
    -------
    ndarray, shape (n,)
        NaN if a value is not positive or if no column has an effect.

    References
    ----------
    Keshavarz-Ghorabaee et al. (2021), Symmetry 13(4), 525.
    """
    if not (x > 0).all():
        return np.full(x.shape[1], np.nan)
    return merec_from_log_ratios(log_ratios(x))


def log_ratios(x: FloatArray) -> FloatArray:
    """Return |ln(min_k x_kj / x_ij)|, the part of MEREC that a choice of columns leaves alone."""
    logs = np.log(x)
    return np.asarray(logs - logs.min(axis=0))


def merec_from_log_ratios(ratios: FloatArray) -> FloatArray:
    """Return MEREC weights for a choice of the columns of `log_ratios`."""
    n = ratios.shape[1]
    totals = ratios.sum(axis=1, keepdims=True)
    # S - S' = ln((n + t) / (n + t - r)) = -ln(1 - r / (n + t)): one logarithm, no cancellation.
    effects = -np.log1p(-ratios / (n + totals)).sum(axis=0)
    return _shares(effects)


def critic_weights(x: FloatArray) -> FloatArray:
    """Weigh each column by its contrast and its conflict with the others (CRITIC).

    C_j = σ_j Σ_k (1 - r_jk), with σ_j the standard deviation of the min-max normalised column and
    r Pearson's correlation; the weight is C_j / Σ C.

    Parameters
    ----------
    x : ndarray, shape (m, n)
        Benefits, no column constant.

    Returns
    -------
    ndarray, shape (n,)
        NaN if no two columns conflict: one column, or every correlation equal to 1.

    References
    ----------
    Diakoulaki, Mavrotas & Papayannakis (1995), Computers & Operations Research 22(7), 763-770.
    """
    return critic_from_parts(contrasts(x), correlation_matrix(x))


def contrasts(x: FloatArray) -> FloatArray:
    """Return the standard deviation of each column after min-max normalisation, shape (n,)."""
    return np.asarray(normalize(x, "minmax").std(axis=0))


def critic_from_parts(deviations: FloatArray, correlation: FloatArray) -> FloatArray:
    """Return CRITIC weights from the `contrasts` and correlations of the chosen columns."""
    conflicts = 1.0 - correlation
    # Exactly proportional columns leave conflicts of 1e-16, whose shares would be noise.
    if not (conflicts > 10.0**-TIE_DECIMALS).any():
        return np.full(len(deviations), np.nan)
    return _shares(deviations * conflicts.sum(axis=0))


def _shares(parts: FloatArray) -> FloatArray:
    total = parts.sum()
    return parts / total if total > 0 else np.full(len(parts), np.nan)
