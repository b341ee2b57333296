from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest

from robustrank.errors import InputError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.records import TASK_TYPES, Dataset, TaskType
from robustrank.evaluators.hteb.scoring import PROTOCOLS, Encoder, score
from robustrank.instances import read_instances
from robustrank.instances.designs import metric_kind
from tests.evaluators.hteb.scoring.encoders import ConstantEncoder, HashEncoder
from tests.evaluators.hteb.scoring.test_classification import topic_dataset
from tests.evaluators.hteb.scoring.test_pairs import RATINGS, pair_dataset
from tests.evaluators.hteb.scoring.test_reranking import random_rows, reranking_dataset


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_knows_every_task_type(name):
    assert set(PROTOCOLS[name].options) == set(TASK_TYPES) == set(get_args(TaskType))


def test_an_unknown_protocol_is_named_with_the_known_ones():
    with pytest.raises(UnknownLabelError, match=r"'hteb'.*did you mean.*'hteb-v1\.1'"):
        score(reranking_dataset(random_rows()), HashEncoder(), protocol="hteb")


@pytest.mark.parametrize("setting", [{"seed": -1}, {"kmeans_batch_size": 0}, {"seed": 1.5}])
def test_settings_are_checked(setting):
    with pytest.raises(ParameterError, match=next(iter(setting))):
        score(reranking_dataset(random_rows()), HashEncoder(), **setting)


class Broken(HashEncoder):
    def __init__(self, result) -> None:
        super().__init__(name="broken/model")
        self._result = result

    def encode(self, texts, *, role):
        return self._result(super().encode(texts, role=role))


def poke(value: float):
    def change(vectors):
        vectors[3, 1] = value
        return vectors

    return change


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_vector_with_nan_or_infinity_names_model_text_and_remedy(value):
    with pytest.raises(InputError, match=r"broken/model.*'a3 b3'.*float32") as caught:
        score(pair_dataset("sts", RATINGS), Broken(poke(value)))
    assert caught.value.labels == ("broken/model", "pairs")


@pytest.mark.parametrize(
    "result", [lambda v: v[:-1], lambda v: v[:, 0], lambda v: v[:, :0], lambda v: v[None]]
)
def test_an_array_of_the_wrong_shape_names_model_and_dataset(result):
    with pytest.raises(InputError, match=r"broken/model.*'pairs'"):
        score(pair_dataset("sts", RATINGS), Broken(result))


def test_a_similarity_of_the_wrong_shape_names_the_model():
    class Pairwise(HashEncoder):
        def similarity(self, a, b):
            return np.zeros(len(b))

    with pytest.raises(InputError, match=r"similarity function of model 'hash'"):
        score(reranking_dataset(random_rows()), Pairwise())


def test_a_list_of_lists_is_good_enough():
    class Plain(HashEncoder):
        def encode(self, texts, *, role):
            return super().encode(texts, role=role).tolist()

    dataset = pair_dataset("sts", RATINGS)
    assert score(dataset, Plain()).value == score(dataset, HashEncoder()).value


def test_the_protocol_of_encoders_is_what_these_are():
    assert isinstance(HashEncoder(), Encoder)


@pytest.mark.parametrize(
    "dataset", [topic_dataset(), reranking_dataset(random_rows())], ids=["accuracy", "map"]
)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_scores_per_instance_are_what_the_bootstrap_reads(dataset, protocol):
    tables, values = [], {}
    for encoder in (HashEncoder(), ConstantEncoder(name="constant")):
        found = score(dataset, encoder, protocol=protocol)
        values[encoder.name] = found.value
        tables.append(found.instances.assign(model=encoder.name, dataset=dataset.name))
    instances = read_instances(pd.concat(tables, ignore_index=True))
    assert instances.n_instances[dataset.name] == found.n
    # Their mean is the score, but for the rounding of trec_eval's users.
    assert dict(instances.scores()[dataset.name]) == pytest.approx(values, abs=1e-5)


def test_only_plain_correlations_and_proportions_have_analytic_errors():
    assert metric_kind("cosine_spearman") == "spearman"
    assert metric_kind("accuracy") == "proportion"
    for name in ("mean_cosine_spearman", "map", "ndcg_at_10", "max_ap", "v_measure", "f1"):
        assert metric_kind(name) is None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_odd_characters_do_no_harm(protocol):
    odd = ["\x00", "\ud800", "שלום", "👩‍👩‍👧", "x" * 100_000, "  "]
    rows = [
        {"sentence1": text, "sentence2": f"plain {number}", "score": float(number)}
        for number, text in enumerate(odd)
    ]
    found = score(Dataset("odd", "sts", rows, ("eng",)), HashEncoder(), protocol=protocol)
    assert -1.0 <= found.value <= 1.0
