"""What a dataset says, by task type: the only place that knows how its columns may be named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb.cells import (
    CLUSTER,
    LABEL,
    SCORE,
    Label,
    aligned,
    entries,
    find_column,
    judgements,
    label_of,
    number_of,
    score_column,
    text_of,
    texts_of,
)
from robustrank.evaluators.hteb.fields import instance_id, record_label, text_columns, where
from robustrank.evaluators.hteb.records import SPLIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank.evaluators.hteb.records import Dataset


@dataclass(frozen=True, eq=False)
class Pairs:
    """Sentence pairs.

    Attributes
    ----------
    left, right : tuple of str
    gold : ndarray of float, shape (n,)
        The similarity that people gave, or 0 and 1.
    subsets : tuple of str or None
        The label of the language of each pair.
    ids : tuple of str
        Here and below, the number of the row, with that of the item where rows hold lists.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    gold: NDArray[np.float64]
    subsets: tuple[str | None, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True)
class LabelledTexts:
    """Texts and their classes.

    Attributes
    ----------
    texts : tuple of str
    labels : tuple of str, int or float
    is_train : tuple of bool
        Whether the text is one to learn from; the others are those that are scored.
    subsets : tuple of str or None
    ids : tuple of str
    """

    texts: tuple[str, ...]
    labels: tuple[Label, ...]
    is_train: tuple[bool, ...]
    subsets: tuple[str | None, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Cluster:
    """One clustering problem: texts and the cluster that each belongs to.

    Attributes
    ----------
    texts : tuple of str
    labels : tuple of str, int or float
    subset : str or None
    id : str
    """

    texts: tuple[str, ...]
    labels: tuple[Label, ...]
    subset: str | None
    id: str


@dataclass(frozen=True)
class Reranking:
    """A query, in one or several phrasings, and its candidates.

    Attributes
    ----------
    queries, positives, negatives : tuple of str
    subset : str or None
    id : str
    """

    queries: tuple[str, ...]
    positives: tuple[str, ...]
    negatives: tuple[str, ...]
    subset: str | None
    id: str


@dataclass(frozen=True)
class Retrieval:
    """Documents, queries and what is relevant to them.

    Attributes
    ----------
    document_ids, documents : tuple of str
        In the order of the rows; title and text of a document are joined by a space.
    query_ids, queries : tuple of str
    judgements : dict of str to dict of str to int
        Query → document → relevance.
    subsets : tuple of str or None
        The label of the language of each query.
    ignore_identical_ids : bool
    """

    document_ids: tuple[str, ...]
    documents: tuple[str, ...]
    query_ids: tuple[str, ...]
    queries: tuple[str, ...]
    judgements: dict[str, dict[str, int]]
    subsets: tuple[str | None, ...]
    ignore_identical_ids: bool


@dataclass(frozen=True)
class Summaries:
    """The summaries of one article: by people, by machines, and how good the latter are.

    Attributes
    ----------
    human, machine : tuple of str
    scores : tuple of float
        One for each machine summary.
    subset : str or None
    id : str
    """

    human: tuple[str, ...]
    machine: tuple[str, ...]
    scores: tuple[float, ...]
    subset: str | None
    id: str


def pairs(dataset: Dataset) -> Pairs:
    """Return the pairs of a dataset for pair classification, similarity or relatedness."""
    aliases = LABEL if dataset.task_type == "pair_classification" else SCORE
    left, right, gold, subsets, ids = [], [], [], [], []
    for index, row in enumerate(dataset.records):
        columns = text_columns(dataset, index)
        answers = find_column(dataset, index, aliases)
        number, listed = instance_id(dataset, index), isinstance(row[answers], list | tuple)
        items = aligned(dataset, index, (*columns, answers))
        for position, (one, other, answer) in enumerate(items, 1):
            left.append(text_of(dataset, index, columns[0], one))
            right.append(text_of(dataset, index, columns[1], other))
            gold.append(number_of(dataset, index, answers, answer))
            subsets.append(record_label(dataset, row))
            ids.append(f"{number}/{position}" if listed else number)
    if dataset.task_type == "pair_classification" and not set(gold) <= {0.0, 1.0}:
        strange = next(value for value in gold if value not in {0.0, 1.0})
        raise FormatError(
            f"Dataset {dataset.name!r}: labels of pairs must be 0 or 1; got {strange:g}. Map "
            "classes such as entailment to 1 and the others to 0.",
            [dataset.name],
        )
    values = np.asarray(gold, dtype=np.float64)
    return Pairs(tuple(left), tuple(right), values, tuple(subsets), tuple(ids))


def labelled_texts(dataset: Dataset) -> LabelledTexts:
    """Return the texts and classes of the train and the eval split of a classification dataset."""
    splits = (dataset.train_split, dataset.eval_split)
    found = [row.get(SPLIT) for row in dataset.records]
    for split in splits:
        if split is None or split not in found:
            raise InputError(
                f"Dataset {dataset.name!r} has no rows of the split {split!r}; its splits: "
                f"{', '.join(sorted({str(name) for name in found})) or 'none'}.",
                [dataset.name],
            )
    rows = [index for index, split in enumerate(found) if split in splits]
    texts, labels = [], []
    for index in rows:
        (column,) = text_columns(dataset, index)
        answers = find_column(dataset, index, LABEL)
        texts.append(text_of(dataset, index, column, dataset.records[index][column]))
        labels.append(label_of(dataset, index, answers, dataset.records[index][answers]))
    return LabelledTexts(
        tuple(texts),
        tuple(labels),
        tuple(found[index] == dataset.train_split for index in rows),
        tuple(record_label(dataset, dataset.records[index]) for index in rows),
        tuple(instance_id(dataset, index) for index in rows),
    )


def clusters(dataset: Dataset) -> list[Cluster]:
    """Return the problems of a clustering dataset.

    They are its rows where these hold lists, its languages where the format is
    ``"per_language"``, and otherwise the whole dataset.
    """
    members: dict[str, list[tuple[str, Label, str | None]]] = {}
    for index, row in enumerate(dataset.records):
        subset = record_label(dataset, row)
        (column,) = text_columns(dataset, index)
        listed = "nested" if isinstance(row[column], list | tuple) else "flat"
        keys = {"nested": instance_id(dataset, index), "per_language": str(subset), "flat": "all"}
        key = keys[dataset.clustering_format or listed]
        answers = find_column(dataset, index, CLUSTER)
        for text, answer in aligned(dataset, index, (column, answers)):
            member = text_of(dataset, index, column, text)
            label = label_of(dataset, index, answers, answer)
            members.setdefault(key, []).append((member, label, subset))
    found = []
    for key, group in members.items():
        texts, labels, subsets = zip(*group, strict=True)
        found.append(Cluster(texts, labels, subsets[0] if len(set(subsets)) == 1 else None, key))
    return found


def rerankings(dataset: Dataset) -> list[Reranking]:
    """Return the queries of a reranking dataset with their candidates."""
    found = []
    for index, row in enumerate(dataset.records):
        queries, positives, negatives = (
            texts_of(dataset, index, column) for column in text_columns(dataset, index)
        )
        label, number = record_label(dataset, row), instance_id(dataset, index)
        found.append(Reranking(queries, positives, negatives, label, number))
    return found


def retrieval(dataset: Dataset) -> Retrieval:
    """Return corpus, queries and judgements of a retrieval dataset."""
    texts: dict[str, dict[str, str]] = {"corpus": {}, "queries": {}}
    subsets = []
    for (part, identifier), index in entries(dataset).items():
        row = dataset.records[index]
        parts = [text_of(dataset, index, name, row[name]) for name in text_columns(dataset, index)]
        texts[part][identifier] = (
            parts[0] if len(parts) == 1 else " ".join(t.strip() for t in parts if t.strip())
        )
        if part == "queries":
            subsets.append(record_label(dataset, row))
    judged: dict[str, dict[str, int]] = {}
    for judgement in judgements(dataset):
        for part, identifier in (("corpus", judgement.document), ("queries", judgement.query)):
            if identifier not in texts[part]:
                raise FormatError(
                    f"{where(dataset, judgement.row)} judges {identifier!r}, which is not among "
                    f"the {part}. Add it there, or remove the judgement.",
                    [dataset.name],
                )
        judged.setdefault(judgement.query, {})[judgement.document] = judgement.relevance
    documents, queries = texts["corpus"], texts["queries"]
    return Retrieval(
        tuple(documents),
        tuple(documents.values()),
        tuple(queries),
        tuple(queries.values()),
        judged,
        tuple(subsets),
        dataset.ignore_identical_ids,
    )


def summaries(dataset: Dataset) -> list[Summaries]:
    """Return the articles of a summarisation dataset."""
    found = []
    for index, row in enumerate(dataset.records):
        human, machine = text_columns(dataset, index)
        score = score_column(dataset, index)
        rated = list(aligned(dataset, index, (machine, score)))
        found.append(
            Summaries(
                texts_of(dataset, index, human),
                tuple(text_of(dataset, index, machine, text) for text, _ in rated),
                tuple(number_of(dataset, index, score, value) for _, value in rated),
                record_label(dataset, row),
                instance_id(dataset, index),
            )
        )
    return found
