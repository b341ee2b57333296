from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from robustrank.evaluators.hteb.records import Dataset
from robustrank.evaluators.hteb.scoring import score
from tests.evaluators.hteb.scoring.encoders import ConstantEncoder, TableEncoder, WordEncoder

FIELDS = {"human": "human_summaries", "machine": "machine_summaries", "score": "relevance"}


def article(seed: int, n: int = 8) -> dict:
    rng = np.random.default_rng(seed)

    def summary() -> str:
        return " ".join(f"w{word}" for word in rng.choice(30, 5))

    return {
        "human_summaries": [summary() for _ in range(3)],
        "machine_summaries": [summary() for _ in range(n)],
        "relevance": rng.integers(1, 6, n).astype(float).tolist(),
    }


def summary_dataset(*articles: dict) -> Dataset:
    return Dataset("news", "summarisation", list(articles), ("eng",), summary_fields=FIELDS)


ARTICLES = [article(seed) for seed in range(6)]


def best_cosines(row: dict) -> list[float]:
    encoder = WordEncoder()
    human, machine = (
        encoder.encode(row[key], role="text").astype(float)
        for key in ("human_summaries", "machine_summaries")
    )
    human /= np.linalg.norm(human, axis=1, keepdims=True)
    machine /= np.linalg.norm(machine, axis=1, keepdims=True)
    return (machine @ human.T).max(axis=1).tolist()


def test_hteb_correlates_all_summaries_at_once():
    found = score(summary_dataset(*ARTICLES), WordEncoder())
    predicted = [value for row in ARTICLES for value in best_cosines(row)]
    gold = [value for row in ARTICLES for value in row["relevance"]]
    assert found.value == pytest.approx(spearmanr(predicted, gold).statistic)
    assert (found.metric, found.n) == ("cosine_spearman", 48)
    assert found.instances["instance"].is_unique


def test_mteb_averages_the_correlations_of_articles():
    found = score(summary_dataset(*ARTICLES), WordEncoder(), protocol="mteb")
    values = [spearmanr(best_cosines(row), row["relevance"]).statistic for row in ARTICLES]
    assert found.instances["score"].to_numpy() == pytest.approx(values)
    assert found.value == pytest.approx(np.mean(values))
    assert found.metric == "mean_cosine_spearman"


def test_by_hand():
    table = {"h": [1.0, 0.0], "near": [1.0, 0.1], "far": [0.0, 1.0], "between": [1.0, 1.0]}
    row = {
        "human_summaries": ["h"],
        "machine_summaries": ["near", "far", "between"],
        "relevance": [5.0, 1.0, 3.0],
    }
    assert score(summary_dataset(row), TableEncoder(table)).value == pytest.approx(1.0)
    worst = {**row, "relevance": [1.0, 5.0, 3.0]}
    assert score(summary_dataset(worst), TableEncoder(table)).value == pytest.approx(-1.0)


def test_articles_without_a_correlation_are_left_out_of_mteb_s_mean():
    flat = {**ARTICLES[0], "relevance": [3.0] * 8}
    found = score(summary_dataset(flat, *ARTICLES[1:]), WordEncoder(), protocol="mteb")
    plain = score(summary_dataset(*ARTICLES[1:]), WordEncoder(), protocol="mteb")
    assert found.value == pytest.approx(plain.value)
    assert [note.code for note in found.notes] == ["constant-articles"]


@pytest.mark.parametrize("protocol", ["hteb-v1.1", "mteb"])
@pytest.mark.parametrize(
    ("articles", "encoder"),
    [
        ([], WordEncoder()),
        (ARTICLES, ConstantEncoder()),
        ([{**row, "relevance": [2.0] * 8} for row in ARTICLES], WordEncoder()),
        ([article(0, n=1)], WordEncoder()),
    ],
)
def test_nothing_to_correlate_is_undefined(protocol, articles, encoder):
    found = score(summary_dataset(*articles), encoder, protocol=protocol)
    assert np.isnan(found.value)
    assert found.notes[0].code == "undefined-score"
