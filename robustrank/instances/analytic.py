"""Intervals of scores from their metric and the number of instances alone."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from robustrank.errors import check_level
from robustrank.instances.designs import Design, find_designs, fisher_deviation, known_sizes
from robustrank.instances.intervals import Intervals, stack
from robustrank.matrix import ScoreMatrix
from robustrank.notes import merge_notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray


def analytic_intervals(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    n_instances: float | Mapping[str, float] | pd.Series | None = None,
    kind: str | Mapping[str, str] | pd.Series | None = None,
    *,
    confidence_level: float = 0.95,
) -> Intervals:
    """Give scores a confidence interval where only the score, its metric and n are known.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets.
    n_instances : int or mapping, optional
        Instances of all datasets, or by dataset; else what the metadata of `scores` say.
    kind : str or mapping, optional
        ``"proportion"``, ``"pearson"``, ``"spearman"`` or the name of a metric that is one of
        these, such as ``"accuracy"`` or ``"cosine_spearman"``, for all datasets or by dataset; else
        what the metadata of `scores` say.
    confidence_level : float

    Returns
    -------
    Intervals
        Wilson's interval for proportions, Fisher's z for correlations, with the variance
        1 / (n - 3) for Pearson's and (1 + ρ²/2) / (n - 3) for Spearman's. NaN, and a note, for
        other metrics and where something is unknown. ``n_instances`` is what was given, with or
        without an interval.

    Notes
    -----
    Sources: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*,
    JASA 22 (1927); D. G. Bonett and T. A. Wright, *Sample size requirements for estimating Pearson,
    Kendall and Spearman correlations*, Psychometrika 65 (2000), 23-28.
    """
    z = NormalDist().inv_cdf((1.0 + check_level(confidence_level)) / 2.0)
    matrix = ScoreMatrix.coerce(scores)
    designs, notes = find_designs(matrix, n_instances, kind)
    sizes = known_sizes(matrix, n_instances)
    fields = {
        dataset: _bounds(matrix.scores[dataset].to_numpy(), designs.get(dataset), z)
        | {"n_instances": np.full(len(matrix.scores), sizes.get(dataset, np.nan))}
        for dataset in matrix.scores.columns
    }
    table = stack(fields, list(matrix.scores.index))
    return Intervals(table, "analytic", confidence_level, merge_notes(matrix.notes, notes))


def _bounds(score: FloatArray, design: Design | None, z: float) -> dict[str, FloatArray]:
    if design is None:
        error = low = high = np.full(len(score), np.nan)
    elif design.kind == "proportion":
        n = design.n_instances
        error = np.sqrt(score * (1.0 - score) / n)
        low, high = wilson(score, n, z)
    else:
        n = design.n_instances
        deviation = fisher_deviation(score, n, design.kind)
        error = (1.0 - score**2) * deviation  # the delta method: dr / dz = 1 - r²
        with np.errstate(divide="ignore"):  # a correlation of 1 has the interval 1..1
            centre = np.arctanh(score)
        low, high = np.tanh(centre - z * deviation), np.tanh(centre + z * deviation)
    return {
        "score": score,
        "standard_error": error,
        "ci_low": low,
        "ci_high": high,
    }


def wilson(p: FloatArray, n: int, z: float) -> tuple[FloatArray, FloatArray]:
    """Return the proportions that a test at this level would not tell from p."""
    scale = 1.0 + z**2 / n
    centre = (p + z**2 / (2 * n)) / scale
    half = z * np.sqrt(p * (1.0 - p) / n + z**2 / (4 * n**2)) / scale
    return np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)
