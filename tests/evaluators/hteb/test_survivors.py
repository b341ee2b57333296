"""What is left to score when texts failed, and the same of the original."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustrank.errors import InputError
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.fields import find_slots, text_columns, texts_in, with_texts
from robustrank.evaluators.hteb.records import PART, TASK_TYPES
from robustrank.evaluators.hteb.survivors import drop_incomplete, matching_original
from tests.evaluators.hteb import examples


def failing(dataset, *texts):
    """The dataset in capitals, with the texts named failed."""
    slots = find_slots(dataset)
    assert set(texts) <= {slot.text for slot in slots}
    return with_texts(dataset, [None if s.text in texts else s.text.upper() for s in slots])


def rest(dataset, *texts):
    return drop_incomplete(failing(dataset, *texts))


def test_nothing_is_dropped_where_nothing_failed():
    for task_type in TASK_TYPES:
        dataset = examples.of_type(task_type)
        left = [
            {key: value for key, value in row.items() if key != "_hteb_row"}
            for row in drop_incomplete(dataset).records
        ]
        assert left == dataset.records


def test_a_pair_goes_with_either_side():
    left = views.pairs(rest(examples.of_type("sts"), "No."))
    assert (left.left, left.right, left.ids) == (("A MAN EATS.",), ("SOMEONE EATS.",), ("1",))
    assert left.gold.tolist() == [4.5]


def test_a_text_goes_with_its_class():
    left = views.labelled_texts(rest(examples.of_type("classification"), "Send money abroad"))
    assert (left.labels, left.is_train, left.ids) == (("card", "card"), (True, False), ("1", "3"))


def test_a_sentence_goes_with_its_label():
    first, second = views.clusters(rest(examples.of_type("clustering"), "match"))
    assert (first.texts, first.labels) == (("GOAL", "VOTE"), ("sport", "news"))
    assert second.texts == ("LAW", "RACE")


def test_a_group_without_sentences_goes():
    (left,) = views.clusters(rest(examples.of_type("clustering"), "goal", "match", "vote"))
    assert (left.texts, left.id) == (("LAW", "RACE"), "2")


@pytest.mark.parametrize(
    ("failed", "ids", "negatives"),
    [
        (["Sound"], ["1", "2"], ("DISK",)),  # a candidate
        (["Sound", "x"], ["1"], ("DISK",)),  # the last negative of the other row
        (["Wireless"], ["2"], ("X",)),  # the only positive
        (["drive"], ["1"], ("SOUND", "DISK")),  # one phrasing of a query
    ],
)
def test_candidates_go_alone_until_a_side_is_empty(failed, ids, negatives):
    left = views.rerankings(rest(examples.of_type("reranking"), *failed))
    assert [record.id for record in left] == ids
    assert left[0].negatives == negatives


@pytest.mark.parametrize(
    ("failed", "documents", "judgements"),
    [
        ("Frogs", ["d2", "d3"], {"q2": {"d2": 2}}),  # q1 keeps a judgement, but none above 0
        ("Owls hunt at night.", ["d1", "d3"], {"q1": {"d1": 1}}),
        ("Trains run on rails.", ["d1", "d2"], {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 2}}),
        ("owl hunting", ["d1", "d2", "d3"], {"q1": {"d1": 1, "d2": 0}}),
    ],
)
def test_documents_go_with_judgements_and_queries_without_any(failed, documents, judgements):
    left = views.retrieval(rest(examples.retrieval(), failed))
    assert list(left.document_ids) == documents
    assert left.judgements == judgements
    assert list(left.query_ids) == list(judgements)


def test_a_query_that_never_had_a_relevant_document_stays():
    dataset = examples.retrieval()
    dataset.records[5]["score"] = 0  # q1, d1
    assert views.retrieval(rest(dataset, "Frogs")).judgements["q1"] == {"d2": 0}


def test_a_summary_goes_with_its_score():
    first, second = views.summaries(rest(examples.of_type("summarisation"), "Short.", "Sum two."))
    assert (first.human, first.machine) == (("BRIEF.",), ("SUM ONE.", "SUM THREE."))
    assert (first.scores, second.id) == ((1.0, 2.0), "2")


@pytest.mark.parametrize("failed", [["Short.", "Brief."], ["Sum one.", "Sum two.", "Sum three."]])
def test_an_article_without_a_human_or_a_machine_summary_goes(failed):
    (left,) = views.summaries(rest(examples.of_type("summarisation"), *failed))
    assert (left.human, left.id) == (("H.",), "2")


def test_originals_of_other_rows_are_refused():
    dataset = examples.pairs("eng", "eng", "eng")
    with pytest.raises(InputError, match=r"'example' has 2 rows, its transformed version 3"):
        matching_original(examples.of_type("sts"), dataset)


VIEWS = {
    "classification": views.labelled_texts,
    "clustering": views.clusters,
    "pair_classification": views.pairs,
    "sts": views.pairs,
    "str": views.pairs,
    "reranking": views.rerankings,
    "retrieval": views.retrieval,
    "summarisation": views.summaries,
}


def answers(dataset):
    """Everything of a dataset but its texts."""
    rows = copy.deepcopy(dataset.records)
    for index, row in enumerate(rows):
        for column in text_columns(dataset, index):
            row[column] = len(row[column]) if isinstance(row[column], list) else None
    return rows


@pytest.mark.parametrize("task_type", TASK_TYPES)
@settings(max_examples=15)
@given(data=st.data())
def test_both_versions_are_scored_on_the_same_items(task_type, data):
    dataset = data.draw(examples.datasets(task_type))
    slots = find_slots(dataset)
    failed = data.draw(st.sets(st.sampled_from(range(len(slots))))) if slots else set()
    transformed = with_texts(
        dataset, [None if s.ordinal in failed else f"{s.ordinal}: {s.text}" for s in slots]
    )
    left, original = drop_incomplete(transformed), matching_original(dataset, transformed)
    assert answers(left) == answers(original)
    old = [text for index in range(len(original.records)) for text in row_texts(original, index)]
    new = [text for index in range(len(left.records)) for text in row_texts(left, index)]
    assert None not in new
    assert [text.partition(": ")[2] if text.strip() else text for text in new] == old
    if task_type != "classification" or {"train", "test"} <= {
        row["_hteb_split"] for row in left.records
    }:
        VIEWS[task_type](left)  # can be read for scoring


def row_texts(dataset, index):
    for column in text_columns(dataset, index):
        yield from (text for _, text in texts_in(dataset, index, column))


@settings(max_examples=25)
@given(data=st.data())
def test_no_complete_pair_and_no_whole_document_is_lost(data):
    dataset = data.draw(examples.datasets("retrieval"))
    slots = find_slots(dataset)
    failed = data.draw(st.sets(st.sampled_from(range(len(slots))))) if slots else set()
    left = drop_incomplete(
        with_texts(dataset, [None if s.ordinal in failed else s.text for s in slots])
    )
    hit = {slot.record for slot in slots if slot.ordinal in failed}
    whole = [
        row["_id"]
        for index, row in enumerate(dataset.records)
        if row[PART] == "corpus" and index not in hit
    ]
    assert [row["_id"] for row in left.records if row[PART] == "corpus"] == whole
