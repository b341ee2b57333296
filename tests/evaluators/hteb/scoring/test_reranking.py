from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from robustrank.evaluators.hteb.records import Dataset
from robustrank.evaluators.hteb.scoring import score
from tests.evaluators.hteb.scoring.encoders import (
    ConstantEncoder,
    HashEncoder,
    SignEncoder,
    TableEncoder,
)


def reranking_dataset(rows, languages=("eng",)) -> Dataset:
    return Dataset("candidates", "reranking", rows, languages)


def random_rows(n: int = 12) -> list[dict]:
    return [
        {
            "query": f"q{row}",
            "positive": [f"p{row}-{place}" for place in range(1 + row % 3)],
            "negative": [f"n{row}-{place}" for place in range(6)],
        }
        for row in range(n)
    ]


def test_map_is_the_mean_of_scikit_learn_s_average_precision_by_the_model_s_similarity():
    rows, encoder = random_rows(), SignEncoder()
    found = score(reranking_dataset(rows), encoder)
    expected = []
    for row in rows:
        candidates = [*row["positive"], *row["negative"]]
        query = encoder.encode([row["query"]], role="query")
        similar = encoder.similarity(query, encoder.encode(candidates, role="document"))[0]
        labels = [1] * len(row["positive"]) + [0] * len(row["negative"])
        expected.append(average_precision_score(labels, similar))
    assert found.instances["score"].to_numpy() == pytest.approx(expected)
    assert found.value == pytest.approx(np.mean(expected))
    assert (found.metric, found.n) == ("map", 12)


TABLE = {
    "q": [1.0, 0.0],
    "r": [0.0, 1.0],
    "q; r": [1.0, 1.0],
    "good": [0.0, 0.9],
    "bad": [0.8, 0.0],
    "worse": [0.1, 0.1],
}
TWO_QUERIES = [{"query": ["q", "r"], "positive": ["good"], "negative": ["bad", "worse"]}]


def test_the_query_that_is_most_similar_counts():
    # By q alone the relevant candidate would come last; by the better of q and r it is first.
    assert score(reranking_dataset(TWO_QUERIES), TableEncoder(TABLE)).value == 1.0
    one = [{**TWO_QUERIES[0], "query": "q"}]
    assert score(reranking_dataset(one), TableEncoder(TABLE)).value == pytest.approx(1 / 3)


def test_mteb_joins_queries_into_one_text():
    found = score(reranking_dataset(TWO_QUERIES), TableEncoder(TABLE), protocol="mteb")
    assert found.value == 1.0


@pytest.mark.parametrize(("protocol", "value"), [("hteb-v1.1", 0.25), ("mteb", 0.25)])
def test_constant_similarities_give_what_chance_gives_or_less(protocol, value):
    rows = [{"query": "q", "positive": ["p"], "negative": ["n", "m", "o"]}]
    assert score(reranking_dataset(rows), ConstantEncoder(), protocol=protocol).value == value


def test_ties_are_one_step_in_hteb_and_the_worst_order_in_mteb():
    rows = [{"query": "q", "positive": ["p", "r"], "negative": ["n", "m"]}]
    dataset = reranking_dataset(rows)
    assert score(dataset, ConstantEncoder()).value == pytest.approx(1 / 2)
    # The relevant ones at ranks 3 and 4, and rounded.
    mteb = score(dataset, ConstantEncoder(), protocol="mteb")
    assert mteb.value == round((1 / 3 + 2 / 4) / 2, 5)


def test_the_order_of_records_and_candidates_does_not_matter():
    rows = random_rows()
    turned = [{**row, "negative": row["negative"][::-1]} for row in rows[::-1]]
    plain = score(reranking_dataset(rows), HashEncoder()).value
    assert score(reranking_dataset(turned), HashEncoder()).value == pytest.approx(plain)


def test_records_without_relevant_candidates_are_left_out_and_noted():
    rows = [*random_rows(3), {"query": "q", "positive": [], "negative": ["n"]}]
    found = score(reranking_dataset(rows), HashEncoder())
    assert found.n == 3
    assert [note.code for note in found.notes] == ["unjudged-queries"]


@pytest.mark.parametrize("rows", [[], [{"query": "q", "positive": [], "negative": ["n"]}]])
def test_nothing_to_find_is_undefined(rows):
    found = score(reranking_dataset(rows), HashEncoder())
    assert np.isnan(found.value)
    assert "no query has a relevant candidate" in found.notes[0].message


def test_mteb_averages_languages():
    languages = ("eng", "deu")
    rows = [{**row, "language": languages[number > 2]} for number, row in enumerate(random_rows(9))]
    found = score(reranking_dataset(rows, languages), HashEncoder(), protocol="mteb")
    table = found.instances
    by_language = table.groupby("subset")["score"].mean()
    assert dict(found.subsets) == pytest.approx(dict(by_language), abs=1e-5)
    assert found.value == pytest.approx(by_language.mean(), abs=1e-5)
