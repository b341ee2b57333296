"""Intervals of totals, which hold also where nothing, everything or the same is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from robustrank._numeric import TIE_DECIMALS

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.evaluators.hteb.error_analysis.counting import Counts


def total_intervals(counts: Counts, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    """Return the bounds of the total of every generator.

    They are those of Agresti and Coull, with texts for observations: z²/2 texts that are always
    wrong and as many that never are join a generator's own, and the interval is the mean of all ±
    z standard errors. A text's outputs stay together, so that the standard error is that between
    texts, whatever the errors of one have to do with each other; and it is never 0, since texts of
    a kind not seen so far may fare otherwise. As errors come one by one, the upper bound rises, up
    to a total of a half, and errors and right outputs may change places.

    Parameters
    ----------
    counts : Counts
    confidence_level : float

    Returns
    -------
    low, high : ndarray, shape (g,)
        Shares; NaN where a generator has one text, which tells nothing of others.
    """
    z = ndtri(0.5 + confidence_level / 2.0)
    added = z * z
    n_texts = (counts.outputs.sum(axis=2) > 0).sum(axis=0)
    enough = n_texts + added
    # Each added text has as many outputs under a transformation as a text has on average.
    outputs, errors = counts.outputs.sum(axis=0), counts.errors.sum(axis=0)
    average = outputs / n_texts[:, None]
    held = outputs + added * average
    rates = (errors + added / 2.0 * average) / held
    totals = rates.mean(axis=1)
    # By how much each text moves the total, which is a mean of ratios.
    moved = ((counts.errors - rates * counts.outputs) / held).mean(axis=2)
    variance = (moved**2).sum(axis=0)
    variance += added / 2.0 * (totals**2 + (1.0 - totals) ** 2) / enough**2
    reach = z * np.sqrt(variance)
    bounds = np.clip([totals - reach, totals + reach], 0.0, 1.0).round(TIE_DECIMALS)
    low, high = np.where(n_texts > 1, bounds, np.nan)
    return low, high
