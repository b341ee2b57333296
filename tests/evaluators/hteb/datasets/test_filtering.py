"""What is left out on loading, and the report of it."""

from __future__ import annotations

import pytest

from robustrank.errors import FormatError
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.datasets.filtering import filter_rows
from robustrank.evaluators.hteb.records import PART
from tests.evaluators.hteb import examples


def with_rows(dataset, **parts):
    """The dataset with more rows of some parts."""
    for part, rows in parts.items():
        dataset.records.extend(row | {PART: part} for row in rows)
    return dataset


def test_queries_that_cannot_be_scored_go_with_their_judgements():
    dataset = with_rows(
        examples.retrieval(),
        queries=[
            {"_id": "blank", "text": " \n"},
            {"_id": "unjudged", "text": "Who?"},
            {"_id": "dangling", "text": "What?"},
        ],
        qrels=[
            {"query-id": "blank", "corpus-id": "d1", "score": 1},
            {"query-id": "dangling", "corpus-id": "d9", "score": 1},
            {"query-id": "dangling", "corpus-id": "d8", "score": 1},
            {"query-id": "dangling", "corpus-id": "d1", "score": 1},
        ],
    )
    filtered = filter_rows(dataset)
    assert filtered.filtering == {
        "version": 2,
        "task_type": "retrieval",
        "input_scope": "source_records",
        "counts_before": {"records": 15, "corpus": 3, "queries": 5, "qrels": 7},
        "counts_after": {"records": 8, "corpus": 3, "queries": 2, "qrels": 3},
        "excluded": [
            {
                "row_index": 8,
                "query_id": "blank",
                "reason": "empty_text",
                "missing_document_ids": [],
            },
            {
                "row_index": 9,
                "query_id": "unjudged",
                "reason": "no_judgments",
                "missing_document_ids": [],
            },
            {
                "row_index": 10,
                "query_id": "dangling",
                "reason": "missing_documents",
                "missing_document_ids": ["d8", "d9"],
            },
        ],
        "excluded_documents": [],
        "excluded_candidates": [],
    }
    assert filtered.records == examples.retrieval().records
    (note,) = filtered.notes
    assert note.code == "filtered-queries"
    assert "animals: 3 queries left out" in note.message
    assert "1 with a blank text" in note.message
    assert len(dataset.records) == 15  # untouched
    views.retrieval(filtered)


def test_reranking_needs_a_query_and_both_kinds_of_candidates():
    dataset = examples.of_type("reranking")
    unusable = [
        {"query": "q", "positive": [], "negative": ["n"]},
        {"query": "q", "positive": ["p"], "negative": []},
        {"query": ["", " "], "positive": ["p"], "negative": ["n"]},
    ]
    dataset.records.extend([*unusable, {"query": ["", "q"], "positive": [""], "negative": ["n"]}])
    filtered = filter_rows(dataset)
    assert filtered.filtering["excluded"] == [
        {"row_index": 2, "reason": "empty_candidates"},
        {"row_index": 3, "reason": "empty_candidates"},
        {"row_index": 4, "reason": "empty_text"},
    ]
    assert filtered.filtering["counts_after"] == {"records": 3}
    assert filtered.records == [*dataset.records[:2], dataset.records[5]]
    assert "1 with a blank text" in filtered.notes[0].message
    assert "2 with no relevant or no irrelevant candidate" in filtered.notes[0].message


def test_one_query_is_one_query():
    dataset = examples.of_type("reranking")
    dataset.records[0]["positive"] = []
    assert ": 1 query left out" in filter_rows(dataset).notes[0].message


@pytest.mark.parametrize("task_type", ["classification", "clustering", "sts", "summarisation"])
def test_other_task_types_keep_blank_texts(task_type):
    dataset = examples.of_type(task_type)
    filtered = filter_rows(dataset)
    assert filtered.records == dataset.records
    assert filtered.filtering["counts_before"] == {"records": len(dataset.records)}
    assert (filtered.filtering["excluded"], filtered.notes) == ([], ())


def test_a_dataset_without_any_usable_query_is_refused():
    dataset = examples.of_type("reranking")
    for row in dataset.records:
        row["negative"] = []
    with pytest.raises(FormatError, match=r"'example': no query can be scored; .*no irrelevant"):
        filter_rows(dataset)


def test_a_judgement_of_no_query_is_refused():
    dataset = with_rows(
        examples.retrieval(), qrels=[{"query-id": "q9", "corpus-id": "d1", "score": 1}]
    )
    with pytest.raises(
        FormatError, match=r"row 9 is a judgement for 'q9', .*not among the queries"
    ):
        filter_rows(dataset)
