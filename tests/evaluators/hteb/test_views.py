"""What scoring reads of a dataset, under any of the names that columns have."""

from __future__ import annotations

import pytest

from robustrank.errors import FormatError, InputError, NonNumericError
from robustrank.evaluators.hteb import views
from robustrank.evaluators.hteb.records import SPLIT, Dataset
from tests.evaluators.hteb import examples


def test_pairs():
    found = views.pairs(examples.pairs("en-de", "de", languages=("en-de", "de")))
    assert (found.left, found.right) == (("left 0", "left 1"), ("right 0", "right 1"))
    assert (found.gold.tolist(), found.subsets) == ([0.0, 1.0], ("en-de", "de"))
    assert found.ids == ("1", "2")


@pytest.mark.parametrize("score", ["score", "scores", "similarity_score", "label"])
@pytest.mark.parametrize(
    ("left", "right"),
    [("sent1", "sent2"), ("sentence_1", "sentence_2"), ("text_1", "text_2")],
)
def test_pairs_under_other_names(left, right, score):
    found = views.pairs(Dataset("named", "sts", [{left: "a", right: "b", score: "3.5"}]))
    assert (found.left, found.right, found.gold.tolist()) == (("a",), ("b",), [3.5])


def test_pairs_in_lists_are_told_by_row_and_place():
    row = {"sent1": ["a", "b"], "sent2": ["c", "d"], "labels": [1, 0]}
    found = views.pairs(Dataset("listed", "pair_classification", [row, row]))
    assert (found.left, found.right) == (("a", "b", "a", "b"), ("c", "d", "c", "d"))
    assert found.ids == ("1/1", "1/2", "2/1", "2/2")


def test_a_score_called_label_does_not_hide_the_score():
    row = {"sentence1": "a", "sentence2": "b", "label": 7, "score": 3}
    assert views.pairs(Dataset("both", "sts", [row])).gold.tolist() == [3.0]
    row |= {"label": 1, "score": 0.2}
    assert views.pairs(Dataset("both", "pair_classification", [row])).gold.tolist() == [1.0]


def test_classes_of_pairs_are_two():
    rows = [{"sentence1": "a", "sentence2": "b", "label": label} for label in (0, 2)]
    with pytest.raises(FormatError, match=r"'nli': .*0 or 1; got 2\. .*entailment"):
        views.pairs(Dataset("nli", "pair_classification", rows))


@pytest.mark.parametrize("value", ["high", None, float("nan"), float("inf")])
def test_a_score_that_is_no_number_is_named(value):
    dataset = examples.of_type("sts")
    dataset.records[1]["score"] = value
    with pytest.raises(NonNumericError, match=r"'example', row 2: column 'score'"):
        views.pairs(dataset)


def test_lists_of_different_lengths_are_named():
    row = {"sent1": ["a", "b"], "sent2": ["c"], "labels": [1, 0]}
    with pytest.raises(FormatError, match=r"row 1: .*'sent1' 2, 'sent2' 1, 'labels' 2"):
        views.pairs(Dataset("uneven", "pair_classification", [row]))
    row["sent2"] = "c"
    with pytest.raises(FormatError, match=r"row 1: .*'sent2' no list"):
        views.pairs(Dataset("uneven", "pair_classification", [row]))


def test_a_missing_text_is_named_with_the_remedy():
    dataset = examples.of_type("sts")
    dataset.records[0]["sentence2"] = None
    with pytest.raises(InputError, match=r"row 1: .*'sentence2' is missing.*drop_incompl"):
        views.pairs(dataset)


def test_labelled_texts():
    found = views.labelled_texts(examples.of_type("classification"))
    assert found.texts == ("Where is my card?", "Send money abroad", "My card is lost")
    assert found.labels == ("card", "transfer", "card")
    assert found.is_train == (True, True, False)
    assert (found.subsets, found.ids) == (("eng",) * 3, ("1", "2", "3"))


def test_rows_of_other_splits_are_not_classified():
    dataset = examples.of_type("classification")
    dataset.records.insert(1, {"text": "never seen", "label": "x", SPLIT: "validation"})
    found = views.labelled_texts(dataset)
    assert "never seen" not in found.texts
    assert found.ids == ("1", "3", "4")


def test_a_split_without_rows_is_named():
    dataset = examples.of_type("classification", eval_split="dev")
    with pytest.raises(
        InputError, match=r"'example' has no rows of the split 'dev'; .*test, train"
    ):
        views.labelled_texts(dataset)


