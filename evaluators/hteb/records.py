"""A benchmark dataset in memory: its rows, and what its task type is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.notes import Note

TaskType = Literal[
    "classification",
    "clustering",
    "pair_classification",
    "sts",
    "str",
    "reranking",
    "retrieval",
    "summarisation",
]

TASK_TYPES: tuple[TaskType, ...] = get_args(TaskType)

#: What MTEB calls them, and with it prompts of models and the rest of this package.
MTEB_TYPES: dict[TaskType, str] = {
    "classification": "Classification",
    "clustering": "Clustering",
    "pair_classification": "PairClassification",
    "sts": "STS",
    "str": "STS",
    "reranking": "Reranking",
    "retrieval": "Retrieval",
    "summarisation": "Summarization",
}

#: The columns that say which split and, for retrieval, which part a row belongs to.
SPLIT, PART = "_hteb_split", "_hteb_part"


@dataclass(frozen=True, eq=False)
class Dataset:
    """A dataset of one task type.

    Attributes
    ----------
    name : str
    task_type : str
        One of `TASK_TYPES`; ``"str"`` is semantic textual relatedness.
    records : list of dict
        The rows in the order in which they were loaded, with the columns of the source and the
        columns `SPLIT` and, for retrieval, `PART` (``"corpus"``, ``"queries"`` or ``"qrels"``). A
        text that could not be transformed is None.
    languages : tuple of str
        The labels of the definition: configurations where it lists them, else languages.
    revision : str or None
        The commit of the source.
    eval_split, train_split : str or None
    clustering_format : {"flat", "nested", "per_language"} or None
    summary_fields : mapping
        The columns of human summaries, machine summaries and their scores, under the keys
        ``"human"``, ``"machine"`` and ``"score"``; only for summarisation.
    ignore_identical_ids : bool
        Whether a document with the id of the query is left out of its results; only for retrieval.
    filtering : mapping or None
        What was filtered out on loading, in the form of HTEB 1.1's ``data_filtering``.
    notes : tuple of Note
    """

    name: str
    task_type: TaskType
    records: list[dict[str, Any]]
    languages: tuple[str, ...] = ()
    revision: str | None = None
    eval_split: str | None = None
    train_split: str | None = None
    clustering_format: Literal["flat", "nested", "per_language"] | None = None
    summary_fields: Mapping[str, str] = field(default_factory=dict)
    ignore_identical_ids: bool = False
    filtering: Mapping[str, Any] | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Slot:
    """One text of a dataset that is transformed.

    Attributes
    ----------
    ordinal : int
        Its number among all texts of the dataset that are not blank, in the order of `find_slots`.
    record : int
        The row.
    column : str
    position : tuple of int
        The place within a list of texts, or lists of these; empty for a column that is a text.
    text : str
    record_label, field_label : str or None
        The label of the language of the row, such as ``"eng"`` or ``"en-de"``, and that of this
        text: one side of a two-part label.
    """

    ordinal: int
    record: int
    column: str
    position: tuple[int, ...]
    text: str
    record_label: str | None
    field_label: str | None
