"""Embedders around real models."""

from __future__ import annotations

import json
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from robustrank.errors import InputError
from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache
from robustrank.evaluators.hteb.embedding.loading import load_embedder
from robustrank.evaluators.hteb.records import Dataset
from robustrank.evaluators.hteb.scoring import score
from robustrank.evaluators.hteb.vectors import cosine
from tests.real import models
from tests.real.texts import PAIRS, labelled

# sentence-transformers and what it imports announce their own changes.
pytestmark = pytest.mark.filterwarnings("ignore")

TEXTS = labelled()[0]
STS = Dataset(
    "pairs",
    "sts",
    [{"sentence1": a, "sentence2": b, "score": gold} for a, b, gold in PAIRS],
    ("eng",),
)


@pytest.fixture(scope="module")
def minilm():
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(models.minilm()), device="cpu")


@pytest.fixture(scope="module")
def prompted(tmp_path_factory):
    """The folder of a model that brings prompts along."""
    from sentence_transformers import SentenceTransformer

    folder = tmp_path_factory.mktemp("prompted")
    prompts = {"query": "query: ", "document": "passage: ", "STS": "alike: "}
    SentenceTransformer(str(models.wordllama()), device="cpu", prompts=prompts).save(str(folder))
    return folder


def encode(model, texts=TEXTS, *, role="text", task_type="sts", cache=None, **options):
    embedder = load_embedder({"model": str(model), "device": "cpu", **options}, cache=cache)
    try:
        return embedder.encoder(task_type, "any").encode(texts, role=role)
    finally:
        embedder.close()


def test_vectors_are_those_of_sentence_transformers(minilm):
    assert encode(models.minilm()) == pytest.approx(minilm.encode(TEXTS), abs=1e-5)
    embedder = load_embedder(minilm)
    assert embedder.encoder("sts", "any").encode(TEXTS, role="query") == pytest.approx(
        minilm.encode(TEXTS), abs=1e-5
    )


@pytest.mark.parametrize(
    ("task_type", "role", "prompt"),
    [
        ("sts", "text", "alike: "),
        ("retrieval", "query", "query: "),
        ("reranking", "document", "passage: "),
        ("clustering", "text", ""),
    ],
)
def test_the_prompts_of_the_model_are_used(prompted, task_type, role, prompt):
    found = encode(prompted, role=role, task_type=task_type)
    plain = encode(models.wordllama(), [prompt + text for text in TEXTS])
    assert found == pytest.approx(plain, abs=1e-6)


def test_given_prompts_replace_those_of_the_model(prompted):
    found = encode(prompted, prompts={"Clustering": "topic: "}, task_type="clustering")
    plain = encode(models.wordllama(), ["topic: " + text for text in TEXTS])
    assert found == pytest.approx(plain, abs=1e-6)
    bare = encode(prompted, prompts={})
    assert bare == pytest.approx(encode(models.wordllama()), abs=1e-6)


def test_settings_reach_the_model(minilm):
    plain = encode(models.minilm())
    cut = encode(models.minilm(), max_sequence_length=5)
    assert not np.allclose(cut, plain, atol=1e-3)
    lengths = np.linalg.norm(encode(models.wordllama(), normalize=True), axis=1)
    assert lengths == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    assert encode(models.minilm(), encode_kwargs={"truncate_dim": 64}).shape[1] == 64
    half = encode(models.minilm(), dtype="bfloat16")
    close = np.diagonal(cosine(half, plain))
    assert 0.9 < close.min() < close.max() < 1.0


def test_two_devices_have_a_replica_each():
    found = encode(models.wordllama(), device=["cpu", "cpu"])
    assert found == pytest.approx(encode(models.wordllama()), abs=1e-6)


