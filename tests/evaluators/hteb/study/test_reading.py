from __future__ import annotations

from pathlib import Path

import pytest

from robustrank.errors import FormatError, InputError, ParameterError
from robustrank.evaluators.hteb.study.reading import load_config
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS

LEAST = {"datasets": ["banking77"], "generator": "rules"}


def written(tmp_path, text):
    path = tmp_path / "study.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_names_and_single_values_stand_for_mappings_and_lists():
    config = load_config(
        {"datasets": "banking77", "generator": "rules", "models": "a/b", "seeds": 7}
    )
    assert [part.name for part in config.datasets] == ["banking77"]
    assert config.generator.type == "rules"
    assert [model.model for model in config.models] == ["a/b"]
    assert config.seed_pairs == [(7, 7)]
    assert config.transformations == list(TRANSFORMATIONS)


def test_further_keys_of_generators_and_models_are_their_options():
    config = load_config(
        {
            "datasets": ["banking77"],
            "generator": {"type": "openai", "model": "m", "endpoints": ["http://x/v1"]},
            "models": [{"model": "a/b", "revision": "c0ffee", "batch_size": 8}],
        }
    )
    assert config.generator.options == {"model": "m", "endpoints": ["http://x/v1"]}
    assert config.models[0].options == {"revision": "c0ffee", "batch_size": 8}


def test_every_mistake_is_named_at_once_with_the_remedy():
    with pytest.raises(ParameterError) as caught:
        load_config(
            {
                "dataset": ["banking77"],
                "profile": "papr",
                "seeds": [-1],
                "quality": {"max_retrys": 1},
                "datasets": [{"name": "banking77", "limits": 3}],
            }
        )
    message = str(caught.value)
    assert "5 mistakes" in message
    for part in (
        "unknown key 'dataset' (did you mean 'datasets'?)",
        "'quality.max_retrys' (did you mean 'max_retries'?)",
        "(did you mean 'limit'?)",
        "profile",
        "seeds",
    ):
        assert part in message
    assert {"dataset", "quality.max_retrys"} <= set(caught.value.labels)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"transformations": ["paraphrase"]}, "did you mean 'paraphrasing'"),
        ({"seeds": [1, 2, 1]}, "seeds has 1 more than once"),
        ({"models": ["a/b", "a/b"]}, "models has a/b more than once; give each a name"),
        ({"seeds": [1, 2], "evaluation_seeds": [3]}, "paired with seeds by position"),
        ({"datasets": [{"limit": 3}]}, "either the name of a dataset or the path"),
        ({"limit": 0}, "limit"),
        ({"datasets": []}, "datasets"),
        ({"seeds": [2**32]}, "seeds"),
        ({"sampling": {"temperature": float("inf")}}, "sampling.temperature"),
        ({"quality": {"max_retries": True}}, "quality.max_retries"),
        ({"seeds": [True]}, "seeds"),
        (
            {"import_from": {"directory": "x", "generator_model": "m"}},
            "leave out generator or import_from",
        ),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(change, problem):
    with pytest.raises(ParameterError) as caught:
        load_config(LEAST | change)
    assert problem in str(caught.value)


def test_paths_in_a_file_are_relative_to_it_and_those_given_beside_it_are_not(tmp_path):
    path = written(
        tmp_path,
        "datasets: [{path: data/own.yaml}]\ngenerator: rules\nprompts: p.yaml\n"
        "models: [./mine, owner/name]\nstore: s.sqlite\noutput: out\n",
    )
    config = load_config(path)
    assert config.datasets[0].path == str(tmp_path / "data/own.yaml")
    assert config.prompts == tmp_path / "p.yaml"
    assert [model.model for model in config.models] == [str(tmp_path / "mine"), "owner/name"]
    assert config.store_location == str(tmp_path / "s.sqlite")
    assert config.output == tmp_path / "out"
    assert load_config(path, output=Path("here")).output == Path("here")
    url = "postgresql://user@host/db"
    assert load_config({**LEAST, "store": url}).store_location == url


def test_a_description_may_be_named_by_its_path_alone(tmp_path):
    path = written(tmp_path, "datasets: [own.yaml, banking77]\ngenerator: rules\n")
    parts = load_config(path).datasets
    assert [(part.name, part.path) for part in parts] == [
        (None, str(tmp_path / "own.yaml")),
        ("banking77", None),
    ]


