"""An encoder whose answers are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.errors import FormatError, NonNumericError
from robustrank.notes import Note, count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robustrank.evaluators.hteb.scoring.base import Encoder, Role
    from robustrank.evaluators.hteb.vectors import Vectors

#: Characters of a text that a message shows.
_SHOWN = 60


class CheckedEncoder:
    """An encoder whose vectors are known to be finite float32 arrays of the right shape.

    Attributes
    ----------
    name : str
    n_zero : int
        How many of the vectors so far had length 0.
    """

    def __init__(self, encoder: Encoder, dataset: str) -> None:
        self.name = encoder.name
        self.n_zero = 0
        self._encoder = encoder
        self._dataset = dataset

    def encode(self, texts: Sequence[str], *, role: Role) -> Vectors:
        """Return one vector per text; raise if the encoder gives anything else."""
        vectors: Vectors = np.asarray(self._encoder.encode(texts, role=role), dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts) or (len(texts) and not vectors.size):
            raise FormatError(
                f"Model {self.name!r} gave an array of shape {vectors.shape} for "
                f"{count(len(texts), 'text')} of {self._dataset!r}; it must give one vector for "
                "each.",
                [self.name, self._dataset],
            )
        for row in np.flatnonzero(~np.isfinite(vectors).all(axis=1))[:1]:
            raise NonNumericError(
                f"Model {self.name!r} gave a vector with NaN or infinity for a text of "
                f"{self._dataset!r}: {shorten(texts[row])}. Half precision overflows in some "
                "models: try dtype: float32.",
                [self.name, self._dataset],
            )
        self.n_zero += int((~vectors.any(axis=1)).sum())
        return vectors

    def similarity(self, a: Vectors, b: Vectors) -> Vectors:
        """Return the similarities by the model's own function, shape (len(a), len(b))."""
        result: Vectors = np.asarray(self._encoder.similarity(a, b), dtype=np.float32)
        if result.shape != (len(a), len(b)) or np.isnan(result).any():
            raise FormatError(
                f"The similarity function of model {self.name!r} gave an array of shape "
                f"{result.shape} for {len(a)} and {len(b)} vectors, or NaN; it must give one "
                "number for each pair of them.",
                [self.name, self._dataset],
            )
        return result

    def notes(self) -> tuple[Note, ...]:
        """Say how many vectors had length 0."""
        if not self.n_zero:
            return ()
        sentence = (
            f"Model {self.name!r} gave {count(self.n_zero, 'vector')} of length 0 on "
            f"{self._dataset!r}; their cosine with anything was taken as 0."
        )
        return (Note("zero-vectors", sentence, (self._dataset,)),)


def shorten(text: str) -> str:
    """Quote the beginning of a text."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def encode_groups(encoder: Encoder, groups: Sequence[Sequence[str]], role: Role) -> list[Vectors]:
    """Return the vectors of each group of texts, all encoded at once.

    Groups share texts, and long batches are faster.
    """
    vectors = encoder.encode([text for group in groups for text in group], role=role)
    ends = np.cumsum([len(group) for group in groups], dtype=np.intp)
    return [vectors[end - len(group) : end] for group, end in zip(groups, ends, strict=True)]


def paired_similarity(encoder: Encoder, a: Vectors, b: Vectors, block: int = 64) -> Vectors:
    """Return the model's own similarity of a[i] and b[i]."""
    parts = [
        np.diagonal(encoder.similarity(a[at : at + block], b[at : at + block]))
        for at in range(0, len(a), block)
    ]
    result: Vectors = np.concatenate(parts) if parts else np.empty(0, dtype=np.float32)
    return result
