"""Names of columns that mean the same, in every kind of table."""

from __future__ import annotations

import re

# Aliases in order of preference, as `column_key` writes them.
MODEL = ("model_name", "model", "model_id", "system_name", "system", "embedding_model")
DATASET = (
    "task_name",
    "task",
    "dataset_name",
    "dataset",
    "data_set",
    "benchmark_name",
    "benchmark",
)
SCORE = ("main_score", "score", "scores", "value", "result")
SPLIT = ("split", "eval_split")
SUBSET = ("subset", "hf_subset", "languages", "language", "lang")
# What tells the instances of a dataset apart, where a table holds a score for each.
INSTANCE = (
    "instance_id",
    "instance",
    "query_id",
    "qid",
    "query",
    "question_id",
    "sample_id",
    "sample",
    "item_id",
    "item",
    "example_id",
    "example",
    "id",
    "idx",
)


def column_key(name: object) -> str:
    """Return a column's name as the tables here write it: ``"Mean (Task)"`` is ``mean_task``.

    Letters of any script count.
    """
    return re.sub(r"[\W_]+", "_", str(name).casefold()).strip("_")
