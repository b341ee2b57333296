"""Encoders for tests: their vectors follow from the text alone."""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np


@cache
def normal(text: str, dimensions: int) -> np.ndarray:
    seed = int(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12], 16)
    return np.random.default_rng(seed).normal(size=dimensions)


class HashEncoder:
    """Normal random vectors, one for each text."""

    def __init__(self, dimensions: int = 16, scale: float = 1.0, name: str = "hash") -> None:
        self.name = name
        self.calls: list[tuple[str, int]] = []
        self._dimensions = dimensions
        self._scale = scale

    def vector(self, text: str) -> np.ndarray:
        return normal(text, self._dimensions)

    def encode(self, texts, *, role) -> np.ndarray:
        self.calls.append((role, len(texts)))
        rows = [self.vector(text) * self._scale for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self._dimensions)

    def similarity(self, a, b) -> np.ndarray:
        return a @ b.T


class WordEncoder(HashEncoder):
    """The sum of one vector per word: texts that share words are alike."""

    def vector(self, text: str) -> np.ndarray:
        words = text.split()
        return sum((super(WordEncoder, self).vector(word) for word in words), np.zeros(1))


class SignEncoder(HashEncoder):
    """Vectors of four signs: their products and cosines are exact, and mostly ties."""

    def __init__(self) -> None:
        super().__init__(dimensions=4)

    def vector(self, text: str) -> np.ndarray:
        return np.sign(super().vector(text))


class TableEncoder:
    """Vectors that the test writes down."""

    name = "table"

    def __init__(self, table: dict[str, list[float]]) -> None:
        self._table = table

    def encode(self, texts, *, role) -> np.ndarray:
        rows = [self._table[text] for text in texts]
        width = len(next(iter(self._table.values())))
        return np.array(rows, dtype=np.float32).reshape(len(texts), width)

    def similarity(self, a, b) -> np.ndarray:
        return a @ b.T


class ConstantEncoder(HashEncoder):
    """The same vector for every text."""

    def vector(self, text: str) -> np.ndarray:
        return np.ones(self._dimensions)
