"""HTEB totals: means over runs, then over transformations, then over axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.errors import EmptyMatrixError, unknown_label
from robustrank.evaluators.hteb.statistics.scores import TOTAL, mean_of_runs, with_axes
from robustrank.evaluators.hteb.texts.transformations import AXES, ORIGINAL, TRANSFORMATIONS

if TYPE_CHECKING:
    import pandas as pd


def total_scores(table: pd.DataFrame, value: str = TOTAL) -> pd.DataFrame:
    """Return models × datasets.

    Parameters
    ----------
    table : DataFrame
        A long table.
    value : str
        ``"total"``: the mean over the axes of the means over their transformations, every axis
        with the same weight. ``"original"``: the texts as they are. Or an axis or a transformation.
        Each is first averaged over seeds.

    Returns
    -------
    DataFrame
        NaN where a score that belongs to the mean is missing: a mean over fewer would not be
        comparable.
    """
    known = [TOTAL, ORIGINAL, *AXES, *TRANSFORMATIONS]
    if value not in known:
        raise unknown_label("value", value, known)
    means = mean_of_runs(table, ["model", "dataset", "transformation"], ["score"])
    by_name = means["score"].unstack("transformation")  # noqa: PD010 - of a series
    there = {axis: tuple(n for n in names if n in by_name) for axis, names in AXES.items()}
    axes = {axis: names for axis, names in there.items() if names}
    parts = with_axes(by_name, axes)
    if value not in parts or not (axes or value == ORIGINAL):
        raise EmptyMatrixError(f"There are no scores for {value!r}; generate and score it first.")
    models, datasets = (list(dict.fromkeys(table[name])) for name in ("model", "dataset"))
    by_dataset = parts[value].unstack("dataset")  # noqa: PD010 - of a series
    return by_dataset.reindex(index=models, columns=datasets)
