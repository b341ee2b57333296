"""Embeddings by sentence-transformers, from the Hub or a local folder."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustrank.errors import InputError, ParameterError, check_count, unknown_label
from robustrank.evaluators.hteb.embedding.backends import Manner, as_vectors
from robustrank.evaluators.hteb.embedding.prompts import check_prompt_names, find_prompt
from robustrank.notes import Note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robustrank.evaluators.hteb.embedding.prompts import PromptNames
    from robustrank.evaluators.hteb.records import TaskType
    from robustrank.evaluators.hteb.scoring.base import Role
    from robustrank.evaluators.hteb.vectors import Vectors

_DTYPES = ("float32", "float16", "bfloat16")
#: Settings of ``encode`` that have a place of their own or would change what is returned.
_RESERVED = (
    "batch_size",
    "convert_to_numpy",
    "convert_to_tensor",
    "device",
    "inputs",
    "normalize_embeddings",
    "output_value",
    "pool",
    "prompt",
    "prompt_name",
    "sentences",
    "show_progress_bar",
    "task",
)
#: Batches that are encoded, and kept, at once: enough for texts of one length to meet.
_BATCHES = 32


class SentenceTransformerBackend:
    """A sentence-transformers model.

    Parameters
    ----------
    model : str, path or SentenceTransformer
        The id on the Hub, a local folder, or the model itself.
    name : str, optional
        What to call it; by default, what `model` says.
    revision : str, optional
        The commit on the Hub.
    prompts : mapping, optional
        Prompts in place of the model's own; see `find_prompt` for their names.
    prompt_names : mapping, optional
        Task type → role → name of the prompt, as in HTEB 1.1.
    dtype : {"float32", "float16", "bfloat16"}
        float32 by default: half precision moves scores by about as much as close models differ,
        and a CPU is slower with it. On a GPU, bfloat16 is twice as fast.
    device : str or list of str, optional
        Several devices have a replica each. By default, what sentence-transformers picks.
    batch_size : int
        Halved, with a note, when the memory of the device does not suffice.
    max_sequence_length : int, optional
        Tokens after which a text is cut; the model's own limit holds if it is lower.
    normalize : bool
        Whether vectors are scaled to length 1.
    encode_kwargs : mapping, optional
        Further arguments of ``encode``.
    trust_remote_code : bool
        Whether code that comes with the model may run.
    """

    def __init__(
        self,
        model: Any,
        *,
        name: str | None = None,
        revision: str | None = None,
        prompts: Mapping[str, str] | None = None,
        prompt_names: PromptNames | None = None,
        dtype: str = "float32",
        device: str | Sequence[str] | None = None,
        batch_size: int = 32,
        max_sequence_length: int | None = None,
        normalize: bool = False,
        encode_kwargs: Mapping[str, Any] | None = None,
        trust_remote_code: bool = False,
    ) -> None:
        if dtype not in _DTYPES:
            raise unknown_label("dtype", dtype, _DTYPES)
        for key in encode_kwargs or {}:
            if key in _RESERVED:
                raise ParameterError(
                    f"encode_kwargs of {name or model!r} must not hold {key!r}: it is set by the "
                    "evaluator, or an option of its own (batch_size, normalize, device, prompts).",
                    [key],
                )
        self.notes: list[Note] = []
        self._batch_size = check_count("batch_size", batch_size, 1)
        devices = [device] if isinstance(device, str) else list(device or [])
        self._devices = devices if len(devices) > 1 else []
        self._pool: dict[str, Any] | None = None
        given = isinstance(model, str | Path)
        self.name = name or (str(model) if given else type(model).__name__)
        self._model = (
            _load(str(model), revision, dtype, devices[:1], trust_remote_code=trust_remote_code)
            if given
            else model
        )
        if max_sequence_length is not None:
            own = self._model.max_seq_length
            limit = check_count("max_sequence_length", max_sequence_length, 1)
            self._model.max_seq_length = min(limit, own) if own else limit
        own_prompts = {key: text or "" for key, text in self._model.prompts.items()}
        self._prompts = dict(own_prompts if prompts is None else prompts)
        self._default = self._model.default_prompt_name if prompts is None else None
        self._prompt_names = prompt_names
        check_prompt_names(prompt_names or {}, self._prompts, self.name)
        self._by_role = _treats_roles_differently(self._model)
        self._kwargs = {"normalize_embeddings": normalize, **(encode_kwargs or {})}
        self.identity = None if not given else self._identify(str(model), revision, dtype)

    @property
    def chunk_size(self) -> int:
        """Texts that are worth giving it at once."""
        return self._batch_size * _BATCHES * max(len(self._devices), 1)

    def manner(self, task_type: TaskType, dataset: str, role: Role) -> Manner:
        """Return the prompt, and the role if the model has a path of its own for it."""
        prompt = find_prompt(
            self._prompts,
            task_type,
            dataset,
            role,
            names=self._prompt_names,
            default=self._default,
        )
        return Manner(prompt, role if self._by_role and role != "text" else None)

    def encode(self, texts: list[str], manner: Manner) -> Vectors:
        """Return one vector per text."""
        task = {} if manner.role is None else {"task": manner.role}
        if self._devices and self._pool is None:
            self._pool = self._model.start_multi_process_pool(self._devices)
        while True:
            try:
                vectors = self._model.encode(
                    texts,
                    prompt=manner.prompt,
                    batch_size=self._batch_size,
                    pool=self._pool,
                    show_progress_bar=False,
                    **task,
                    **self._kwargs,
                )
            except RuntimeError as error:
                if "out of memory" not in str(error).lower():
                    raise
                self._use_less_memory(texts, error)
            else:
                return as_vectors(vectors, self.name)

    def similarity(self, a: Vectors, b: Vectors) -> Vectors:
        """Return the similarity that the model was trained with."""
        return as_vectors(self._model.similarity(a, b), self.name)

    def close(self) -> None:
        """End the processes of replicas and let go of the model."""
        if self._pool is not None:
            self._model.stop_multi_process_pool(self._pool)
            self._pool = None
        self._model = None

    def _use_less_memory(self, texts: list[str], error: RuntimeError) -> None:
        import torch  # noqa: PLC0415 - loaded only when needed

        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        if self._batch_size == 1:
            longest = max(map(len, texts))
            raise InputError(
                f"Model {self.name!r} runs out of memory on a single text (the longest here has "
                f"{longest:,} characters). Set max_sequence_length, or use a half-precision dtype.",
                [self.name],
            ) from error
        self._batch_size //= 2
        sentence = (
            f"Model {self.name!r} ran out of memory; its batch size was halved to "
            f"{self._batch_size}."
        )
        self.notes.append(Note("batch-size-halved", sentence, (self.name,)))

    def _identify(self, source: str, revision: str | None, dtype: str) -> dict[str, Any]:
        folder = Path(source)
        if folder.is_dir():
            origin = {"folder": digest_folder(folder)}
        else:
            commit = _commit(self._model) or revision
            if commit is None:
                sentence = (
                    f"The revision of model {self.name!r} is unknown, so its vectors are kept by "
                    "its name alone. Pin it with revision."
                )
                self.notes.append(Note("unpinned-model", sentence, (self.name,)))
            origin = {"hub": source, "revision": commit or ""}
        return {
            "library": "sentence-transformers",
            **origin,
            "dtype": dtype,
            "max_sequence_length": str(self._model.max_seq_length),  # static ones: inf
            "encode": self._kwargs,
        }


def digest_folder(folder: Path) -> str:
    """Return a hash of the names and contents of a folder's files, hidden ones left out."""
    total = hashlib.sha256()
    files = [
        (path.relative_to(folder), path)
        for path in folder.rglob("*")
        if path.is_file() and not any(p.startswith(".") for p in path.relative_to(folder).parts)
    ]
    for name, path in sorted(files, key=lambda file: file[0].as_posix()):
        with path.open("rb") as stream:
            content = hashlib.file_digest(stream, "sha256").hexdigest()
        total.update(f"{name.as_posix()}\0{content}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def _load(
    source: str, revision: str | None, dtype: str, device: list[str], *, trust_remote_code: bool
) -> Any:
    try:
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - loaded on demand
    except ImportError as error:
        raise InputError(
            f"Model {source!r} needs the package sentence-transformers: "
            "pip install 'robustrank[hteb]'.",
            [source],
        ) from error
    import torch  # noqa: PLC0415 - loaded on demand

    try:
        model = SentenceTransformer(
            source,
            device=device[0] if device else None,
            revision=revision,
            trust_remote_code=trust_remote_code,
            model_kwargs={"dtype": getattr(torch, dtype)},
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(
            f"Model {source!r} cannot be loaded: {_first_line(error)} It must be the id of a model "
            "on the Hub that can be reached or has been downloaded, or the path of a folder with "
            "a modules.json; a model with code of its own needs trust_remote_code: true.",
            [source],
        ) from error
    model.eval()
    # Static models know nothing of model_kwargs.
    return model.to(getattr(torch, dtype))


def _commit(model: Any) -> str | None:
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    return getattr(config, "_commit_hash", None)


def _treats_roles_differently(model: Any) -> bool:
    return any(type(module).__name__ in {"Router", "Asym"} for module in model.modules())


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    text = lines[0].rstrip(". ") if lines else type(error).__name__
    return f"{text}."
