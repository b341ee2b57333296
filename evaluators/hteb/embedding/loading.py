"""`load_embedder`: embedding models by configuration, and their encoders, with a cache."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank.errors import FormatError, ParameterError, unknown_label
from robustrank.evaluators.hteb.embedding.backends import ObjectBackend
from robustrank.evaluators.hteb.embedding.remote import RemoteBackend
from robustrank.evaluators.hteb.embedding.sentence_transformer import SentenceTransformerBackend
from robustrank.evaluators.hteb.hashing import digest
from robustrank.notes import Note, count, merge_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robustrank.evaluators.hteb.embedding.backends import Backend, Manner
    from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache
    from robustrank.evaluators.hteb.records import TaskType
    from robustrank.evaluators.hteb.scoring.base import Role
    from robustrank.evaluators.hteb.vectors import Vectors

#: The kinds of embedders that a configuration can name.
KINDS: dict[str, Callable[..., Backend]] = {
    "sentence-transformers": SentenceTransformerBackend,
    "openai": RemoteBackend,
}


class Embedder:
    """An embedding model with its cache.

    Parameters
    ----------
    backend : Backend
    cache : EmbeddingCache, optional

    Attributes
    ----------
    name : str
    identity : mapping or None
        Everything but the prompt that decides what the vectors are; None if it is unknown.
    """

    def __init__(self, backend: Backend, cache: EmbeddingCache | None = None) -> None:
        self.name = backend.name
        self.identity = backend.identity
        self._backend = backend
        self._cache = cache if backend.identity is not None else None
        self._n_replaced = self._dimension = 0
        self._not_kept = cache is not None and backend.identity is None

    def encoder(self, task_type: TaskType, dataset_name: str) -> TaskEncoder:
        """Return the encoder for the texts of a dataset."""
        return TaskEncoder(self, task_type, dataset_name)

    def embed(self, texts: Sequence[str], manner: Manner) -> Vectors:
        """Return one vector per text; equal texts are embedded once.

        Long texts come first: a batch that does not fit into memory shows at once, and texts of
        one length share batches.
        """
        cleaned = [self._clean(text) for text in texts]
        unique = list(dict.fromkeys(cleaned))
        space = "" if self._cache is None else self._space(manner)
        known = {} if self._cache is None else self._cache.get(space, unique)
        missing = sorted((text for text in unique if text not in known), key=len, reverse=True)
        at = 0
        while at < len(missing):  # the size of chunks shrinks when memory runs out
            chunk = missing[at : at + self._backend.chunk_size]
            vectors = self._backend.encode(chunk, manner)
            self._check(vectors, chunk)
            if self._cache is not None and np.isfinite(vectors).all():
                self._cache.put(space, chunk, vectors)
            known.update(zip(chunk, vectors, strict=True))
            at += len(chunk)
        if not cleaned:
            return np.empty((0, 0), dtype=np.float32)
        return np.stack([known[text] for text in cleaned])

    def manner(self, task_type: TaskType, dataset: str, role: Role) -> Manner:
        """Return how texts of this role in this dataset are embedded."""
        return self._backend.manner(task_type, dataset, role)

    def similarity(self, a: Vectors, b: Vectors) -> Vectors:
        """Return the model's own similarity of each row of `a` and each of `b`."""
        return self._backend.similarity(a, b)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What happened so far that a reader should know."""
        found = list(self._backend.notes)
        if self._not_kept:
            sentence = (
                f"Embeddings of {self.name!r} are not kept: the object has no identity. Give it "
                "an attribute identity that changes whenever its vectors do."
            )
            found.append(Note("not-cached", sentence, (self.name,)))
        if self._n_replaced:
            sentence = (
                f"{count(self._n_replaced, 'text')} with half of a surrogate pair, which is no "
                f"character, had it replaced before {self.name!r} embedded them."
            )
            found.append(Note("surrogates-replaced", sentence, (self.name,)))
        return merge_notes(found)

    def close(self) -> None:
        """Release what the model holds; the cache stays open."""
        self._backend.close()

    def _space(self, manner: Manner) -> str:
        return digest({"model": self.identity, "prompt": manner.prompt, "role": manner.role})

    def _clean(self, text: str) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            self._n_replaced += 1
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text

    def _check(self, vectors: Vectors, texts: Sequence[str]) -> None:
        """Raise before anything is kept that cannot be one vector per text."""
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise FormatError(
                f"Model {self.name!r} gave an array of shape {vectors.shape} for "
                f"{count(len(texts), 'text')}; it must give one vector for each.",
                [self.name],
            )
        self._dimension = self._dimension or vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise FormatError(
                f"Model {self.name!r} gave vectors of {self._dimension} dimensions and now of "
                f"{vectors.shape[1]}; all must have the same.",
                [self.name],
            )


class TaskEncoder:
    """Encodes the texts of one dataset; see `robustrank.evaluators.hteb.scoring.Encoder`."""

    def __init__(self, embedder: Embedder, task_type: TaskType, dataset: str) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._task_type = task_type
        self._dataset = dataset

    def encode(self, texts: Sequence[str], *, role: Role) -> Vectors:
        """Return one vector per text."""
        manner = self._embedder.manner(self._task_type, self._dataset, role)
        return self._embedder.embed(texts, manner)

    def similarity(self, a: Vectors, b: Vectors) -> Vectors:
        """Return the model's own similarity of each row of `a` and each of `b`."""
        return self._embedder.similarity(a, b)