def test_a_limit_beside_the_file_replaces_every_limit_in_it(tmp_path):
    text = "datasets: [{path: own.yaml, limit: 3}]\nlimit: 9\ngenerator: rules\n"
    path = written(tmp_path, text)
    config = load_config(path, limit=2)
    assert (config.limit, config.datasets[0].limit) == (2, None)
    assert load_config(path).datasets[0].limit == 3


def test_the_store_lies_in_the_output_unless_it_is_named():
    assert load_config(LEAST).store_location == str(Path("hteb-results/generations.sqlite"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [("- a\n- b\n", "holds list"), ("a: [", "is not YAML"), ("", "holds NoneType")],
)
def test_a_file_that_is_no_configuration_is_refused(tmp_path, text, problem):
    with pytest.raises(FormatError, match=problem):
        load_config(written(tmp_path, text))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"nowhere\.yaml"):
        load_config(tmp_path / "nowhere.yaml")


V11 = """
load_existing_transformations: false
transformations_directory: data/transformations
generator_model: cyankiwi/gemma-4-31B-it-AWQ-4bit
emb_models:
  - model_id: intfloat/multilingual-e5-small
    settings:
      batch_size: 64
      normalize_embeddings: true
      attn_implementation: sdpa
      prompt_names: {retrieval: {query: query, document: passage}}
selection:
  datasets:
    banking77: {generation: {max_tokens: 256}}
    english:
  transformations: [translation, paraphrasing]
  seed_transform: [1337, 1338]
evaluation:
  trust_remote_code: false
  seed_evaluation: [1, 2]
  devices: cpu
generation:
  trust_remote_code: true
  max_model_length_default: 4096
  max_tokens_default: 500
  quantization: awq
  temperature: 0.5
  max_retries: 2
"""


def test_a_configuration_of_hteb_1_1_means_what_it_meant(tmp_path):
    config = load_config(written(tmp_path, V11))
    assert (config.profile, config.protocol, config.fallback) == ("v1.1", "hteb-v1.1", "original")
    assert config.seed_pairs == [(1337, 1), (1338, 2)]
    assert [(part.name, part.max_tokens) for part in config.datasets] == [
        ("banking77", 256),
        ("english", None),
    ]
    assert config.generator.type == "vllm"
    assert config.generator.options == {
        "model": "cyankiwi/gemma-4-31B-it-AWQ-4bit",
        "engine": {"max_model_len": 4096, "quantization": "awq", "trust_remote_code": True},
    }
    assert config.sampling.model_dump(exclude_none=True) == {"temperature": 0.5, "max_tokens": 500}
    assert config.quality.max_retries == 2
    assert config.models[0].options == {
        "batch_size": 64,
        "normalize": True,
        "prompt_names": {"retrieval": {"query": "query", "document": "passage"}},
    }
    assert config.embedding == {"dtype": "bfloat16", "device": ["cpu"]}
    assert config.export_to == Path("data/transformations")  # relative to the working directory
    assert config.import_from is None


def test_existing_transformations_are_imported(tmp_path):
    text = V11.replace("transformations: false", "transformations: true")
    config = load_config(written(tmp_path, text))
    assert config.generator is None
    assert config.import_from.directory == Path("data/transformations")
    assert config.import_from.generator_model == "cyankiwi/gemma-4-31B-it-AWQ-4bit"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("max_retries: 2", "max_retry: 2", "max_retr"),
        ("quantization: awq", "devices: [0, 1]", "vllm serve"),
        ("attn_implementation: sdpa", "attn_implementation: eager", "attn_implementation"),
        ("normalize_embeddings: true", "pooling: {strategy: cls}", "pooling"),
        ("max_tokens: 256", "devices: [0]", "one engine works on all datasets"),
        ("selection:", "selections:", "selection"),
        ("model_id: intfloat/multilingual-e5-small", "model: x", "model_id"),
    ],
)
def test_what_hteb_1_1_does_not_know_or_we_cannot_do_is_refused(tmp_path, old, new, problem):
    assert old in V11
    with pytest.raises(InputError, match=problem):
        load_config(written(tmp_path, V11.replace(old, new)))
