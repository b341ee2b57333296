"""Robustness profiles: what each transformation and axis changes for each model (*HTEB* §4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank import presenting
from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import check_level
from robustrank.evaluators.hteb.statistics.cubes import as_cube
from robustrank.evaluators.hteb.statistics.means import mean_interval
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import (
    LANGUAGE,
    TOTAL,
    TOTAL_WITHOUT_LANGUAGE,
    with_axes,
)
from robustrank.notes import count

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, eq=False, repr=False)
class Profiles(presenting.Result):
    """What each transformation and axis changes for each model.

    Attributes
    ----------
    table : DataFrame, (model, part) × column
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
    confidence_level : float
    notes : tuple of Note
    """

    table: pd.DataFrame
    confidence_level: float

    def of_part(self, part: str) -> pd.DataFrame:
        """Return the rows of one transformation or axis, or of the total, by model."""
        return pd.DataFrame(self.table.xs(part, level="part"))

    def summary(self) -> str:
        """Return the table in points for a terminal."""
        shown = 100.0 * self.table.drop(columns="n_datasets")
        text = presenting.to_text(
            shown.assign(n_datasets=self.table["n_datasets"]),
            signed=["delta", "low", "high", "relative"],
        )
        return f"{self!r}, in points; relative in per cent\n{text}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table."""
        return {"profiles": self.table}

    def __repr__(self) -> str:
        models, parts = (self.table.index.unique(level) for level in self.table.index.names)
        return f"Profiles: {count(len(models), 'model')} × {count(len(parts), 'part')}"


def profiles(source: Source, *, confidence_level: float = 0.95) -> Profiles:
    """Return what each transformation and axis changes for each model, in the mean over datasets.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As of `read_scores`.
    confidence_level : float

    Returns
    -------
    Profiles

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.
    """
    level = check_level(confidence_level)
    scores = read_scores(source)
    baseline, transformed = scores.paired()
    tables = [_parts(table, scores.axes) for table in (scores.deltas(), transformed, baseline)]
    delta, score, original = (mean_interval(as_cube(scores, table), level) for table in tables)
    parts = list(tables[0].columns)
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
    table = pd.DataFrame(
        {name: values[order].ravel() for name, values in columns.items()},
        index=pd.MultiIndex.from_product([models, parts], names=["model", "part"]),
    )
    return Profiles(table, level, notes=scores.notes)


def _parts(table: pd.DataFrame, axes: Mapping[str, tuple[str, ...]]) -> pd.DataFrame:
    extended = with_axes(table, axes)
    others = {axis: members for axis, members in axes.items() if axis != LANGUAGE}
    if 0 < len(others) < len(axes):
        extended[TOTAL_WITHOUT_LANGUAGE] = with_axes(table, others)[TOTAL]
    return extended
