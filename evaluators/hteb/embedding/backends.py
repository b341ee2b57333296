"""What a source of embeddings is, and any object with an ``encode`` method as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from robustrank.errors import FormatError, ParameterError
from robustrank.evaluators.hteb.vectors import cosine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.records import TaskType
    from robustrank.evaluators.hteb.scoring.base import Role
    from robustrank.evaluators.hteb.vectors import Vectors
    from robustrank.notes import Note


@dataclass(frozen=True)
class Manner:
    """How a text is embedded, besides the settings that hold for every text.

    Attributes
    ----------
    prompt : str
        What is put before it; may be empty.
    role : str or None
        The role, for models that treat queries and documents differently beyond their prompts.
    """

    prompt: str = ""
    role: str | None = None


class Backend(Protocol):
    """A model that turns texts into vectors.

    Attributes
    ----------
    name : str
    notes : list of Note
        What happened so far that a reader should know.
    """

    name: str
    notes: list[Note]

    @property
    def identity(self) -> Mapping[str, Any] | None:
        """Everything but the manner that decides what its vectors are, JSON-safe.

        None if that is not known, so that they cannot be kept.
        """
        ...

    @property
    def chunk_size(self) -> int:
        """Texts that are worth giving it at once."""
        ...

    def manner(self, task_type: TaskType, dataset: str, role: Role) -> Manner:
        """Return how texts of this role in this dataset are embedded."""
        ...

    def encode(self, texts: list[str], manner: Manner) -> Vectors:
        """Return one vector per text."""
        ...

    def similarity(self, a: Vectors, b: Vectors) -> Vectors:
        """Return the model's own similarity of each row of `a` and each of `b`."""
        ...

    def close(self) -> None:
        """Release connections, processes and memory."""
        ...


class ObjectBackend:
    """Any object with ``encode(list of str) -> array``.

    Where it has them, its ``similarity(a, b)`` compares vectors (else the cosine does), its
    ``name`` names it, and its ``identity`` (JSON-safe) is what its vectors are kept under.
    """

    chunk_size = 1024

    def __init__(self, model: Any, name: str | None = None) -> None:
        if not callable(getattr(model, "encode", None)):
            raise ParameterError(
                "An embedding model is a mapping of settings or an object with a method "
                f"encode(list of texts) -> array; got {type(model).__name__}.",
                [type(model).__name__],
            )
        self.name = name or str(getattr(model, "name", "") or type(model).__name__)
        identity = getattr(model, "identity", None)
        self.identity = None if identity is None else {"object": identity}
        self.notes: list[Note] = []
        self._model = model

    def manner(self, task_type: TaskType, dataset: str, role: Role) -> Manner:  # noqa: ARG002 - it knows none of these
        """Return the one manner that there is."""
        return Manner()

    def encode(self, texts: list[str], manner: Manner) -> Vectors:
        """Return one vector per text."""
        return as_vectors(self._model.encode([manner.prompt + text for text in texts]), self.name)

    def similarity(self, a: Vectors, b: Vectors) -> Vectors:
        """Return the object's own similarity, else the cosine."""
        own = getattr(self._model, "similarity", None)
        return as_vectors(own(a, b), self.name) if callable(own) else cosine(a, b)

    def close(self) -> None:
        """Do nothing: the object is its owner's."""


def as_vectors(values: Any, model: str) -> Vectors:
    """Return an array, a list or a tensor as an array of float32."""
    try:
        if hasattr(values, "detach"):  # a tensor, perhaps on another device or of half precision
            values = values.detach().cpu().float().numpy()
        return np.asarray(values).astype(np.float32, casting="same_kind")
    except (TypeError, ValueError, RuntimeError) as error:
        raise FormatError(
            f"Model {model!r} gave {type(values).__name__} instead of an array of numbers: "
            f"{error}.",
            [model],
        ) from error
