"""Which axis disrupts each model most, and how sure that is (*HTEB* §4.2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS, single_threaded
from robustrank.errors import check_count, check_seed
from robustrank.evaluators.hteb.statistics.cubes import as_cube, dataset_order
from robustrank.evaluators.hteb.statistics.means import mean_interval
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.resampling.draws import draw_counts

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray


def disruption(source: Source, *, n_resamples: int = 2000, seed: int = 0) -> pd.DataFrame:
    """Rank the axes of each model by the size of their mean delta over datasets.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As of `read_scores`.
    n_resamples : int
        Draws of datasets with replacement, the same for all models.
    seed : int

    Returns
    -------
    DataFrame, model × column
        Models in the order of the scores. Columns:

        axis, delta
            The axis with the largest absolute mean delta, and that delta. Of axes that tie, the
            first.
        runner_up
            The axis after it; missing with one axis.
        probability
            Share of resamples in which `axis` is the most disruptive. Axes that tie share a
            resample. NaN with one axis or where the model has fewer than two datasets: then
            nothing can be said.
        delta of …
            One column per axis, its mean delta: ``"delta of Length"``.

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.

    Examples
    --------
    "Eight of eleven models" is ``disruption(source)["axis"].value_counts()``.
    """
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    scores = read_scores(source)
    axes = list(scores.axes)
    cube = as_cube(scores, with_axes(scores.deltas(), scores.axes)[axes])
    cube = cube[dataset_order(cube)]
    means = mean_interval(cube, 0.95).mean
    sizes = np.nan_to_num(np.abs(means).round(TIE_DECIMALS), nan=-1.0)
    order = np.argsort(-sizes, axis=1, kind="stable")
    n_known = (sizes >= 0.0).sum(axis=1)
    counts = draw_counts(np.random.default_rng(seed), n_resamples, len(cube))
    rows = []
    for place, model in enumerate(scores.models):
        first = order[place, 0]
        comparable = n_known[place] > 1 and _n_complete(cube[:, place]) > 1
        row: dict[str, object] = {
            "model": model,
            "axis": axes[first] if n_known[place] > 0 else None,
            "delta": means[place, first],
            "runner_up": axes[order[place, 1]] if n_known[place] > 1 else None,
            "probability": _share(cube[:, place], counts, first) if comparable else np.nan,
        }
        rows.append(row)
    table = pd.DataFrame(rows).set_index("model")
    names = [f"delta of {axis}" for axis in axes]
    return table.join(pd.DataFrame(means, index=table.index, columns=names))


def _n_complete(values: FloatArray) -> int:
    return int((~np.isnan(values)).any(axis=1).sum())


def _share(values: FloatArray, counts: FloatArray, axis: int) -> float:
    """Return how often an axis has the largest mean, of values of datasets × axes."""
    held = ~np.isnan(values)
    with single_threaded():
        sums, numbers = counts @ np.where(held, values, 0.0), counts @ held.astype(np.float64)
    sizes = np.abs(sums / np.where(numbers > 0.0, numbers, np.nan)).round(TIE_DECIMALS)
    sizes = np.nan_to_num(sizes, nan=-1.0)
    best = sizes.max(axis=1, keepdims=True)
    drawn = best[:, 0] >= 0.0
    leads = (sizes == best)[drawn]
    return float((leads[:, axis] / leads.sum(axis=1)).mean())
