from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score

from robustrank.evaluators.hteb.records import Dataset
from robustrank.evaluators.hteb.scoring import score
from tests.evaluators.hteb.scoring.encoders import (
    ConstantEncoder,
    HashEncoder,
    TableEncoder,
    WordEncoder,
)

LANGUAGES = ("eng", "deu")


def pair_dataset(task_type: str, gold, languages=("eng",)) -> Dataset:
    column = "labels" if task_type == "pair_classification" else "score"
    rows = [
        {
            "sentence1": f"a{n} b{n % 5}",
            "sentence2": f"c{n} b{n % 3}",
            column: value,
            "language": languages[n % len(languages)],
        }
        for n, value in enumerate(gold)
    ]
    return Dataset("pairs", task_type, rows, languages)


def exact_cosines(dataset: Dataset, encoder) -> np.ndarray:
    left = encoder.encode([row["sentence1"] for row in dataset.records], role="text")
    right = encoder.encode([row["sentence2"] for row in dataset.records], role="text")
    left, right = left.astype(float), right.astype(float)
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    return (left * right).sum(axis=1) / lengths


RATINGS = np.random.default_rng(0).integers(0, 6, 60).astype(float)


@pytest.mark.parametrize("task_type", ["sts", "str"])
def test_relatedness_is_one_spearman_over_all_languages(task_type):
    dataset = pair_dataset(task_type, RATINGS, LANGUAGES)
    found = score(dataset, WordEncoder())
    cosines = exact_cosines(dataset, WordEncoder())
    assert found.value == pytest.approx(spearmanr(cosines, RATINGS).statistic, abs=1e-9)
    assert (found.metric, found.n, dict(found.subsets)) == ("cosine_spearman", 60, {})
    table = found.instances
    assert table["predicted"].to_numpy() == pytest.approx(cosines, abs=1e-6)
    assert table["gold"].tolist() == RATINGS.tolist()
    assert table["instance"].is_unique
    assert "score" not in table.columns  # a correlation is no mean over pairs


def test_mteb_averages_the_correlations_of_languages():
    dataset = pair_dataset("sts", RATINGS, LANGUAGES)
    found = score(dataset, WordEncoder(), protocol="mteb")
    cosines = exact_cosines(dataset, WordEncoder())
    expected = {
        name: spearmanr(cosines[start::2], RATINGS[start::2]).statistic
        for start, name in enumerate(LANGUAGES)
    }
    assert dict(found.subsets) == pytest.approx(expected)
    assert found.value == pytest.approx(np.mean(list(expected.values())))
    # Its standard error is not that of one correlation over all pairs.
    assert found.metric == "mean_cosine_spearman"
    assert found.instances["subset"].tolist() == ["eng"] * 30 + ["deu"] * 30


LABELS = (RATINGS > 2).astype(int)


def test_pair_classification_is_the_average_precision_of_cosines():
    dataset = pair_dataset("pair_classification", LABELS, LANGUAGES)
    found = score(dataset, WordEncoder())
    cosines = exact_cosines(dataset, WordEncoder())
    assert found.value == pytest.approx(average_precision_score(LABELS, cosines))
    assert (found.metric, found.n) == ("average_precision", 60)


def test_mteb_takes_the_best_similarity_function_per_language():
    dataset = pair_dataset("pair_classification", LABELS, LANGUAGES)
    encoder = WordEncoder()
    found = score(dataset, encoder, protocol="mteb")
    left = encoder.encode([row["sentence1"] for row in dataset.records], role="text")
    right = encoder.encode([row["sentence2"] for row in dataset.records], role="text")
    functions = [
        exact_cosines(dataset, encoder),
        (left * right).sum(axis=1),
        -np.abs(left - right).sum(axis=1),
        -np.linalg.norm(left - right, axis=1),
    ]
    for start, name in enumerate(LANGUAGES):
        part = slice(start, None, 2)
        best = max(average_precision_score(LABELS[part], values[part]) for values in functions)
        assert found.subsets[name] == pytest.approx(best)
    assert found.metric == "max_ap"


@pytest.mark.parametrize(("task_type", "gold"), [("sts", RATINGS), ("pair_classification", LABELS)])
def test_scale_and_order_change_nothing(task_type, gold):
    dataset = pair_dataset(task_type, gold)
    plain = score(dataset, WordEncoder())
    assert score(dataset, WordEncoder(scale=1e3)).value == pytest.approx(plain.value)
    turned = Dataset("pairs", task_type, dataset.records[::-1], ("eng",))
    assert score(turned, WordEncoder()).value == pytest.approx(plain.value)


@pytest.mark.parametrize("protocol", ["hteb-v1.1", "mteb"])
@pytest.mark.parametrize(
    ("task_type", "gold", "encoder", "why"),
    [
        ("sts", RATINGS, ConstantEncoder(), "cosines of the 60 pairs are all the same"),
        ("sts", [3.0] * 5, WordEncoder(), "gold scores of the 5 pairs are all the same"),
        ("sts", [3.0], WordEncoder(), "of the 1 pairs"),
        ("sts", [], WordEncoder(), "of the 0 pairs"),
        ("pair_classification", [1] * 5, WordEncoder(), "have the same label"),
        ("pair_classification", [0] * 5, WordEncoder(), "have the same label"),
        ("pair_classification", [], WordEncoder(), "have the same label"),
        ("pair_classification", LABELS, ConstantEncoder(), "similarities of the 60 pairs"),
    ],
)
def test_what_has_no_score_is_nan_and_says_why(protocol, task_type, gold, encoder, why):
    found = score(pair_dataset(task_type, gold), encoder, protocol=protocol)
    assert np.isnan(found.value)
    assert found.notes[0].code == "undefined-score"
    assert why in found.notes[0].message


def test_one_undefined_language_makes_the_mean_undefined():
    gold = np.where(np.arange(20) % 2, 3.0, np.arange(20))  # constant for the second language
    found = score(pair_dataset("sts", gold, LANGUAGES), WordEncoder(), protocol="mteb")
    assert np.isnan(found.value)
    assert np.isfinite(found.subsets["eng"])
    assert found.notes[-1].labels == ("deu",)


def test_the_cosine_with_a_zero_vector_is_zero():
    table = {"a": [1.0, 0.0], "b": [0.0, 0.0], "c": [1.0, 1.0], "d": [-1.0, 0.1]}
    rows = [
        {"sentence1": "a", "sentence2": other, "score": rating}
        for other, rating in (("b", 1.0), ("c", 2.0), ("d", 0.0))
    ]
    found = score(Dataset("zero", "sts", rows, ("eng",)), TableEncoder(table))
    assert found.instances["predicted"].tolist()[0] == 0.0
    assert found.value == pytest.approx(1.0)
    assert [note.code for note in found.notes] == ["zero-vectors"]


def test_hashes_of_unrelated_texts_are_uncorrelated_with_ratings():
    found = score(pair_dataset("sts", RATINGS), HashEncoder())
    assert abs(found.value) < 0.4
