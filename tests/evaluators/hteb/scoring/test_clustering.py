from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import MiniBatchKMeans
from sklearn.metrics import v_measure_score

from robustrank.evaluators.hteb.records import Dataset
from robustrank.evaluators.hteb.scoring import clustering, score
from tests.evaluators.hteb.scoring.encoders import ConstantEncoder, HashEncoder, WordEncoder


def group(seed: int, n: int = 40, n_labels: int = 3) -> dict:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_labels, n).tolist()
    texts = [f"topic{label} w{rng.integers(6)} x{rng.integers(6)}" for label in labels]
    return {"sentences": texts, "labels": labels}


def nested(*groups: dict, languages=("eng",)) -> Dataset:
    return Dataset("groups", "clustering", list(groups), languages, clustering_format="nested")


def expected(row: dict, seed: int, batch_size: int) -> float:
    vectors = WordEncoder().encode(row["sentences"], role="text")
    model = MiniBatchKMeans(
        n_clusters=len(set(row["labels"])),
        batch_size=batch_size,
        n_init="auto",
        random_state=seed,
    )
    return v_measure_score(row["labels"], model.fit_predict(vectors))


@pytest.mark.parametrize("seed", [42, 1337])
def test_v_measure_is_the_mean_over_groups(seed):
    groups = [group(1), group(2), group(3, n_labels=4)]
    found = score(nested(*groups), WordEncoder(), seed=seed)
    values = [expected(row, seed, 500) for row in groups]
    assert found.instances["score"].to_numpy() == pytest.approx(values)
    assert found.value == pytest.approx(np.mean(values))
    assert (found.metric, found.n) == ("v_measure", 3)


def test_the_batch_size_is_the_caller_s():
    row = group(1, n=300, n_labels=8)
    found = score(nested(row), HashEncoder(), kmeans_batch_size=20)
    assert found.value != score(nested(row), HashEncoder()).value


def test_one_group_per_language():
    rows = [
        {"sentences": text, "labels": label, "language": name}
        for name, row in (("yor", group(1)), ("swa", group(2)))
        for text, label in zip(row["sentences"], row["labels"], strict=True)
    ]
    dataset = Dataset("news", "clustering", rows, ("yor", "swa"), clustering_format="per_language")
    found = score(dataset, WordEncoder())
    values = [expected(group(seed), 42, 500) for seed in (1, 2)]
    assert found.value == pytest.approx(np.mean(values))
    by_language = score(dataset, WordEncoder(), protocol="mteb").subsets
    assert dict(by_language) == pytest.approx(dict(zip(("yor", "swa"), values, strict=True)))


def flat(n: int) -> Dataset:
    row = group(5, n=n)
    rows = [
        {"sentences": text, "labels": label}
        for text, label in zip(row["sentences"], row["labels"], strict=True)
    ]
    return Dataset("flat", "clustering", rows, ("eng",), clustering_format="flat")


def test_mteb_clusters_samples_of_a_flat_dataset(monkeypatch):
    monkeypatch.setattr(clustering, "_SAMPLE_SIZE", 100)
    monkeypatch.setattr(clustering, "_N_SAMPLES", 3)
    encoder = WordEncoder()
    found = score(flat(1000), encoder, protocol="mteb")
    assert encoder.calls == [("text", 40)]  # 4%
    assert found.instances is None
    assert found.n == 1000
    assert 0.0 < found.value <= 1.0
    assert score(flat(1000), WordEncoder(), protocol="mteb").value == found.value
    other = score(flat(1000), WordEncoder(), protocol="mteb", seed=7)
    assert other.value != found.value


@pytest.mark.parametrize("n", [3, 30])
def test_a_sample_too_small_to_cluster_is_undefined(n):
    found = score(flat(n), WordEncoder(), protocol="mteb")
    assert np.isnan(found.value)
    assert f"4% of {n} texts" in found.notes[0].message


def test_groups_of_one_label_count_as_one_and_are_noted():
    found = score(nested(group(1), group(2, n_labels=1)), WordEncoder())
    assert found.value == pytest.approx((expected(group(1), 42, 500) + 1.0) / 2)
    (note,) = found.notes
    assert note.code == "one-label-groups"


@pytest.mark.parametrize("groups", [[], [group(1, n_labels=1), group(2, n_labels=1)]])
def test_nothing_to_tell_apart_is_undefined(groups):
    found = score(nested(*groups), WordEncoder())
    assert np.isnan(found.value)
    assert "more than one label" in found.notes[0].message


def test_constant_vectors_find_nothing():
    assert score(nested(group(1)), ConstantEncoder()).value == pytest.approx(0.0)


def test_names_of_labels_do_not_matter():
    row = group(1)
    named = {**row, "labels": [f"label {value}" for value in row["labels"]]}
    plain = score(nested(row), WordEncoder()).value
    assert score(nested(named), WordEncoder()).value == pytest.approx(plain)
