"""Rows of a source made rows of a dataset, and reranking from its parts."""

from __future__ import annotations

import copy

import pytest

from robustrank.errors import FormatError
from robustrank.evaluators.hteb.datasets.rows import prepare_rows, reranking_rows

PARTS = {
    "corpus": [{"_id": "d1", "text": "one"}, {"_id": "d2", "text": "two"}],
    "queries": [{"_id": "q1", "text": "first?"}],
    "qrels": [{"query-id": "q1", "corpus-id": "d2", "score": 1}],
    "top_ranked": [{"query-id": "q1", "corpus-ids": ["d1", "d2"]}],
}


def parts():
    return {
        part: prepare_rows(
            copy.deepcopy(rows), source=part, task_type="reranking", split="test", part=part
        )
        for part, rows in PARTS.items()
    }


def test_sources_are_left_as_they_are():
    rows = [{"text": "a", "title": None}]
    found = prepare_rows(rows, source="s", task_type="classification", split="dev", language="eng")
    assert found == [{"text": "a", "_hteb_split": "dev", "language": "eng"}]
    assert rows == [{"text": "a", "title": None}]


def test_a_blank_query_is_blank_not_nameless():
    found = prepare_rows(
        [{"_id": "q", "text": None}], source="s", task_type="retrieval", split="t", part="queries"
    )
    assert found[0]["text"] == ""


def test_a_document_needs_a_text():
    with pytest.raises(FormatError, match=r"c\.jsonl, row 2: corpus .*'document' or .* _id, body"):
        prepare_rows(
            [{"_id": "a", "text": "x"}, {"_id": "b", "body": "y"}],
            source="c.jsonl",
            task_type="retrieval",
            split="test",
            part="corpus",
        )


def test_reranking_rows():
    (row,) = reranking_rows("r", parts())
    assert row == {
        "_id": "q1",
        "query": "first?",
        "positive": ["two"],
        "negative": ["one"],
        "_hteb_split": "test",
    }


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("qrels", {"corpus-id": "d9"}, r"'r', qrels: 'd9' is not among the corpus"),
        ("qrels", {"query-id": "q9"}, r"'r', qrels: 'q9' is not among the queries"),
        ("top_ranked", {"query-id": "q9"}, r"'r', top_ranked: 'q9' is not among the queries"),
        ("top_ranked", {"corpus-ids": ["d9"]}, r"'r', top_ranked: 'd9' is not among the corpus"),
        ("top_ranked", {"corpus-ids": "d1"}, r"query 'q1' must have one list .*'corpus-ids'"),
    ],
)
def test_tables_must_fit_together(part, change, message):
    changed = parts()
    changed[part][0] |= change
    with pytest.raises(FormatError, match=message):
        reranking_rows("r", changed)


def test_every_query_has_one_list():
    changed = parts()
    changed["top_ranked"] *= 2
    with pytest.raises(FormatError, match=r"query 'q1' must have one list"):
        reranking_rows("r", changed)
    changed["top_ranked"] = []
    with pytest.raises(FormatError, match=r"query 'q1' has no list of candidates"):
        reranking_rows("r", changed)
