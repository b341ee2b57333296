"""Observations: what each item says of every judge and generator, ready to be resampled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri, stdtrit

if TYPE_CHECKING:
    import pandas as pd

    from robustrank._numeric import FloatArray

#: Fewer texts are often rated all the same, and then say nothing of how far their mean may be off.
FEWEST = 5


def complete(ratings: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Keep the texts that every judge rated for every generator.

    Parameters
    ----------
    ratings : DataFrame, (transformation, item) × (judge, generator)

    Returns
    -------
    DataFrame
        Without the transformations that have fewer than `FEWEST` such texts, if another has more.
    Series
        How many such texts each transformation of `ratings` has.
    """
    kept = ratings.dropna()
    names = kept.index.get_level_values("transformation")
    sizes = names.value_counts().reindex(ratings.index.unique("transformation"), fill_value=0)
    enough = sizes.index[sizes >= min(FEWEST, sizes.max())]
    return kept[names.isin(enough)], sizes


def observe(kept: pd.DataFrame, means: pd.DataFrame, confidence_level: float) -> pd.DataFrame:
    """Return (judge, generator) × item, whose means over items are the means of `means`.

    An item's observation is the mean, and what each rating of the item moves it by. With all
    transformations of every item, that is the item's mean over them; where some are left out, the
    others count for as much more as keeps the weights of transformations equal. What a rating moves
    the mean by is widened, by 2% with 100 texts: deviations from a mean of few are too small, and
    so are the quantiles that resampling finds (Hesterberg 2015, the expanded percentile interval).

    Parameters
    ----------
    kept : DataFrame, (transformation, item) × (judge, generator)
        From `complete`.
    means : DataFrame, transformation × (judge, generator)
    confidence_level : float

    Returns
    -------
    DataFrame
        With one column if some transformation has one text: nothing can be resampled.
    """
    names = kept.index.get_level_values("transformation")
    sizes: FloatArray = np.asarray(names.value_counts().reindex(names), dtype=float)
    if len(kept) and sizes.min() < 2:
        return means.mean().to_frame()
    n_items = kept.index.unique("item").size
    weights = _widening(sizes, confidence_level) * n_items / (len(means) * sizes)
    moved = (kept - means.reindex(kept.index, level="transformation")).mul(weights, axis="index")
    return (moved.groupby(level="item").sum() + means.mean()).T


def _widening(sizes: FloatArray, confidence_level: float) -> FloatArray:
    tail = 0.5 + 0.5 * confidence_level
    quantile = stdtrit(sizes - 1.0, tail) / ndtri(tail)
    widening: FloatArray = np.sqrt(sizes / (sizes - 1.0)) * quantile
    return widening
