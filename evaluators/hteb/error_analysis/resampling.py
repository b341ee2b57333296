"""Totals over resampled texts, with one draw for all generators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS, single_threaded

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.error_analysis.counting import Counts

#: Numbers drawn at a time.
_BLOCK_CELLS = 2_000_000


def resample_totals(counts: Counts, n_resamples: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw texts with replacement and compute the total of every generator again.

    A text brings its outputs under all transformations and of all generators, so that what makes it
    hard for all of them is no difference between them.

    Returns
    -------
    DataFrame, generator × resample
        Shares; NaN where a resample has no text of a generator under a transformation. All NaN
        with a single text, which cannot tell.
    """
    n_texts, n_generators, n_transformations = counts.outputs.shape
    draws = np.full((n_generators, n_resamples), np.nan)
    if n_texts > 1:
        # Texts that fared alike may be drawn as one: it is the same distribution, in less time.
        fared = np.concatenate([counts.errors, counts.outputs], axis=2).reshape(n_texts, -1)
        patterns, numbers = np.unique(fared, axis=0, return_counts=True)
        cells = patterns.reshape(len(patterns), n_generators, 2, n_transformations)
        errors, outputs = (
            cells[:, :, part].reshape(len(patterns), -1).astype(float) for part in (0, 1)
        )
        size = max(1, _BLOCK_CELLS // len(patterns))
        for start in range(0, n_resamples, size):
            number = min(size, n_resamples - start)
            drawn = rng.multinomial(n_texts, numbers / n_texts, size=number).astype(float)
            with single_threaded():
                wrong, held = drawn @ errors, drawn @ outputs
            rates = np.divide(wrong, held, out=np.full_like(wrong, np.nan), where=held > 0)
            totals = rates.reshape(number, n_generators, n_transformations).mean(axis=2)
            draws[:, start : start + number] = totals.T
    return pd.DataFrame(draws.round(TIE_DECIMALS), index=pd.Index(counts.generators))


def probability_lower(draws: pd.DataFrame, first: str, second: str) -> float:
    """Return in which share of the resamples `first` has the lower total; ties count half."""
    gap = draws.loc[second].to_numpy() - draws.loc[first].to_numpy()
    gap = gap[~np.isnan(gap)]
    return float(np.mean((gap > 0.0) + 0.5 * (gap == 0.0))) if len(gap) else np.nan
