"""What is left of a dataset to score when some of its texts could not be transformed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from robustrank.errors import InputError
from robustrank.evaluators.hteb.cells import aligned, entries, judgements, parallel_columns
from robustrank.evaluators.hteb.fields import ROW, text_columns, texts_in
from robustrank.evaluators.hteb.records import PART, SPLIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.records import Dataset


@dataclass(frozen=True)
class Survivors:
    """The rows and list items to keep, for any dataset with the same rows.

    Attributes
    ----------
    n_rows : int
        Rows of the dataset that they were found in.
    rows : mapping of int to mapping of str to tuple of int
        Row → column that is a list → positions; other columns are kept whole.
    """

    n_rows: int
    rows: Mapping[int, Mapping[str, tuple[int, ...]]]


def drop_incomplete(dataset: Dataset) -> Dataset:
    """Leave out what cannot be scored because a text is None.

    Pairs, classified texts and sentences of clusters go with their answers. A candidate goes alone;
    its query with all candidates once no positive or no negative one is left. A document takes its
    judgements with it, a query too, and a query without any relevant document left is left out. A
    summary goes with its score, and the article once it has no human or no machine summary.
    """
    return keep(dataset, find_survivors(dataset))


def matching_original(original: Dataset, transformed: Dataset) -> Dataset:
    """Return the part of the original dataset that `drop_incomplete` leaves of a transformed one.

    Scores of the two then differ by the texts alone, not by what is scored.
    """
    return keep(original, find_survivors(transformed))


def missing_part(dataset: Dataset) -> str | None:
    """Name a part without any row left, without which there is no score; None if all are there."""
    if dataset.task_type == "retrieval":
        left = {row[PART] for row in dataset.records}
        needed = {"corpus": "documents", "queries": "queries", "qrels": "judgements"}
    elif dataset.task_type == "classification":
        left = {row[SPLIT] for row in dataset.records}
        needed = {str(dataset.train_split): "training texts", str(dataset.eval_split): "test texts"}
    else:
        return None if dataset.records else "rows"
    return next((name for part, name in needed.items() if part not in left), None)


def find_survivors(dataset: Dataset) -> Survivors:
    """Find the rows and items of which every text is there."""
    find = {"retrieval": _retrieval, "reranking": _reranking, "summarisation": _summaries}
    return Survivors(len(dataset.records), find.get(dataset.task_type, _items)(dataset))


def keep(dataset: Dataset, survivors: Survivors) -> Dataset:
    """Return the rows and items of a dataset that survive, as copies."""
    if len(dataset.records) != survivors.n_rows:
        raise InputError(
            f"Dataset {dataset.name!r} has {len(dataset.records):,} rows, its transformed version "
            f"{survivors.n_rows:,}: they are not made from the same rows.",
            [dataset.name],
        )
    records = []
    for index, lists in survivors.rows.items():
        row = {ROW: index + 1, **dataset.records[index]}
        row.update({name: [row[name][at] for at in kept] for name, kept in lists.items()})
        records.append(row)
    return replace(dataset, records=records)


def _items(dataset: Dataset) -> dict[int, dict[str, tuple[int, ...]]]:
    """Find complete pairs, texts and sentences, whether a row holds one or lists of them."""
    rows: dict[int, dict[str, tuple[int, ...]]] = {}
    for index, row in enumerate(dataset.records):
        names = text_columns(dataset, index)
        if not isinstance(row[names[0]], list | tuple):
            if all(row[name] is not None for name in names):
                rows[index] = {}
            continue
        parallel = parallel_columns(dataset, index)
        kept = tuple(
            position
            for position, values in enumerate(aligned(dataset, index, parallel))
            if None not in values[: len(names)]
        )
        if kept:
            rows[index] = dict.fromkeys(parallel, kept)
    return rows


def _reranking(dataset: Dataset) -> dict[int, dict[str, tuple[int, ...]]]:
    rows: dict[int, dict[str, tuple[int, ...]]] = {}
    for index in range(len(dataset.records)):
        query, *candidates = text_columns(dataset, index)
        complete = all(text is not None for _, text in texts_in(dataset, index, query))
        kept = {name: _present(dataset, index, name) for name in candidates}
        if complete and all(kept.values()):
            rows[index] = kept
    return rows


def _summaries(dataset: Dataset) -> dict[int, dict[str, tuple[int, ...]]]:
    rows: dict[int, dict[str, tuple[int, ...]]] = {}
    for index in range(len(dataset.records)):
        human, machine = text_columns(dataset, index)
        people, machines = _present(dataset, index, human), _present(dataset, index, machine)
        if people and machines:
            rated = parallel_columns(dataset, index)
            rows[index] = {human: people, **dict.fromkeys(rated, machines)}
    return rows


def _retrieval(dataset: Dataset) -> dict[int, dict[str, tuple[int, ...]]]:
    complete = {
        entry: index
        for entry, index in entries(dataset).items()
        if all(dataset.records[index][name] is not None for name in text_columns(dataset, index))
    }
    judged = judgements(dataset)
    left = [
        judgement
        for judgement in judged
        if ("corpus", judgement.document) in complete and ("queries", judgement.query) in complete
    ]
    # A query that never had a relevant document is scored as it was, by its other judgements.
    answerable = {judgement.query for judgement in judged if judgement.relevance > 0}
    answered = {judgement.query for judgement in left if judgement.relevance > 0}
    scored = {judgement.query for judgement in left} - (answerable - answered)
    kept = {
        index
        for (part, identifier), index in complete.items()
        if part == "corpus" or identifier in scored
    }
    kept.update(judgement.row for judgement in left if judgement.query in scored)
    return {index: {} for index in sorted(kept)}


def _present(dataset: Dataset, index: int, column: str) -> tuple[int, ...]:
    texts = enumerate(texts_in(dataset, index, column))
    return tuple(position for position, (_, text) in texts if text is not None)
