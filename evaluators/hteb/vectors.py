"""Embeddings as arrays, and their cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    #: One embedding per row.
    Vectors: TypeAlias = NDArray[np.float32]


def unit_rows(vectors: Vectors) -> Vectors:
    """Return the vectors with length 1; those of length 0 stay as they are."""
    # Scaled first: the squares of very large or small numbers leave the range of float32.
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    scaled: Vectors = np.divide(vectors, largest, out=np.zeros_like(vectors), where=largest > 0)
    length = np.linalg.norm(scaled, axis=1, keepdims=True)
    np.divide(scaled, length, out=scaled, where=length > 0)
    return scaled


def cosine(a: Vectors, b: Vectors) -> Vectors:
    """Return the cosine of each row of `a` with each of `b`; 0 for vectors of length 0."""
    result: Vectors = unit_rows(a) @ unit_rows(b).T
    return result
