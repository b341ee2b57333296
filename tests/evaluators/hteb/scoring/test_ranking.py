from __future__ import annotations

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from robustrank.evaluators.hteb.scoring.ranking import (
    average_precision,
    ndcg,
    pessimistic_average_precision,
    top_columns,
)

# Few different scores, so that ties are the rule.
rankings = st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=25)


@given(rankings)
def test_average_precision_is_that_of_scikit_learn(ranking):
    scores, hits = map(np.array, zip(*ranking, strict=True))
    found = average_precision(scores / 4, hits)
    if not hits.any():
        assert np.isnan(found)
    else:
        assert found == pytest.approx(average_precision_score(hits, scores / 4), abs=1e-12)


def test_average_precision_by_hand():
    # Relevant at ranks 1 and 3: (1/1 + 2/3) / 2.
    assert average_precision([0.9, 0.8, 0.7], [1, 0, 1]) == pytest.approx(5 / 6)
    # A tie of one relevant and one not: one step, precision 1/2.
    assert average_precision([0.5, 0.5], [1, 0]) == pytest.approx(0.5)


@given(rankings, st.integers(1, 30))
def test_pessimistic_average_precision_is_that_of_trec_eval(ranking, cut):
    scores, hits = map(np.array, zip(*ranking, strict=True))
    names = [f"{'apositive' if hit else 'negative'}_{row:05d}" for row, hit in enumerate(hits)]
    run = {"q": {name: float(score) for name, score in zip(names, scores, strict=True)}}
    judged = {"q": {name: int(hit) for name, hit in zip(names, hits, strict=True)}}
    measure = f"map_cut.{cut}"
    expected = pytrec_eval.RelevanceEvaluator(judged, {measure}).evaluate(run)["q"]
    found = pessimistic_average_precision(scores, hits, cut)
    if not hits.any():
        assert np.isnan(found)
    else:
        assert found == pytest.approx(expected[f"map_cut_{cut}"], abs=1e-9)


def test_ndcg_by_hand():
    # Gains 0, 2, 1 at ranks 1 to 3; ideally 2, 1 at ranks 1 and 2.
    found = ndcg([0, 2, 1], [1, 2], cut=10)
    assert found == pytest.approx((2 / np.log2(3) + 1 / 2) / (2 + 1 / np.log2(3)))
    assert ndcg([0, 0], [0, 0], cut=10) == 0.0
    assert ndcg([-1, 1], [1, -1], cut=10) == pytest.approx(1 / np.log2(3))


def slow_top(similarities, k):
    columns = range(similarities.shape[1])
    return [sorted(columns, key=lambda column: (-row[column], column))[:k] for row in similarities]


@given(
    st.integers(1, 6).flatmap(
        lambda rows: st.lists(
            st.lists(st.integers(0, 3), min_size=8, max_size=8), min_size=rows, max_size=rows
        )
    ),
    st.integers(1, 12),
)
def test_top_columns_agrees_with_a_sort_on_ties(rows, k):
    similarities = np.array(rows, dtype=np.float32)
    assert top_columns(similarities, k).tolist() == slow_top(similarities, k)


def test_top_columns_of_minus_infinity_come_last():
    similarities = np.array([[-np.inf, 1.0, -np.inf, 0.5]], dtype=np.float32)
    assert top_columns(similarities, 3).tolist() == [[1, 3, 0]]
