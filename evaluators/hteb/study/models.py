"""The models of a study: their names, what they are, and how they are loaded."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustrank.errors import DuplicateError, ParameterError
from robustrank.evaluators.hteb.embedding.loading import check_options, load_embedder
from robustrank.evaluators.hteb.embedding.sentence_transformer import digest_folder
from robustrank.evaluators.hteb.hashing import digest
from robustrank.notes import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from robustrank.evaluators.hteb.embedding.cache import EmbeddingCache
    from robustrank.evaluators.hteb.embedding.loading import Embedder
    from robustrank.evaluators.hteb.study.config import ModelConfig


@dataclass(frozen=True, eq=False)
class Model:
    """An embedding model that is not loaded yet.

    Attributes
    ----------
    name : str
        What tables call it.
    source : mapping or object
        Options of `load_embedder`, or an object that encodes.
    """

    name: str
    source: Mapping[str, Any] | object

    @property
    def options(self) -> dict[str, Any] | None:
        """The options as the configuration gives them; None for an object."""
        return dict(self.source) if isinstance(self.source, dict) else None

    @cached_property
    def key(self) -> str | None:
        """A hash of what decides its vectors; None where that is unknown."""
        if self.options is None:
            identity = getattr(self.source, "identity", None)
            try:
                return None if identity is None else digest(["object", identity])
            except (TypeError, ValueError) as error:
                raise ParameterError(
                    f"The identity of {self.name} must be something that JSON can hold, such as a "
                    f"text; it is {identity!r}.",
                    [self.name],
                ) from error
        folder = Path(str(self.options["model"]))
        return digest([self.options, digest_folder(folder) if folder.is_dir() else None])

    @property
    def notes(self) -> list[Note]:
        """Whether its scores rest on a name alone."""
        options = self.options
        if (
            options is None
            or "base_url" in options
            or options.get("revision")
            or Path(str(options["model"])).is_dir()
        ):
            return []
        sentence = (
            f"The revision of {self.name} is not pinned: scores of an earlier one are kept as if "
            "they were of this one. Pin it with revision."
        )
        return [Note("unpinned-model", sentence, (self.name,))]

    def load(self, cache: EmbeddingCache) -> Embedder:
        """Load it."""
        options = self.options
        return load_embedder(
            self.source if options is None else {**options, "name": self.name}, cache=cache
        )


def list_models(
    configured: Sequence[ModelConfig], objects: Iterable[object], defaults: Mapping[str, Any]
) -> list[Model]:
    """Return the models of a study, checked as far as that is possible without loading them.

    Parameters
    ----------
    configured : sequence of ModelConfig
    objects : iterable
        Objects with a method ``encode``.
    defaults : mapping
        Options for configured models that do not name their own.

    Raises
    ------
    InputError
        If there is no model, two have one name, or an option is unknown.
    """
    models = [_configured(model, defaults) for model in configured]
    models += [Model(str(getattr(each, "name", type(each).__name__)), each) for each in objects]
    if not models:
        raise ParameterError(
            "The configuration names no models. List some under 'models', such as "
            "'models: [sentence-transformers/all-MiniLM-L6-v2]'.",
            ["models"],
        )
    # scores.JSON knows models by the last part of their names.
    for shown in ([each.name for each in models], [_last(each.name) for each in models]):
        twice = sorted(name for name, number in Counter(shown).items() if number > 1)
        if twice:
            raise DuplicateError(
                f"Two models would be called {', '.join(twice)}. Give each a name of its own, as "
                "in {model: owner/model, name: other}, or, for an object, an attribute name.",
                twice,
            )
    return models


def _configured(model: ModelConfig, defaults: Mapping[str, Any]) -> Model:
    options = {**defaults, **model.options, "model": model.model}
    folder = Path(model.model).expanduser()
    name = model.name or (folder.resolve().name if folder.is_dir() else model.model)
    check_options({**options, "name": name})
    if folder.is_absolute() and not folder.is_dir():
        raise ParameterError(f"There is no folder {folder} for the model {name!r}.", [name])
    return Model(name, options)


def _last(name: str) -> str:
    return name.rstrip("/").rsplit("/", 1)[-1]
