"""The scores of a study as tables: one row per score, and a matrix of models × datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank.errors import EmptyMatrixError, unknown_label
from robustrank.evaluators.hteb.records import MTEB_TYPES
from robustrank.evaluators.hteb.study.evaluating import ORIGINAL
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: The columns of the long table, in order.
COLUMNS = (
    "model",
    "dataset",
    "task_type",
    "axis",
    "transformation",
    "seed_transform",
    "seed_evaluation",
    "protocol",
    "metric",
    "score",
    "original",
    "n",
    "score_with_fallbacks",
    "score_without_fallbacks",
    "original_with_fallbacks",
    "original_without_fallbacks",
    "n_texts",
    "fallback_rate",
    "unchanged_rate",
    "error_rate",
    *(f"{error}_rate" for error in ERROR_TYPES),
    "languages",
)


def to_table(rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Return the long table of some rows; see `COLUMNS`."""
    table = pd.DataFrame(list(rows), columns=list(COLUMNS))
    table["seed_transform"] = table["seed_transform"].astype("Int64")
    numbers = [name for name in COLUMNS if name.startswith(("score", "original"))]
    return table.astype(dict.fromkeys(numbers, "float64"))


def total_scores(table: pd.DataFrame, value: str = "total") -> pd.DataFrame:
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
    present = set(table["transformation"])
    axes = {axis: [name for name in members if name in present] for axis, members in AXES.items()}
    if value == "total":
        groups = [members for members in axes.values() if members]
    elif value in AXES:
        groups = [axes[value]]
    elif value == ORIGINAL or value in TRANSFORMATIONS:
        groups = [[value]]
    else:
        known = ["total", ORIGINAL, *AXES, *TRANSFORMATIONS]
        raise unknown_label("value", value, known)
    if not any(name in present for members in groups for name in members):
        raise EmptyMatrixError(f"There are no scores for {value!r}; generate and score it first.")
    means = table.groupby(["model", "dataset", "transformation"], sort=False)["score"].agg(_mean)
    by_name = means.unstack("transformation")  # noqa: PD010 - of a series
    total = pd.concat(
        [by_name[members].mean(axis="columns", skipna=False) for members in groups],
        axis="columns",
    ).mean(axis="columns", skipna=False)
    models, datasets = (list(dict.fromkeys(table[name])) for name in ("model", "dataset"))
    by_dataset = total.unstack("dataset")  # noqa: PD010 - of a series
    return by_dataset.reindex(index=models, columns=datasets)


def to_matrix(table: pd.DataFrame, notes: Sequence[Note] = (), value: str = "total") -> ScoreMatrix:
    """Return the matrix of `total_scores` with the task types, and notes on what it leaves out."""
    scores = total_scores(table, value)
    types = table.drop_duplicates("dataset").set_index("dataset")["task_type"]
    datasets = pd.DataFrame({"task_type": types.map(MTEB_TYPES)}).reindex(scores.columns)
    missing = [
        f"{model} on {dataset}"
        for dataset in scores.columns
        for model in scores.index[scores[dataset].isna()]
    ]
    if missing:
        sentence = (
            f"There is no {value} for {name_some(missing)}: a score that belongs to it is "
            "undefined."
        )
        notes = [*notes, Note("undefined-scores", sentence, tuple(missing))]
    return ScoreMatrix(scores, datasets=datasets, notes=notes)


def _mean(scores: pd.Series) -> float:
    return float(scores.mean(skipna=False))
