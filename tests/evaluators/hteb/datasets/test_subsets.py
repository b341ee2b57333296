"""Samples that stay the same, and rows by language."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustrank.errors import NonNumericError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.datasets.subsets import take_languages, take_sample
from robustrank.evaluators.hteb.records import PART, SPLIT, Dataset
from tests.evaluators.hteb import examples

#: The indices are the 5 least of the first 100 numbers of Python's generator with the seed
#: SHA-256('{"dataset":"pairs","language":"eng","part":"queries","seed":0}').
GOLDEN = ["left 0", "left 8", "left 11", "left 14", "left 53"]


def chosen(dataset):
    return [row["sentence1"] for row in dataset.records]


def many(n, *labels, **options):
    return examples.pairs(*(labels[i % len(labels)] for i in range(n)), **options)


def test_the_rows_that_are_drawn_are_these():
    """Golden: another version must draw the same rows, or results are not comparable."""
    part = take_sample(many(100, "eng"), 5, seed=0)
    assert chosen(part) == GOLDEN
    assert chosen(take_sample(many(100, "eng"), 5, seed=1)) != GOLDEN
    renamed = many(100, "eng")
    renamed = Dataset("other", "sts", renamed.records)
    assert chosen(take_sample(renamed, 5)) != GOLDEN


def test_what_is_drawn_is_said():
    (note,) = take_sample(many(1200, "eng"), 50, seed=3).notes
    assert note.code == "sample"
    assert note.message.startswith("pairs: 50 of 1,200 pairs, drawn with seed 3;")
    assert note.labels == ("pairs",)


def test_a_limit_that_leaves_everything_is_no_sample():
    dataset = many(4, "eng")
    assert take_sample(dataset, 4) is dataset
    assert take_sample(dataset, 10) is dataset


@settings(max_examples=15)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 5))
def test_a_larger_sample_holds_a_smaller_one_in_order(one, other, seed):
    dataset = many(30, "eng", "deu", "eng")
    small, large = sorted((one, other))
    inner = chosen(take_sample(dataset, small, seed=seed))
    outer = chosen(take_sample(dataset, large, seed=seed))
    assert len(inner) == small
    assert [name for name in chosen(dataset) if name in outer] == outer
    assert [name for name in outer if name in inner] == inner


def test_more_rows_at_the_end_change_no_draw_of_the_first():
    few, more = many(50, "eng"), many(60, "eng")
    drawn = chosen(take_sample(more, 20))
    old = [name for name in drawn if name in chosen(few)]
    assert set(old) <= set(chosen(take_sample(few, 20)))


def test_other_languages_change_no_order_of_one():
    both = many(60, "eng", "deu")
    german = take_languages(both, ["deu"])
    half = [row["sentence1"] for row in take_sample(both, 20).records if row["language"] == "deu"]
    assert half == chosen(take_sample(german, 10))


def test_every_language_is_drawn_in_proportion():
    dataset = many(400, "eng", "eng", "eng", "deu")
    found = Counter(row["language"] for row in take_sample(dataset, 40).records)
    assert found == {"eng": 30, "deu": 10}


def classified(*sizes):
    rows = [
        {"text": f"{split} {label} {i}", "label": label, SPLIT: split}
        for split in ("train", "test")
        for label, size in enumerate(sizes)
        for i in range(size)
    ]
    return Dataset("classes", "classification", rows, train_split="train", eval_split="test")


def test_both_splits_of_a_classification_keep_every_class():
    part = take_sample(classified(90, 8, 2), 10)
    found = views.labelled_texts(part)
    assert Counter(found.is_train) == {True: 10, False: 10}
    for train in (True, False):
        labels = Counter(
            label for label, own in zip(found.labels, found.is_train, strict=True) if own is train
        )
        assert set(labels) == {0, 1, 2}
        assert labels[0] == 8
    assert "classes: 20 of 200 texts" in part.notes[0].message


def test_instances_keep_the_numbers_of_their_rows():
    part = take_sample(classified(9, 9), 3)
    full = views.labelled_texts(classified(9, 9))
    by_id = dict(zip(full.ids, full.texts, strict=True))
    found = views.labelled_texts(part)
    assert [by_id[number] for number in found.ids] == list(found.texts)


def test_every_group_of_a_clustering_keeps_its_clusters():
    rows = [
        {"sentences": [f"{g}-{i}" for i in range(40)], "labels": [i % 4 for i in range(40)]}
        for g in range(3)
    ]
    groups = views.clusters(take_sample(Dataset("news", "clustering", rows), 8))
    assert [Counter(group.labels) for group in groups] == [{0: 2, 1: 2, 2: 2, 3: 2}] * 3
    for group in groups:
        assert [int(text.split("-")[1]) % 4 for text in group.texts] == list(group.labels)


def test_every_language_of_a_clustering_is_a_group():
    rows = [
        {"sentences": f"{i}", "labels": i % 2, "language": ("swa", "hau")[i % 3 == 0]}
        for i in range(60)
    ]
    dataset = Dataset("news", "clustering", rows, clustering_format="per_language")
    groups = views.clusters(take_sample(dataset, 10))
    assert {group.subset: len(group.texts) for group in groups} == {"hau": 10, "swa": 10}


def test_pairs_within_lists_are_drawn_one_by_one():
    row = {"sent1": [*"abcdefgh"], "sent2": [*"ABCDEFGH"], "labels": [0, 1] * 4}
    dataset = Dataset("listed", "pair_classification", [row])
    found = views.pairs(take_sample(dataset, 4))
    assert Counter(found.gold.tolist()) == {0.0: 2, 1.0: 2}
    assert [text.upper() for text in found.left] == list(found.right)


def collection(n_queries, n_documents):
    rows = [{"_id": f"d{i}", "text": f"document {i}", PART: "corpus"} for i in range(n_documents)]
    rows += [{"_id": f"q{i}", "text": f"query {i}", PART: "queries"} for i in range(n_queries)]
    rows += [
        {"query-id": f"q{i}", "corpus-id": f"d{i + j}", "score": 1 - j, PART: "qrels"}
        for i in range(n_queries)
        for j in (0, 1)
    ]
    return Dataset("library", "retrieval", rows)


def test_queries_keep_their_documents_among_others():
    full = views.retrieval(collection(50, 400))
    part = take_sample(collection(50, 400), 3)
    found = views.retrieval(part)
    assert len(found.query_ids) == 3
    assert found.judgements == {query: full.judgements[query] for query in found.query_ids}
    judged = {document for judged in found.judgements.values() for document in judged}
    others = set(found.document_ids) - judged
    assert judged < set(found.document_ids)
    assert 60 - len(judged) <= len(others) <= 60
    message = part.notes[0].message
    assert f"3 of 50 queries, drawn with seed 0, over {len(found.document_ids)} of 400" in message
    larger = views.retrieval(take_sample(collection(50, 400), 7))
    assert set(found.document_ids) < set(larger.document_ids)
    assert set(found.query_ids) < set(larger.query_ids)


@pytest.mark.parametrize("limit", [0, -1, 2.5, True, "10"])
def test_a_limit_is_a_whole_number(limit):
    with pytest.raises(ParameterError, match="limit must be a whole number of at least 1"):
        take_sample(many(4, "eng"), limit)


def test_a_seed_is_a_whole_number():
    with pytest.raises(ParameterError, match="seed must be a whole number of at least 0; got -1"):
        take_sample(many(4, "eng"), 1, seed=-1)


@pytest.mark.parametrize(
    ("languages", "left"),
    [
        (["de"], ["de-de"]),
        (["deu"], ["de-de"]),
        (["German"], ["de-de"]),
        (["deu", "en"], ["en-de", "de-de", "en-en"]),
        (["en-de"], ["en-de"]),
        (["en-de", "fr-en"], ["en-de", "fr-en"]),
        (["fr", "eng"], ["en-en", "fr-en"]),
    ],
)
def test_both_sides_of_a_pair_must_be_in_the_languages(languages, left):
    dataset = examples.pairs("en-de", "de-de", "en-en", "fr-en", "ko-ko")
    assert [row["language"] for row in take_languages(dataset, languages).records] == left


def test_what_languages_leave_out_is_said():
    (note,) = take_languages(many(5, "eng", "deu", "fra"), ["de"]).notes
    assert note.code == "languages"
    assert note.message == "pairs: 2 of 5 rows, those in deu; left out: eng, fra."


def test_languages_that_are_all_change_nothing():
    dataset = many(3, "eng")
    assert take_languages(dataset, ["en", "de"]) is dataset


def test_labels_that_are_no_codes_can_be_named():
    dataset = many(4, "xx-dialect", "eng")
    assert len(take_languages(dataset, ["xx-dialect"]).records) == 2


def test_what_is_no_language_is_refused():
    with pytest.raises(UnknownLabelError, match=r"language for dataset 'pairs' 'Germann'"):
        take_languages(many(4, "eng", "deu"), ["Germann"])


def test_languages_that_a_dataset_lacks_are_refused_with_those_it_has():
    with pytest.raises(
        UnknownLabelError, match=r"'pairs' has no rows in tur; .*: deu, eng\..*leave"
    ):
        take_languages(many(4, "eng", "deu"), ["tur"])


def test_queries_of_a_language_keep_their_documents():
    dataset = collection(4, 10)
    for index, row in enumerate(dataset.records):
        if row[PART] == "queries":
            row["language"] = ("deu", "eng")[index % 2]
        if row.get("_id") in {"d8", "d9"}:
            row["language"] = "eng"
    found = views.retrieval(take_languages(dataset, ["de"]))
    assert found.query_ids == ("q0", "q2")
    assert set(found.judgements) == {"q0", "q2"}
    assert found.document_ids == tuple(f"d{i}" for i in range(8))  # not those in English


def test_errors_name_the_row_of_the_source():
    part = take_sample(many(100, "eng"), 5)
    part.records[4]["score"] = "high"
    with pytest.raises(NonNumericError, match="'pairs', row 54: column 'score'"):
        views.pairs(part)
