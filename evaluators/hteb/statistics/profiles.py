"""Robustness profiles: what each transformation and axis changes for each model (*HTEB* §4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import check_level
from robustrank.evaluators.hteb.statistics.cubes import as_cube
from robustrank.evaluators.hteb.statistics.means import mean_interval
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import TOTAL, with_axes

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The axis that models of one language are not made for, and the total of the other axes.
LANGUAGE: Final = "Language"
TOTAL_WITHOUT_LANGUAGE: Final = f"{TOTAL} without {LANGUAGE}"


def profiles(source: Source, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """Return what each transformation and axis changes for each model, in the mean over datasets.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As of `read_scores`.
    confidence_level : float

    Returns
    -------
    DataFrame, (model, part) × column
        Parts: the transformations, the axes, ``"total"`` and, where there are other axes,
        ``"total without Language"``. Models from the highest total down. Columns:

        score, original
            Means over datasets of transformed and of original texts, 0..1.
        delta, low, high
            Mean of transformed minus original, with Student's interval. Datasets are the units:
            it is about how the mean would change with other datasets of the kind.
        relative
            ``delta / original``; NaN where `original` is not above 0.
        n_datasets
            Datasets that count. With one there is no interval, without one nothing.

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.
    """
    level = check_level(confidence_level)
    scores = read_scores(source)
    held = scores.deltas().notna()
    delta, score, original = (
        mean_interval(as_cube(scores, _parts(table.where(held), scores.axes)), level)
        for table in (scores.deltas(), scores.transformed, scores.baseline)
    )
    parts = list(_parts(held.astype(float), scores.axes).columns)
    columns = {
        "score": score.mean,
        "original": original.mean,
        "delta": delta.mean,
        "low": delta.low,
        "high": delta.high,
        "relative": delta.mean / np.where(original.mean > 0.0, original.mean, np.nan),
        "n_datasets": delta.n,
    }
    place = parts.index(TOTAL)
    order = np.argsort(-score.mean[:, place].round(TIE_DECIMALS), kind="stable")  # NaN goes last
    models = [scores.models[row] for row in order]
    return pd.DataFrame(
        {name: values[order].ravel() for name, values in columns.items()},
        index=pd.MultiIndex.from_product([models, parts], names=["model", "part"]),
    )


def _parts(table: pd.DataFrame, axes: Mapping[str, tuple[str, ...]]) -> pd.DataFrame:
    extended = with_axes(table, axes)
    others = {axis: members for axis, members in axes.items() if axis != LANGUAGE}
    if 0 < len(others) < len(axes):
        extended[TOTAL_WITHOUT_LANGUAGE] = with_axes(table, others)[TOTAL]
    return extended
