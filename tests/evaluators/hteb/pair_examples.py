"""Small datasets of every kind, with a transformation, for tests of HTEB's files."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from robustrank.evaluators.hteb.records import PART, SPLIT, Dataset

if TYPE_CHECKING:
    from collections.abc import Callable

GENERATOR = "cyankiwi/gemma-4-31B-it-AWQ-4bit"
TIME = "2026-09-15T11:32:54Z"


def _dataset(task_type: str, records: list[dict[str, Any]], **facts: Any) -> Dataset:
    rows = [{SPLIT: "test", **record} for record in records]
    return Dataset(f"my-{task_type}", task_type, rows, eval_split="test", **facts)


CLASSIFICATION = _dataset(
    "classification",
    [
        {"text": "Where is my card?", "label": 3, "note": None},
        {"text": " \t", "label": 1, "note": None},
        {"text": "Привет 😀 مرحبا", "label": 0, "note": None},
    ],
    languages=("eng",),
    revision="18072d2685ea682290f7b8924d94c62acc19c0b2",
)
STS = _dataset("sts", [{"sentence1": "a", "sentence2": "b", "score": 2.5, "language": "eng-deu"}])
CLUSTERING = _dataset(
    "clustering",
    [{"sentences": ["one", "two"], "labels": ["x", "y"]}, {"sentences": [], "labels": []}],
    clustering_format="nested",
)
RERANKING = _dataset(
    "reranking",
    [
        {"query": "q", "positive": ["p"], "negative": ["n", "m"]},
        {"query": "r", "positive": ["s", "t"], "negative": ["u"]},
    ],
)
RETRIEVAL = Dataset(
    "my-retrieval",
    "retrieval",
    [
        {SPLIT: "test", PART: "corpus", "id": "d1", "title": "", "text": "A document."},
        {SPLIT: "test", PART: "corpus", "id": "d2", "title": "Title", "text": "Another."},
        {SPLIT: "test", PART: "queries", "id": "q1", "text": "A question?"},
        {SPLIT: "test", PART: "qrels", "query-id": "q1", "corpus-id": "d2", "score": 1},
    ],
    eval_split="test",
    filtering={
        "version": 2,
        "task_type": "retrieval",
        "input_scope": "source_records",
        "counts_before": {"queries": 2},
        "counts_after": {"queries": 1},
        "excluded": [{"id": "q2", "reason": "no judgments"}],
        "excluded_documents": [],
        "excluded_candidates": [],
    },
)
ALL = [CLASSIFICATION, STS, CLUSTERING, RERANKING, RETRIEVAL]
TEXTS = {
    "text", "title", "sentence1", "sentence2", "sentences", "query", "positive", "negative"
}  # fmt: skip


def transform(dataset: Dataset, change: Callable[[str], str | None] = str.upper) -> Dataset:
    """Change every text that is not blank."""

    def changed(value: Any) -> Any:
        if isinstance(value, list):
            return [changed(each) for each in value]
        return change(value) if value.strip() else value

    records = copy.deepcopy(dataset.records)
    for record in records:
        for name in TEXTS & record.keys():
            record[name] = changed(record[name])
    return Dataset(**{**vars(dataset), "records": records})


def statistics(**changes: Any) -> dict[str, Any]:
    counts = dict.fromkeys(
        [
            "records_with_fallback",
            "text_fields_with_fallback",
            "unchanged_outputs",
            "retried_text_fields",
            "recovered_after_retry_text_fields",
        ],
        0,
    )
    totals = {"records_total": 9, "records_targeted": 8, "text_fields_total": 20}
    return {**totals, **counts, "fallback_reasons": {}, **changes}


def settings(dataset: Dataset, **changes: Any) -> dict[str, Any]:
    """What `write_pair` needs besides the folder."""
    ranked = dataset.task_type in {"retrieval", "reranking"}
    return {
        "original": dataset,
        "transformed": transform(dataset),
        "transformation": "translation",
        "seed": 1337,
        "generator_model": GENERATOR,
        "generation_datetime": TIME,
        "max_model_length": 4096,
        "max_tokens": 512,
        "max_retries": 3,
        "generation_statistics": statistics(),
        "provenance": {"prompts": {"translation": "Translate."}, "robustrank": "0.1.0"},
        "transform_corpus": True if ranked else None,
        **changes,
    }
