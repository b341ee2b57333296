from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from robustrank.evaluators.hteb.records import SPLIT, Dataset
from robustrank.evaluators.hteb.scoring import score
from robustrank.evaluators.hteb.scoring.classification import draw_samples
from tests.evaluators.hteb.scoring.encoders import ConstantEncoder, HashEncoder, WordEncoder


def topic_dataset(
    n: int = 120, n_labels: int = 3, languages=("eng",), name: str = "topics", labels=None
) -> Dataset:
    rng = np.random.default_rng(1)
    rows = []
    for number in range(n):
        label = number % n_labels
        words = rng.choice(6, 2) + 2 * label  # labels share words
        text = " ".join(f"w{word}" for word in words) + f" x{rng.integers(8)}"
        rows.append(
            {
                "text": text,
                "label": label if labels is None else labels[label],
                "language": languages[number // n_labels % len(languages)],
                SPLIT: "train" if rng.random() < 0.6 else "test",
            }
        )
    return Dataset(name, "classification", rows, languages, train_split="train", eval_split="test")


def split(dataset: Dataset, name: str) -> tuple[list[str], np.ndarray]:
    rows = [row for row in dataset.records if row[SPLIT] == name]
    return [row["text"] for row in rows], np.array([row["label"] for row in rows])


def predict(dataset: Dataset, seed: int) -> tuple[np.ndarray, np.ndarray]:
    encoder = WordEncoder()
    (train, known), (test, gold) = split(dataset, "train"), split(dataset, "test")
    model = LogisticRegression(max_iter=100, random_state=seed)
    model.fit(encoder.encode(train, role="text"), known)
    return model.predict(encoder.encode(test, role="text")), gold


#: The oracle stops after 100 steps as well, and says so.
unfinished = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@unfinished
@pytest.mark.parametrize("seed", [42, 1337])
def test_hteb_trains_on_the_whole_split(seed):
    dataset = topic_dataset()
    predicted, gold = predict(dataset, seed)
    found = score(dataset, WordEncoder(), seed=seed)
    assert found.value == pytest.approx((predicted == gold).mean())
    assert found.instances["score"].tolist() == (predicted == gold).tolist()
    assert (found.metric, found.n) == ("accuracy", len(gold))
    assert 0.3 < found.value < 1.0


def reference_samples(labels, per_label: int, n: int, seed: int) -> list[list[int]]:
    """MTEB's undersampling, step by step."""
    order, samples = list(range(len(labels))), []
    for _ in range(n):
        np.random.RandomState(seed).shuffle(order)
        seen, chosen = {}, []
        for row in order:
            if seen.get(labels[row], 0) < per_label:
                chosen.append(row)
                seen[labels[row]] = seen.get(labels[row], 0) + 1
        samples.append(chosen)
    return samples


@pytest.mark.parametrize("per_label", [1, 8, 1000])
def test_samples_are_those_of_mteb(per_label):
    labels = np.array(list("aabbbcabcabcccbbaabd") * 5, dtype=object)
    found = draw_samples(labels, per_label, 10, 42)
    assert [sample.tolist() for sample in found] == reference_samples(labels, per_label, 10, 42)


def test_mteb_averages_experiments_per_text():
    dataset = topic_dataset()
    found = score(dataset, WordEncoder(), protocol="mteb")
    assert set((found.instances["score"] * 10).round(6)) <= set(range(11))
    assert found.value == pytest.approx(found.instances["score"].mean())
    assert found.value != score(dataset, WordEncoder()).value


def test_mteb_embeds_only_what_an_experiment_uses():
    encoder = WordEncoder()
    dataset = topic_dataset(1500)
    score(dataset, encoder, protocol="mteb")
    n_train, n_test = (n for _, n in encoder.calls)
    assert n_train <= 10 * 3 * 8
    assert n_test == sum(row[SPLIT] == "test" for row in dataset.records)


def test_mteb_s_exceptions_go_by_the_name_of_the_dataset():
    by_f1 = topic_dataset(name="SentimentAnalysisHindi.v2")
    found = score(by_f1, WordEncoder(), protocol="mteb")
    assert found.metric == "f1"
    assert found.instances is None  # there is none that a score per text would average to
    larger = topic_dataset(400, name="AmazonCounterfactualClassification")
    encoder = WordEncoder()
    score(larger, encoder, protocol="mteb")
    assert encoder.calls[0][1] >= 3 * 32


@unfinished
def test_f1_is_the_macro_average():
    # With all of the training texts in every sample, the experiments are one.
    dataset = topic_dataset(30, name="SentimentAnalysisHindi.v2")
    predicted, gold = predict(dataset, 42)
    found = score(dataset, WordEncoder(), protocol="mteb")
    assert found.value == pytest.approx(f1_score(gold, predicted, average="macro"), abs=0.05)


@pytest.mark.parametrize("labels", [["a", "b", "c"], [0.5, 1.5, 2.5], ["1", "2", "3"]])
def test_labels_may_be_of_any_kind(labels):
    plain, named = topic_dataset(), topic_dataset(labels=labels)
    assert score(named, WordEncoder()).value == pytest.approx(score(plain, WordEncoder()).value)


def test_mteb_gives_each_language_a_classifier():
    dataset = topic_dataset(240, languages=("eng", "deu"))
    found = score(dataset, WordEncoder(), protocol="mteb")
    assert set(found.subsets) == {"eng", "deu"}
    assert found.value == pytest.approx(np.mean(list(found.subsets.values())))
    pooled = score(dataset, WordEncoder())
    assert dict(pooled.subsets) == {}


@pytest.mark.parametrize("protocol", ["hteb-v1.1", "mteb"])
def test_one_label_is_undefined(protocol):
    found = score(topic_dataset(n_labels=1), WordEncoder(), protocol=protocol)
    assert np.isnan(found.value)
    assert "there are 1 label and" in found.notes[0].message


def test_labels_that_occur_only_in_the_test_split_are_noted():
    dataset = topic_dataset()
    row = next(row for row in dataset.records if row[SPLIT] == "test")
    row["label"] = 7
    found = score(dataset, WordEncoder())
    (note,) = found.notes
    assert (note.code, note.labels) == ("unseen-labels", ("7",))


def test_constant_vectors_give_the_share_of_one_label():
    found = score(topic_dataset(), ConstantEncoder())
    _, gold = split(topic_dataset(), "test")
    shares = np.unique(gold, return_counts=True)[1] / len(gold)
    assert any(found.value == pytest.approx(share) for share in shares)


def test_vectors_without_information_are_near_chance():
    assert score(topic_dataset(300), HashEncoder()).value < 0.75
