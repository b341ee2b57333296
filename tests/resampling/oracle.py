"""Slow and obvious versions of the bootstrap: a Python loop over resamples and models."""

from __future__ import annotations

import numpy as np
import scipy.stats

from robustrank._numeric import content_order
from robustrank.resampling.draws import draw_counts


def redraw(scores, n_resamples, seed=0, **groups):
    """The counts that `paired_bootstrap` draws, with columns in the order of `scores`.

    `groups`: strata or clusters, one number per column of `scores`.
    """
    columns = content_order(scores)[1]
    arranged = {name: np.asarray(numbers)[columns] for name, numbers in groups.items()}
    if "clusters" in arranged:  # numbered from 0 in order of appearance
        seen = list(dict.fromkeys(arranged["clusters"].tolist()))
        arranged["clusters"] = np.array([seen.index(c) for c in arranged["clusters"]])
    rng = np.random.default_rng(seed)
    drawn = draw_counts(rng, n_resamples, scores.shape[1], **arranged)
    counts = np.empty_like(drawn)
    counts[:, columns] = drawn
    return counts


def copies(counts_row):
    """The columns of one resample, each as often as drawn."""
    return np.repeat(np.arange(len(counts_row)), counts_row.astype(int))


def resampled_means(values, counts):
    """Means over copied columns, shape (m, B); NaN where no copy has a score."""
    result = np.full((len(values), len(counts)), np.nan)
    for b, row in enumerate(counts):
        for i, line in enumerate(values[:, copies(row)]):
            if not np.isnan(line).all():
                result[i, b] = np.nanmean(line)
    return result


def ranks(values):
    """Average ranks in every column, 1 is best, ties to 10 decimals; NaN has none."""
    return scipy.stats.rankdata(-values.round(10), axis=0, nan_policy="omit")


def chance_of_places(values, k):
    """Share of resamples with each model in the best k, a run of ties sharing its places."""
    m, n_resamples = values.shape
    total = np.zeros(m)
    for column in values.T.round(10):
        for i, value in enumerate(column):
            if np.isnan(value):
                continue
            better, tied = np.sum(column > value), np.sum(column == value)
            total[i] += min(max(k - better, 0), tied) / tied
    return total / n_resamples


def outcome(gaps):
    """P(a > b) and the two-sided p-value from differences over resamples; NaN decides nothing."""
    gaps = gaps[~np.isnan(gaps)].round(10)
    if not len(gaps):
        return np.nan, np.nan
    above, below, tied = (int(np.sum(test)) for test in (gaps > 0, gaps < 0, gaps == 0))
    p = 2 * (min(above, below) + tied + 1) / (len(gaps) + 1)
    return (above + tied / 2) / len(gaps), min(p, 1.0)
