"""Which texts a dataset has, in which order, and how they are put back."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb.fields import find_slots, text_columns, with_texts, without_nulls
from robustrank.evaluators.hteb.records import PART, TASK_TYPES, Dataset
from tests.evaluators.hteb import examples


def texts(dataset, **options):
    return [slot.text for slot in find_slots(dataset, **options)]


ORDERS = {
    "classification": ["Where is my card?", "Send money abroad", "My card is lost"],
    "clustering": ["goal", "match", "vote", "law", "race"],
    "pair_classification": ["A man eats.", "A man eats.", "Someone eats.", "No."],
    "sts": ["A man eats.", "A man eats.", "Someone eats.", "No."],
    "str": ["A man eats.", "A man eats.", "Someone eats.", "No."],
    "reranking": ["wifi?", "Wireless", "Sound", "Disk", "disk", "drive", "Disk", "SSD", "x"],
    "retrieval": [
        *("Frogs", "They live in ponds.", "Owls hunt at night.", "Trains run on rails."),
        *("Where do frogs live?", "owl hunting"),
    ],
    "summarisation": ["Short.", "Brief.", "Sum one.", "Sum two.", "Sum three.", "H.", "M."],
}


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_texts_are_numbered_in_the_order_of_the_released_tool(task_type):
    slots = find_slots(examples.of_type(task_type))
    assert [slot.text for slot in slots] == ORDERS[task_type]
    assert [slot.ordinal for slot in slots] == list(range(len(slots)))


def test_only_queries_are_transformed_without_the_corpus():
    queries = ["Where do frogs live?", "owl hunting"]
    assert texts(examples.of_type("retrieval"), corpus=False) == queries
    assert texts(examples.of_type("reranking"), corpus=False) == ["wifi?", "disk", "drive"]
    assert texts(examples.of_type("sts"), corpus=False) == ORDERS["sts"]  # has no corpus to skip


def test_blank_texts_have_no_number():
    rows = [{"sentence1": " \n", "sentence2": "b", "score": 1}] * 2
    dataset = Dataset("blank", "sts", [*rows, {"sentence1": "c", "sentence2": "", "score": 0}])
    found = [(slot.ordinal, slot.record, slot.column) for slot in find_slots(dataset)]
    assert found == [(0, 2, "sentence1"), (1, 0, "sentence2"), (2, 1, "sentence2")]


def test_a_document_is_one_text_and_title_and_body_are_two():
    dataset = examples.retrieval()
    dataset.records[0]["document"] = "Frogs live in ponds."
    first, second, *_ = find_slots(dataset)
    assert (first.column, first.text) == ("document", "Frogs live in ponds.")
    assert (second.record, second.column) == (1, "text")  # its title is blank


@pytest.mark.parametrize(
    ("label", "languages", "expected"),
    [
        ("en-de", (), [("en-de", "en"), ("en-de", "de")]),
        ("eng_ben", (), [("eng_ben", "eng"), ("eng_ben", "ben")]),
        ("ar/ar", (), [("ar/ar", "ar"), ("ar/ar", "ar")]),
        ("eng", ("fra",), [("eng", "eng"), ("eng", "eng")]),
        ("eng-Latn", (), [("eng-Latn", "eng-Latn"), ("eng-Latn", "eng-Latn")]),
        (" ", ("fra",), [("fra", "fra"), ("fra", "fra")]),
        (None, ("fra",), [("fra", "fra"), ("fra", "fra")]),
        (None, ("fra", "deu"), [(None, None), (None, None)]),
    ],
)
def test_labels_of_row_and_side(label, languages, expected):
    dataset = examples.pairs(label, languages=languages)
    found = [(slot.record_label, slot.field_label) for slot in find_slots(dataset)]
    assert found == expected


def test_the_first_column_that_names_a_language_counts():
    dataset = examples.of_type("reranking")
    dataset.records[0] |= {"languages": "spa", "lang": "fra"}
    dataset.records[1] |= {"languages": ["spa"], "lang": ""}
    labels = {slot.record: slot.field_label for slot in find_slots(dataset)}
    assert labels == {0: "fra", 1: "eng"}


def test_a_number_is_not_the_text_of_a_classified_row():
    row = {"text": 3, "title": "Refund", "label": 0}
    dataset = Dataset("odd", "classification", [row])
    assert text_columns(dataset, 0) == ("title",)


def test_a_row_without_text_is_named_with_what_it_has():
    dataset = examples.of_type("sts")
    dataset.records[1] = {"premise": "a", "sentence2": "b", "score": 1}
    with pytest.raises(FormatError, match=r"'example', row 2 .*'sentence1' or 'sent1'.*premise"):
        find_slots(dataset)


def test_what_is_no_text_is_named():
    dataset = examples.of_type("clustering")
    dataset.records[0]["sentences"] = ["goal", ["nested", "deeper"]]
    with pytest.raises(FormatError, match=r"row 1: column 'sentences' .* list \"\['nested'"):
        find_slots(dataset)


@pytest.mark.parametrize(("task_type", "column"), [("reranking", "positive")])
def test_one_candidate_is_a_list_too(task_type, column):
    dataset = examples.of_type(task_type)
    dataset.records[1][column] = "Disk"
    with pytest.raises(FormatError, match=r"row 2: column 'positive' must hold a list .* str"):
        find_slots(dataset)


def test_a_row_of_no_part_is_named():
    dataset = examples.retrieval()
    dataset.records[2][PART] = "documents"
    with pytest.raises(FormatError, match=r"row 3: .*'corpus', 'queries' or 'qrels'; .*documents"):
        find_slots(dataset)


def test_another_number_of_texts_is_refused():
    with pytest.raises(InputError, match=r"'example' has 4 texts .* 3 were given.*corpus"):
        with_texts(examples.of_type("sts"), ["a", "b", "c"])


def test_nulls_of_optional_columns_are_left_out():
    row = {"_id": "d", "title": None, "text": "body", "url": None}
    assert without_nulls("retrieval", row) == {"_id": "d", "text": "body", "url": None}
    assert without_nulls("classification", {"text": None, "title": "t"}) == {"title": "t"}
    assert without_nulls("sts", {"sentence1": None}) == {"sentence1": None}


def shapes(dataset):
    """Everything of a dataset but its texts that are not blank."""
    rows = copy.deepcopy(dataset.records)
    for slot in find_slots(dataset):
        if slot.position:
            rows[slot.record][slot.column][slot.position[0]] = "X"
        else:
            rows[slot.record][slot.column] = "X"
    return rows


@pytest.mark.parametrize("corpus", [True, False])
@pytest.mark.parametrize("task_type", TASK_TYPES)
@settings(max_examples=12)
@given(data=st.data())
def test_texts_that_are_put_in_are_found_again(task_type, corpus, data):
    dataset = data.draw(examples.datasets(task_type))
    before = copy.deepcopy(dataset.records)
    slots = find_slots(dataset, corpus=corpus)
    assert with_texts(dataset, texts(dataset, corpus=corpus), corpus=corpus).records == before
    others = [f"{slot.ordinal}" for slot in slots]
    changed = with_texts(dataset, others, corpus=corpus)
    found = find_slots(changed, corpus=corpus)
    assert [slot.text for slot in found] == others
    where = [(s.record, s.column, s.position, s.record_label, s.field_label) for s in slots]
    assert [(s.record, s.column, s.position, s.record_label, s.field_label) for s in found] == where
    assert shapes(changed) == shapes(dataset)
    assert dataset.records == before


@pytest.mark.parametrize("task_type", TASK_TYPES)
@settings(max_examples=12)
@given(data=st.data())
def test_failed_texts_are_none_and_no_slots(task_type, data):
    dataset = data.draw(examples.datasets(task_type))
    slots = find_slots(dataset)
    failed = data.draw(st.sets(st.sampled_from(range(len(slots))))) if slots else set()
    given_texts = [None if slot.ordinal in failed else slot.text for slot in slots]
    changed = with_texts(dataset, given_texts)
    assert texts(changed) == [text for text in given_texts if text is not None]
    if not failed:
        assert changed.records == dataset.records
