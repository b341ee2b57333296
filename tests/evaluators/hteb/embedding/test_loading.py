from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from robustrank.errors import FormatError, InputError, ParameterError, UnknownLabelError
from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache
from robustrank.evaluators.hteb.embedding.loading import load_embedder
from robustrank.evaluators.hteb.records import Dataset
from robustrank.evaluators.hteb.scoring import Encoder, score

TEXTS = ["b", "a longer text", "a", "b", "a longer text"]


class Lengths:
    """A third party's model: the length of a text, and one."""

    def __init__(self, identity: str | None = "lengths 1") -> None:
        self.seen: list[list[str]] = []
        self.identity = identity

    def encode(self, texts: list[str]) -> np.ndarray:
        self.seen.append(list(texts))
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float64)

    def n_texts(self) -> int:
        return sum(map(len, self.seen))


@pytest.fixture
def cache(tmp_path):
    with EmbeddingCache(tmp_path / "cache.sqlite") as opened:
        yield opened


def encode(model, texts=TEXTS, cache=None, role="text") -> np.ndarray:
    return load_embedder(model, cache=cache).encoder("sts", "any").encode(texts, role=role)


def test_equal_texts_are_embedded_once_and_rows_keep_their_order():
    model = Lengths()
    found = encode(model)
    assert found[:, 0].tolist() == [len(text) for text in TEXTS]
    assert found.dtype == np.float32
    assert sorted(model.seen[0]) == sorted(set(TEXTS))


def test_long_texts_come_first():
    model = Lengths()
    encode(model, ["xx", "xxxx", "x", "xxx"])
    assert model.seen == [["xxxx", "xxx", "xx", "x"]]


def test_a_text_is_embedded_once_ever(cache):
    first, second = Lengths(), Lengths()
    before = encode(first, cache=cache)
    again = encode(second, [*TEXTS, "new"], cache=cache)
    assert second.seen == [["new"]]
    assert (again[:-1] == before).all()


def test_another_identity_does_not_share(cache):
    encode(Lengths("one"), cache=cache)
    other = Lengths("two")
    encode(other, cache=cache)
    assert other.n_texts() == 3


def test_without_an_identity_nothing_is_kept_and_a_note_says_so(cache):
    model = Lengths(identity=None)
    embedder = load_embedder(model, cache=cache)
    encoder = embedder.encoder("sts", "any")
    encoder.encode(TEXTS, role="text")
    encoder.encode(TEXTS, role="text")
    assert model.n_texts() == 6
    assert cache.size().n_vectors == 0
    (note,) = embedder.notes
    assert (note.code, note.labels) == ("not-cached", ("Lengths",))


def test_chunks_are_kept_as_they_come(cache, monkeypatch):
    class Fails(Lengths):
        def encode(self, texts):
            if "short" in texts:
                raise MemoryError("no more")
            return super().encode(texts)

    monkeypatch.setattr("robustrank.evaluators.hteb.embedding.backends.ObjectBackend.chunk_size", 2)
    texts = ["the longest text", "a long text", "short", "tiny"]
    with pytest.raises(MemoryError):
        encode(Fails(), texts, cache)
    assert cache.size().n_vectors == 2
    model = Lengths()
    encode(model, texts, cache)
    assert model.n_texts() == 2


def test_vectors_that_are_not_finite_are_not_kept(cache):
    class Overflows(Lengths):
        name = "overflows"

        def encode(self, texts):
            return super().encode(texts) * np.inf

    rows = [{"sentence1": "a", "sentence2": f"b{n}", "score": n} for n in range(3)]
    dataset = Dataset("any", "sts", rows, ("eng",))
    encoder = load_embedder(Overflows(), cache=cache).encoder("sts", "any")
    with pytest.raises(InputError, match="'overflows' gave a vector with NaN or infinity"):
        score(dataset, encoder)
    assert cache.size().n_vectors == 0


def test_half_a_surrogate_pair_is_replaced_and_noted(cache):
    model = Lengths()
    embedder = load_embedder(model, cache=cache)
    odd = ["\ud83d", "\ud83d\ude00", "😀", "plain"]
    found = embedder.encoder("sts", "any").encode(odd, role="text")
    assert set(model.seen[0]) == {"\ufffd", "😀", "plain"}  # two halves make a whole
    assert found.shape == (4, 2)
    assert [note.code for note in embedder.notes] == ["surrogates-replaced"]


@pytest.mark.parametrize("texts", [[], [""], ["\x00"], ["x" * 100_000, "👩‍👩‍👧", "שלום"]])
def test_odd_texts(texts, cache):
    assert len(encode(Lengths(), texts, cache)) == len(texts)


@pytest.mark.parametrize("result", [lambda n: np.zeros((n + 1, 2)), np.zeros, lambda n: ["x"] * n])
def test_a_result_that_is_no_table_names_the_model(result, cache):
    class Wrong(Lengths):
        name = "wrong"

        def encode(self, texts):
            return result(len(texts))

    with pytest.raises(FormatError, match="Model 'wrong' gave"):
        encode(Wrong(), cache=cache)
    assert cache.size().n_vectors == 0


def test_the_object_s_own_similarity_is_used():
    class Dot(Lengths):
        def similarity(self, a, b):
            return a @ b.T

    a = np.array([[2.0, 0.0]], dtype=np.float32)
    assert load_embedder(Dot()).similarity(a, a).tolist() == [[4.0]]
    assert load_embedder(Lengths()).similarity(a, a).tolist() == [[1.0]]


def test_an_encoder_is_what_scoring_takes():
    assert isinstance(load_embedder(Lengths()).encoder("sts", "any"), Encoder)


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (7, ParameterError, "encode.*got int"),
        ({}, ParameterError, "needs the key model.*none"),
        ({"model": "m", "kind": "openia"}, UnknownLabelError, "'m'.*'openia'.*'openai'"),
        ({"model": "m", "base_url": "u", "batchsize": 1}, UnknownLabelError, "did.*'batch_size'"),
        ({"model": "m", "kind": "openai"}, ParameterError, "'m'.*needs the key base_url"),
        ({"model": "m", "dtype": "float8"}, UnknownLabelError, "dtype 'float8'"),
        ({"model": "m", "encode_kwargs": {"prompt": "p"}}, ParameterError, "'m'.*'prompt'"),
        ({"model": "m", "batch_size": 0}, ParameterError, "batch_size"),
    ],
)
def test_a_wrong_setting_is_named(model, error, message):
    with pytest.raises(error, match=message):
        load_embedder(model)


def test_nothing_heavy_is_imported():
    code = """
import sys
import robustrank.evaluators.hteb.embedding.loading, robustrank.evaluators.hteb.scoring
heavy = {"torch", "sentence_transformers", "httpx", "datasets", "mteb", "sklearn", "sqlalchemy"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_missing_package_names_what_to_install(monkeypatch):
    for package, model in (
        ("sentence_transformers", {"model": "m"}),
        ("httpx", {"model": "m", "base_url": "http://127.0.0.1:9/v1"}),
    ):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(InputError, match=r"pip install 'robustrank\[hteb\]'"):
            load_embedder(model)