def test_out_of_memory_halves_the_batch_with_a_note(monkeypatch):
    embedder = load_embedder({"model": str(models.wordllama()), "batch_size": 8})
    model = embedder._backend._model
    real, sizes = type(model).encode, []

    def short_of_memory(texts, *, batch_size, **options):
        sizes.append(batch_size)
        if batch_size > 2:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return real(model, texts, batch_size=batch_size, **options)

    monkeypatch.setattr(model, "encode", short_of_memory)
    found = embedder.encoder("sts", "any").encode(TEXTS, role="text")
    assert sizes[:3] == [8, 4, 2]
    assert found == pytest.approx(encode(models.wordllama()), abs=1e-6)
    assert [note.code for note in embedder.notes] == ["batch-size-halved"] * 2


def test_out_of_memory_for_one_text_names_the_remedy(monkeypatch):
    embedder = load_embedder({"model": str(models.wordllama()), "batch_size": 1})

    def full(*_, **__):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(embedder._backend._model, "encode", full)
    with pytest.raises(InputError, match=r"single text.*max_sequence_length"):
        embedder.encoder("sts", "any").encode(["a"], role="text")


def test_a_second_run_embeds_nothing(tmp_path, monkeypatch):
    with EmbeddingCache(tmp_path / "cache.sqlite") as cache:
        before = encode(models.wordllama(), cache=cache)
        embedder = load_embedder({"model": str(models.wordllama())}, cache=cache)
        monkeypatch.setattr(embedder._backend._model, "encode", None)
        again = embedder.encoder("classification", "other").encode(TEXTS[::-1], role="text")
    assert (again == before[::-1]).all()


def test_the_identity_of_a_folder_is_its_content(tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(models.wordllama(), copy)
    original = load_embedder({"model": str(models.wordllama())}).identity
    assert load_embedder({"model": str(copy)}).identity == original
    assert load_embedder({"model": str(copy), "dtype": "bfloat16"}).identity != original
    assert load_embedder({"model": str(copy), "normalize": True}).identity != original
    assert load_embedder({"model": str(copy), "batch_size": 3}).identity == original
    with (copy / "config_sentence_transformers.json").open("a") as file:
        file.write("\n")
    assert load_embedder({"model": str(copy)}).identity != original


@pytest.mark.parametrize("source", ["nobody/no-such-model-4711", "."])
def test_a_model_that_cannot_be_loaded_is_named(source, tmp_path):
    source = str(tmp_path) if source == "." else source
    with pytest.raises(InputError, match="cannot be loaded"):
        load_embedder({"model": source})


def test_odd_texts_do_no_harm():
    odd = ["", " ", "\x00", "\ud800", "👩‍👩‍👧", "שלום", "word " * 20_000]
    assert np.isfinite(encode(models.minilm(), odd)).all()


def test_a_model_of_another_kind_scores_by_its_adapter(tmp_path):
    with EmbeddingCache(tmp_path / "cache.sqlite") as cache:
        embedder = load_embedder(models.UniversalSentenceEncoder(), cache=cache)
        found = score(STS, embedder.encoder("sts", "pairs"))
        assert embedder.name == "use-multilingual-v3"
        assert cache.size().n_vectors == len({text for pair in PAIRS for text in pair[:2]})
    assert found.value > 0.7


@pytest.mark.parametrize("model", [models.minilm, models.wordllama, models.multilingual])
def test_real_models_agree_with_people(model):
    embedder = load_embedder({"model": str(model()), "device": "cpu"})
    assert score(STS, embedder.encoder("sts", "pairs")).value > 0.6


@pytest.fixture
def endpoint():
    """A server for embeddings around a real model."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(models.wordllama()), device="cpu")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            vectors = model.encode(request["input"]).tolist()
            data = [{"index": n, "embedding": row} for n, row in enumerate(vectors)]
            content = json.dumps({"object": "list", "data": data}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def test_an_endpoint_gives_the_scores_of_the_model_itself(endpoint):
    remote = load_embedder({"model": "wordllama", "base_url": endpoint, "batch_size": 5})
    local = load_embedder({"model": str(models.wordllama()), "device": "cpu"})
    found, expected = (
        score(STS, embedder.encoder("sts", "pairs")).value for embedder in (remote, local)
    )
    assert found == pytest.approx(expected, abs=1e-9)