@pytest.mark.parametrize("label", [None, [1, 2], float("nan")])
def test_what_is_no_class_is_named(label):
    dataset = examples.of_type("classification")
    dataset.records[2]["label"] = label
    with pytest.raises(FormatError, match=r"row 3: column 'label' must hold a class"):
        views.labelled_texts(dataset)


def test_a_row_without_any_known_answer_is_named():
    dataset = examples.of_type("classification")
    del dataset.records[0]["label"]
    with pytest.raises(
        FormatError, match=r"row 1 .*'label' or 'labels' or 'target'; it has text\."
    ):
        views.labelled_texts(dataset)


def test_clusters_are_rows_languages_or_everything():
    rows = [
        {"sentences": text, "labels": label, "language": language}
        for text, label, language in [("a", 1, "swa"), ("b", 2, "hau"), ("c", 1, "swa")]
    ]
    flat = views.clusters(Dataset("news", "clustering", rows, clustering_format="flat"))
    assert [(g.texts, g.labels, g.subset) for g in flat] == [(("a", "b", "c"), (1, 2, 1), None)]
    split = views.clusters(Dataset("news", "clustering", rows, clustering_format="per_language"))
    assert [(g.texts, g.labels, g.subset) for g in split] == [
        (("a", "c"), (1, 1), "swa"),
        (("b",), (2,), "hau"),
    ]
    nested = views.clusters(examples.of_type("clustering"))
    assert [(group.id, group.subset) for group in nested] == [("1", "eng"), ("2", "eng")]
    assert nested[1].labels == ("news", "sport")


def test_rerankings():
    first, second = views.rerankings(examples.of_type("reranking"))
    assert first.queries == ("wifi?",)
    assert second == views.Reranking(("disk", "drive"), ("Disk", "SSD"), ("x",), "eng", "2")


def test_retrieval():
    found = views.retrieval(examples.retrieval(ignore_identical_ids=True))
    assert found.document_ids == ("d1", "d2", "d3")
    assert found.documents[0] == "Frogs They live in ponds."
    assert found.documents[1] == "Owls hunt at night."
    assert dict(zip(found.query_ids, found.queries, strict=True))["q2"] == "owl hunting"
    assert found.judgements == {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 2}}
    assert (found.subsets, found.ignore_identical_ids) == (("eng", "eng"), True)


def test_only_two_parts_of_a_document_are_trimmed():
    dataset = examples.retrieval()
    dataset.records[0] |= {"title": " Frogs ", "text": "\tin ponds "}
    dataset.records[2]["text"] = " on rails "
    documents = views.retrieval(dataset).documents
    assert (documents[0], documents[2]) == ("Frogs in ponds", " on rails ")


def test_ids_are_texts():
    dataset = examples.retrieval()
    dataset.records[0]["_id"] = dataset.records[5]["corpus-id"] = 7
    assert views.retrieval(dataset).judgements["q1"] == {"7": 1, "d2": 0}


@pytest.mark.parametrize(
    ("row", "column", "value", "error", "message"),
    [
        (1, "_id", "d1", FormatError, r"row 2: the id 'd1' occurs twice among the corpus"),
        (6, "corpus-id", "d1", FormatError, r"row 7: document 'd1' is judged twice .*'q1'"),
        (5, "score", 0.5, NonNumericError, r"row 6: relevance must be a whole number; got 0\.5"),
        (5, "corpus-id", "d9", FormatError, r"row 6 judges 'd9', .*not among the corpus"),
        (5, "query-id", "q9", FormatError, r"row 6 judges 'q9', .*not among the queries"),
        (5, "query-id", None, FormatError, r"row 6: column 'query-id' must hold an id; got None"),
    ],
)
def test_retrieval_that_does_not_fit_together(row, column, value, error, message):
    dataset = examples.retrieval()
    dataset.records[row][column] = value
    with pytest.raises(error, match=message):
        views.retrieval(dataset)


def test_summaries():
    first, second = views.summaries(examples.of_type("summarisation"))
    assert first.human == ("Short.", "Brief.")
    assert dict(zip(first.machine, first.scores, strict=True))["Sum two."] == 3.0
    assert second == views.Summaries(("H.",), ("M.",), (5.0,), "eng", "2")


def test_summaries_in_columns_that_the_definition_names():
    row = {"people": ["a"], "systems": ["b", "c"], "coherence": [1, 2], "relevance": [9, 9]}
    fields = {"human": "people", "machine": "systems", "score": "coherence"}
    (found,) = views.summaries(Dataset("named", "summarisation", [row], summary_fields=fields))
    assert (found.human, found.machine, found.scores) == (("a",), ("b", "c"), (1.0, 2.0))
