"""Queries that cannot be scored are left out on loading, and what they were is recorded."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError
from robustrank.evaluators.hteb.cells import entries, judgements
from robustrank.evaluators.hteb.fields import text_columns, texts_in, where
from robustrank.evaluators.hteb.records import PART
from robustrank.notes import Note, count

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.records import Dataset

_Excluded = tuple[list[dict[str, Any]], set[int]]

_REASONS = {
    "empty_text": "a blank text",
    "no_judgments": "no judgement",
    "missing_documents": "judgements of documents that are not in the corpus",
    "empty_candidates": "no relevant or no irrelevant candidate",
}


def filter_rows(dataset: Dataset) -> Dataset:
    """Leave out queries that cannot be scored, as HTEB 1.1 does, and report them in its form.

    These are, in retrieval, blank queries and those without judgements or with judgements of
    documents that are missing, with all their judgements; in reranking, rows with a blank query or
    without positive or negative candidates. Documents are never left out.
    """
    find = {"retrieval": _unusable_queries, "reranking": _unusable_rows}.get(dataset.task_type)
    excluded, dropped = find(dataset) if find else ([], set[int]())
    rows = [row for index, row in enumerate(dataset.records) if index not in dropped]
    filtered = replace(dataset, records=rows)
    counts = _counts(filtered)
    if excluded and not counts.get("queries", counts["records"]):
        raise FormatError(
            f"Dataset {dataset.name!r}: no query can be scored; the first has "
            f"{_REASONS[excluded[0]['reason']]}.",
            [dataset.name],
        )
    report = {
        "version": 2,
        "task_type": dataset.task_type,
        "input_scope": "source_records",
        "counts_before": _counts(dataset),
        "counts_after": counts,
        "excluded": excluded,
        "excluded_documents": [],
        "excluded_candidates": [],
    }
    return replace(filtered, filtering=report, notes=(*dataset.notes, *_notes(dataset, excluded)))


def _unusable_queries(dataset: Dataset) -> _Excluded:
    rows = entries(dataset)
    judged = judgements(dataset)
    documents: dict[str, set[str]] = defaultdict(set)
    for judgement in judged:
        if ("queries", judgement.query) not in rows:
            raise FormatError(
                f"{where(dataset, judgement.row)} is a judgement for {judgement.query!r}, which is "
                "not among the queries. Add the query, or remove the judgement.",
                [dataset.name],
            )
        documents[judgement.query].add(judgement.document)
    excluded: list[dict[str, Any]] = []
    for (part, query), index in rows.items():
        if part != "queries":
            continue
        missing = sorted(name for name in documents[query] if ("corpus", name) not in rows)
        reason = "missing_documents" if missing else "" if documents[query] else "no_judgments"
        reason = "empty_text" if _blank(dataset, index) else reason
        if reason:
            fields = {"row_index": index, "query_id": query, "reason": reason}
            excluded.append(fields | {"missing_document_ids": missing})
    unusable = {item["query_id"] for item in excluded}
    dropped = {judgement.row for judgement in judged if judgement.query in unusable}
    return excluded, dropped | {item["row_index"] for item in excluded}


def _unusable_rows(dataset: Dataset) -> _Excluded:
    excluded: list[dict[str, Any]] = []
    for index, row in enumerate(dataset.records):
        _, *candidates = text_columns(dataset, index)
        reason = "" if all(row[name] for name in candidates) else "empty_candidates"
        reason = "empty_text" if _blank(dataset, index) else reason
        if reason:
            excluded.append({"row_index": index, "reason": reason})
    return excluded, {item["row_index"] for item in excluded}


def _blank(dataset: Dataset, index: int) -> bool:
    column = text_columns(dataset, index)[0]
    return not any(text and text.strip() for _, text in texts_in(dataset, index, column))


def _counts(dataset: Dataset) -> dict[str, int]:
    counts = {"records": len(dataset.records)}
    if dataset.task_type == "retrieval":
        parts = Counter(row[PART] for row in dataset.records)
        counts |= {part: parts[part] for part in ("corpus", "queries", "qrels")}
    return counts


def _notes(dataset: Dataset, excluded: list[dict[str, Any]]) -> tuple[Note, ...]:
    if not excluded:
        return ()
    numbers = Counter(item["reason"] for item in excluded)
    reasons = ", ".join(f"{number:,} with {_REASONS[code]}" for code, number in numbers.items())
    number = count(len(excluded), "query").replace("querys", "queries")
    sentence = f"{dataset.name}: {number} left out that cannot be scored: {reasons}."
    return (Note("filtered-queries", sentence, (dataset.name,)),)
