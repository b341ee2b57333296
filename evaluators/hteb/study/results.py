"""The scores of a study as tables: one row per score, and a matrix of models × datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank.evaluators.hteb.records import MTEB_TYPES
from robustrank.evaluators.hteb.statistics.totals import total_scores
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES
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


def to_matrix(table: pd.DataFrame, notes: Sequence[Note] = ()) -> ScoreMatrix:
    """Return the matrix of `total_scores` with the task types, and notes on what it leaves out."""
    scores = total_scores(table)
    types = table.drop_duplicates("dataset").set_index("dataset")["task_type"]
    datasets = pd.DataFrame({"task_type": types.map(MTEB_TYPES)}).reindex(scores.columns)
    missing = [
        f"{model} on {dataset}"
        for dataset in scores.columns
        for model in scores.index[scores[dataset].isna()]
    ]
    if missing:
        sentence = (
            f"There is no total for {name_some(missing)}: a score that belongs to it is undefined."
        )
        notes = [*notes, Note("undefined-scores", sentence, tuple(missing))]
    return ScoreMatrix(scores, datasets=datasets, notes=notes)