def load_embedder(model: Any, *, cache: EmbeddingCache | None = None) -> Embedder:
    """Load an embedding model.

    Parameters
    ----------
    model : str, mapping or object
        The id of a sentence-transformers model or its folder. A mapping with ``model`` and,
        optionally, ``kind`` (``"sentence-transformers"``, or ``"openai"`` for an endpoint, which is
        the default where there is a ``base_url``); the other keys are the parameters of
        `SentenceTransformerBackend` and `RemoteBackend`. A ``SentenceTransformer``. Any object with
        ``encode(list of str) -> array``; see `ObjectBackend`.
    cache : EmbeddingCache, optional
        Where embeddings are kept; by default, nowhere.

    Returns
    -------
    Embedder

    Raises
    ------
    InputError
        If a setting is unknown or the model cannot be loaded.
    """
    if isinstance(model, str):
        model = {"model": model}
    if isinstance(model, Mapping):
        return Embedder(_configured(dict(model)), cache)
    library = sys.modules.get("sentence_transformers")  # where a model of its comes from
    if library is not None and isinstance(model, library.SentenceTransformer):
        return Embedder(SentenceTransformerBackend(model), cache)
    return Embedder(ObjectBackend(model), cache)


def check_options(options: Mapping[str, Any]) -> str:
    """Raise if a model's options are incomplete or unknown; return its kind."""
    name = options.get("name") or options.get("model")
    kind = options.get("kind", "openai" if "base_url" in options else "sentence-transformers")
    if kind not in KINDS:
        raise unknown_label(f"kind of embedding model {name!r}:", kind, KINDS)
    if "model" not in options:
        raise ParameterError(
            "An embedding model needs the key model: an id, a folder or what a server calls it; "
            f"got the keys {', '.join(map(str, options)) or 'none'}."
        )
    parameters = inspect.signature(KINDS[kind]).parameters
    for key in options:
        if key != "kind" and key not in parameters:
            raise unknown_label(f"setting of embedding model {name!r} ({kind}):", key, parameters)
    needed = [key for key, one in parameters.items() if one.default is one.empty]
    for key in needed:
        if key not in options:
            raise ParameterError(f"Embedding model {name!r} ({kind}) needs the key {key}.", [name])
    return str(kind)


def _configured(options: dict[str, Any]) -> Backend:
    kind = check_options(options)
    options.pop("kind", None)
    return KINDS[kind](options.pop("model"), **options)
