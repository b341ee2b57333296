"""One scheme under many multisets of the datasets, as a bootstrap draws them.

A dataset drawn c times enters as c copies. Copies share one column of every prepared matrix, so
that multiplicities are exact without copying: sums count a column c times, VIKOR's maximum once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import TIE_DECIMALS
from robustrank.mcdm.methods import closeness, compromise

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.mcdm.decision import Decision
    from robustrank.mcdm.schemes import Scheme


def preferences_of_multisets(
    decision: Decision, scheme: Scheme, multiplicities: FloatArray
) -> FloatArray:
    """Rank the models of a `Decision` by one scheme on multisets of its datasets.

    Parameters
    ----------
    decision : Decision
        Of m models and n datasets.
    scheme : Scheme
    multiplicities : ndarray, shape (B, n)
        How often each multiset holds each dataset: whole numbers ≥ 0.

    Returns
    -------
    ndarray, shape (m, B)
        Preferences, higher is better: those of `rank_schemes` on the table in which each dataset is
        repeated as often as drawn. Where a multiset holds no dataset that tells models apart, all
        models have one value.
    """
    counts = multiplicities[:, decision.varying]
    weights = _copy_weights(decision, scheme.weighting, counts)
    total = weights * counts
    if scheme.method == "wsm":
        return np.asarray(decision.wsm @ total.T)
    if scheme.method == "topsis":
        return _topsis(decision.topsis, weights * total)
    if scheme.method == "vikor":
        return _vikor(decision.regrets, np.where(counts > 0, weights, 0.0), total)
    flows = decision.usual if scheme.method == "promethee2-usual" else decision.gaussian
    return np.asarray(flows @ total.T)


def _copy_weights(decision: Decision, weighting: str, counts: FloatArray) -> FloatArray:
    """Return the weight of one copy of each dataset, shape (B, n); the copies' weights sum to 1.

    A weighting that is undefined on a multiset gives way to equal weights there.
    """
    drawn = counts.sum(axis=1, keepdims=True).clip(min=1.0)
    equal = np.broadcast_to(1.0 / drawn, counts.shape)
    if weighting == "equal" or counts.shape[1] == 0:
        return equal
    parts = _merec_effects if weighting == "merec" else _critic_information
    found = parts(decision, counts)
    sums = (found * counts).sum(axis=1, keepdims=True)
    defined = sums > 0  # False for NaN too
    return np.where(defined, found / np.where(defined, sums, 1.0), equal)


def _merec_effects(decision: Decision, counts: FloatArray) -> FloatArray:
    """Return the effect of removing one copy of each dataset: see `merec_from_log_ratios`."""
    ratios = decision.log_ratios
    undefined = np.isnan(ratios).any(axis=0)
    clean = np.where(undefined, 0.0, ratios)
    totals = counts.sum(axis=1) + clean @ counts.T  # (m, B): n + t of each model
    effects = np.zeros_like(counts)
    for j in range(counts.shape[1]):
        # Without a copy to remove, the logarithm may be one of a negative number.
        drawn = counts[:, j] > 0
        effects[drawn, j] = -np.log1p(-clean[:, j, None] / totals[:, drawn]).sum(axis=0)
    effects[(counts[:, undefined] > 0).any(axis=1)] = np.nan
    return effects


def _critic_information(decision: Decision, counts: FloatArray) -> FloatArray:
    """Return contrast times conflict with every copy drawn: see `critic_from_parts`."""
    conflicts = 1.0 - decision.correlation
    conflicts[conflicts <= 10.0**-TIE_DECIMALS] = 0.0  # copies do not conflict, whatever rounding
    return np.asarray(decision.contrasts * (counts @ conflicts))


def _topsis(normalized: FloatArray, squared_weights: FloatArray) -> FloatArray:
    to_ideal = (normalized - normalized.max(axis=0)) ** 2 @ squared_weights.T
    to_worst = (normalized - normalized.min(axis=0)) ** 2 @ squared_weights.T
    return closeness(to_ideal, to_worst)


def _vikor(regrets: FloatArray, copy_weights: FloatArray, weights: FloatArray) -> FloatArray:
    utility = regrets @ weights.T
    worst = np.zeros_like(utility)
    for regret, weight in zip(regrets.T, copy_weights.T, strict=True):
        np.maximum(worst, regret[:, None] * weight, out=worst)
    return compromise(utility, worst)
