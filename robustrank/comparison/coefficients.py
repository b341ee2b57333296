"""Spearman, Pearson and Kendall correlation of two scores, with intervals over resampled models.

A resample draws as many models as there are, with replacement, and is held as the number of times
that each was drawn. Ranks are those within the resample, where the copies of a model tie. Kendall's
is τ-b: M. G. Kendall, *Rank Correlation Methods* (1948), ch. 3. Percentile intervals over models
are what *MTEB-PT* (2026), §7, reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS, content_order, single_threaded
from robustrank._percentiles import percentile_interval
from robustrank.resampling.draws import draw_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

NAMES = ("spearman", "pearson", "kendall")
#: Drawn numbers held at once: bounds memory whatever the numbers of models and resamples.
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A correlation between two boards.

    Attributes
    ----------
    estimate : float
        Over the models that both boards have; NaN where a board ties all of them.
    low, high : float
        Percentile interval over resamples of models.
    undefined : int
        Number of resamples that hold no two models that differ, and give no value.
    """

    estimate: float
    low: float
    high: float
    undefined: int = 0

    def __str__(self) -> str:
        if np.isnan(self.estimate):
            return "undefined"
        return f"{self.estimate:.3f} [{self.low:.3f}, {self.high:.3f}]"


def correlate(x: FloatArray, y: FloatArray, settings: dict[str, Any]) -> dict[str, Coefficient]:
    """Return the `coefficients` in an order of content: no arrangement or name changes a draw."""
    order = content_order(pd.DataFrame({"a": x, "b": y}))[0]
    return coefficients(x[order], y[order], **settings)


def coefficients(
    x: FloatArray, y: FloatArray, *, n_resamples: int, confidence_level: float, seed: int
) -> dict[str, Coefficient]:
    """Correlate two scores of the same models, with percentile intervals.

    Parameters
    ----------
    x, y : ndarray, shape (m,)
        In an order of content: draws from the seed go by position.
    n_resamples : int
    confidence_level : float
    seed : int

    Returns
    -------
    dict of Coefficient
        ``"spearman"``, ``"pearson"``, ``"kendall"``.
    """
    pair = _Pair(x, y)
    estimates = pair.correlate(np.ones((1, len(x))))
    resampled = [pair.correlate(counts) for counts in _draws(len(x), n_resamples, seed)]
    values = np.array([np.concatenate([block[name] for block in resampled]) for name in NAMES])
    low, high = percentile_interval(values, confidence_level)
    undefined = np.isnan(values).sum(axis=1)
    return {
        name: Coefficient(
            float(estimates[name][0]), float(low[i]), float(high[i]), int(undefined[i])
        )
        for i, name in enumerate(NAMES)
    }


def _draws(m: int, n_resamples: int, seed: int) -> Iterator[FloatArray]:
    """Yield blocks of resamples of m models: how often each was drawn, shape (block, m)."""
    rng = np.random.default_rng(seed)
    size = max(1, _BLOCK // m)
    for start in range(0, n_resamples, size):
        yield draw_counts(rng, min(size, n_resamples - start), m)


class _Pair:
    """Two scores of the same models, prepared for correlation under any counts."""

    def __init__(self, x: FloatArray, y: FloatArray) -> None:
        self.values = (x - x.mean(), y - y.mean())
        self.classes = (_tie_classes(x), _tie_classes(y))
        signs = [np.sign(c[:, None] - c[None, :]).astype(np.float64) for c in self.classes]
        #: 1 where a pair of models is ordered alike by both, -1 where oppositely, 0 where tied.
        self.concordance = signs[0] * signs[1]

    def correlate(self, counts: FloatArray) -> dict[str, FloatArray]:
        """Return the coefficients under each row of counts; NaN where a score is constant."""
        drawn = [_sum_classes(counts, classes) for classes in self.classes]
        flat = np.logical_or(*[(groups > 0).sum(axis=1) < 2 for groups in drawn])
        ranks = [
            # A group's rank: those drawn below it, and the middle of its own.
            (groups.cumsum(axis=1) - (groups - 1.0) / 2.0)[:, classes]
            for groups, classes in zip(drawn, self.classes, strict=True)
        ]
        with single_threaded():
            concordant = np.einsum("rm,rm->r", counts @ self.concordance, counts) / 2.0
        pairs = counts.sum(axis=1) * (counts.sum(axis=1) - 1.0) / 2.0
        untied = [pairs - (groups * (groups - 1.0)).sum(axis=1) / 2.0 for groups in drawn]
        with np.errstate(invalid="ignore", divide="ignore"):
            values = {
                "spearman": _weighted_pearson(counts, *ranks),
                "pearson": _weighted_pearson(counts, *self.values),
                "kendall": concordant / np.sqrt(untied[0] * untied[1]),
            }
        return {name: np.where(flat, np.nan, np.clip(values[name], -1.0, 1.0)) for name in NAMES}


def _tie_classes(values: FloatArray) -> NDArray[np.intp]:
    """Give each value the number of its class of ties, from 0 for the lowest."""
    rounded = np.round(values, TIE_DECIMALS)
    return np.unique(rounded, return_inverse=True)[1].reshape(-1)


def _sum_classes(counts: FloatArray, classes: NDArray[np.intp]) -> FloatArray:
    """Add up the counts of tied models, shape (block, number of classes)."""
    order = np.argsort(classes, kind="stable")
    starts = np.searchsorted(classes[order], np.arange(classes.max() + 1))
    sums: FloatArray = np.add.reduceat(counts[:, order], starts, axis=1)
    return sums


def _weighted_pearson(counts: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Correlate two scores, shape (m,) or (block, m), under each row of counts."""
    total = counts.sum(axis=1)
    dx, dy = (values - ((counts * values).sum(axis=1) / total)[:, None] for values in (x, y))
    products = [np.einsum("rm,rm,rm->r", counts, a, b) for a, b in ((dx, dy), (dx, dx), (dy, dy))]
    correlation: FloatArray = products[0] / np.sqrt(products[1] * products[2])
    return correlation
