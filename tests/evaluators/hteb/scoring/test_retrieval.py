from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval

from robustrank.evaluators.hteb.records import PART, Dataset
from robustrank.evaluators.hteb.scoring import ranking, retrieval, score
from robustrank.evaluators.hteb.vectors import cosine
from tests.evaluators.hteb.scoring.encoders import (
    ConstantEncoder,
    HashEncoder,
    SignEncoder,
    WordEncoder,
)


def retrieval_dataset(corpus: dict, queries: dict, judged: dict, **options) -> Dataset:
    rows = [{"_id": name, "text": text, PART: "corpus"} for name, text in corpus.items()]
    rows += [{"_id": name, "text": text, PART: "queries"} for name, text in queries.items()]
    rows += [
        {"query-id": query, "corpus-id": document, "score": relevance, PART: "qrels"}
        for query, documents in judged.items()
        for document, relevance in documents.items()
    ]
    return Dataset("small", "retrieval", rows, ("eng",), **options)


def random_task(seed: int = 0):
    rng = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(12)]
    corpus = {f"d{n}": " ".join(rng.choice(words, 3)) for n in range(60)}  # many are equal
    queries = {f"q{n}": " ".join(rng.choice(words, 2)) for n in range(15)}
    judged = {
        name: {f"d{n}": int(rng.integers(0, 3)) for n in rng.choice(60, 8, replace=False)}
        for name in queries
    }
    return corpus, queries, judged


def oracle(corpus, queries, judged, similarities) -> dict[str, float]:
    """Per query, by trec_eval on the whole ranking."""
    run = {
        query: dict(zip(corpus, map(float, row), strict=True))
        for query, row in zip(queries, similarities, strict=True)
    }
    found = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10"}).evaluate(run)
    return {query: values["ndcg_cut_10"] for query, values in found.items()}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("protocol", ["hteb-v1.1", "mteb"])
def test_ndcg_is_that_of_trec_eval_ties_included(seed, protocol):
    corpus, queries, judged = random_task(seed)
    encoder = SignEncoder()
    found = score(retrieval_dataset(corpus, queries, judged), encoder, protocol=protocol)
    a = encoder.encode(list(queries.values()), role="query")
    b = encoder.encode(list(corpus.values()), role="document")
    similar = cosine(a, b) if protocol == "hteb-v1.1" else a @ b.T
    expected = oracle(corpus, queries, judged, similar)
    scores = found.instances.set_index("instance")["score"]
    assert dict(scores) == pytest.approx(expected, abs=1e-9)
    assert found.value == round(np.mean(list(expected.values())), 5)
    assert (found.metric, found.n) == ("ndcg_at_10", 15)


def test_the_larger_id_comes_first_even_at_the_cut():
    corpus = {f"d{number:02d}": "same" for number in range(30)}
    dataset = retrieval_dataset(corpus, {"q": "same"}, {"q": {"d29": 1}})
    assert score(dataset, HashEncoder()).value == 1.0
    dataset = retrieval_dataset(corpus, {"q": "same"}, {"q": {"d19": 1}})
    assert score(dataset, HashEncoder()).value == 0.0


def test_blocks_change_nothing(monkeypatch):
    corpus, queries, judged = random_task()
    dataset = retrieval_dataset(corpus, queries, judged)
    whole = score(dataset, WordEncoder())
    monkeypatch.setattr(ranking, "_BLOCK", 100)  # one query at a time
    assert score(dataset, WordEncoder()).value == whole.value


def test_a_document_with_the_query_s_id_can_be_left_out():
    corpus, queries = {"x": "a b", "y": "a c", "z": "d e"}, {"x": "a b"}
    judged = {"x": {"y": 1}}
    kept = score(retrieval_dataset(corpus, queries, judged), WordEncoder())
    left_out = score(
        retrieval_dataset(corpus, queries, judged), WordEncoder(), ignore_identical_ids=True
    )
    assert kept.value == round(1 / np.log2(3), 5)
    assert left_out.value == 1.0
    # The dataset says so unless the caller does.
    said = retrieval_dataset(corpus, queries, judged, ignore_identical_ids=True)
    assert score(said, WordEncoder()).value == 1.0
    assert score(said, WordEncoder(), ignore_identical_ids=False).value == kept.value


@pytest.mark.parametrize("scale", [1e-30, 1e-3, 1e30])
def test_the_cosine_does_not_depend_on_the_length_of_vectors(scale):
    corpus, queries, judged = random_task()
    dataset = retrieval_dataset(corpus, queries, judged)
    assert score(dataset, WordEncoder(scale=scale)).value == score(dataset, WordEncoder()).value


def test_neither_the_order_of_documents_nor_of_queries_matters():
    corpus, queries, judged = random_task()
    forward = score(retrieval_dataset(corpus, queries, judged), WordEncoder())
    backward = score(
        retrieval_dataset(dict(reversed(corpus.items())), dict(reversed(queries.items())), judged),
        WordEncoder(),
    )
    assert backward.value == forward.value


def test_only_judged_queries_count_and_are_embedded():
    corpus, queries, judged = random_task()
    encoder = WordEncoder()
    found = score(retrieval_dataset(corpus, {**queries, "new": "w1"}, judged), encoder)
    assert found.n == 15
    assert ("query", 15) in encoder.calls
    (note,) = found.notes
    assert (note.code, note.labels) == ("unjudged-queries", ("new",))


def test_no_judged_query_is_undefined():
    found = score(retrieval_dataset({"d": "a"}, {"q": "b"}, {}), HashEncoder())
    assert np.isnan(found.value)
    assert found.notes[0].code == "undefined-score"
    assert "no query has a judgement" in found.notes[0].message


def test_no_document_is_undefined():
    found = score(retrieval_dataset({}, {"q": "b"}, {}), HashEncoder())
    assert np.isnan(found.value)
    assert "no documents" in found.notes[0].message


def test_one_document_and_a_query_with_nothing_relevant_are_noted():
    dataset = retrieval_dataset({"d": "a"}, {"q": "b", "r": "c"}, {"q": {"d": 1}, "r": {"d": 0}})
    found = score(dataset, HashEncoder())
    assert found.value == 0.5
    codes = {note.code for note in found.notes}
    assert codes == {"nothing-relevant", "few-documents"}


def test_constant_vectors_rank_by_id_and_do_not_fail():
    corpus, queries, judged = random_task()
    found = score(retrieval_dataset(corpus, queries, judged), ConstantEncoder())
    assert 0.0 <= found.value <= 1.0


def test_search_without_enough_documents_returns_what_is_there():
    vectors = np.eye(3, dtype=np.float32)
    found = retrieval.search(
        vectors[:1], vectors, ["a"], ["a", "b", "c"], ignore_identical_ids=True
    )
    assert found == [["c", "b"]]
