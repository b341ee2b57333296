"""Configurations of HTEB 1.1 in this package's terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robustrank.errors import ParameterError, unknown_label

#: Key of ``generation`` → key of ``sampling``.
_SAMPLING = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "repetition_penalty": "repetition_penalty",
    "max_tokens_default": "max_tokens",
    "max_tokens": "max_tokens",
    "max_tokens_expansion_default": "max_tokens_expansion",
    "max_tokens_expansion": "max_tokens_expansion",
    "structured_output": "structured",
}
#: Key of ``generation`` → argument of vLLM's engine.
_ENGINE = {
    "dtype": "dtype",
    "quantization": "quantization",
    "tensor_parallel_size": "tensor_parallel_size",
    "gpu_memory_utilization": "gpu_memory_utilization",
    "trust_remote_code": "trust_remote_code",
}
_LENGTH = ("max_model_length_default", "max_model_length")
#: Keys that this package has no use for: it neither waits for a batch to end nor splits by hand.
_WITHOUT_EFFECT = {
    "generation": ("batch_size", "chunk_size"),
    "evaluation": ("encoding_chunk_size",),
    "settings": (
        "encoding_chunk_size",
        "deterministic_algorithms",
        "allow_tf32",
        "cudnn_benchmark",
        "device_map_min_gpus",
        "device_map_memory_fraction",
    ),
}
_REUSE = "load_existing_transformations"
_TOP = (
    _REUSE,
    "transformations_directory",
    "generator_model",
    "emb_models",
    "selection",
    "evaluation",
    "generation",
)


def translate(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the configuration of this package that does what one of HTEB 1.1 says.

    Parameters
    ----------
    values : mapping
    where : str
        What errors call the file.

    Raises
    ------
    InputError
        For keys that HTEB 1.1 does not have, and for those that cannot be followed here.
    """
    _check(values, _TOP, where)
    generation = dict(_part(values, "generation", where))
    evaluation = dict(_part(values, "evaluation", where))
    selection = _part(values, "selection", where)
    _check(selection, ("datasets", "transformations", "seed_transform"), f"{where}, selection")
    directory = values.get("transformations_directory", "data/transformations")
    generator = values.get("generator_model")
    if not isinstance(values[_REUSE], bool):
        raise ParameterError(f"{where}: {_REUSE} must be true or false.", [_REUSE])
    for name in ("seed_transform", "transformations", "datasets"):
        if not selection.get(name):
            raise ParameterError(f"{where}: selection.{name} is missing.", [name])
    lengths = [length for name in _LENGTH if (length := generation.pop(name, None)) is not None]
    result: dict[str, Any] = {
        "profile": "v1.1",
        "protocol": "hteb-v1.1",
        "fallback": "original",
        "output": "results",
        "seeds": selection.get("seed_transform"),
        "transformations": selection.get("transformations"),
        "datasets": _datasets(selection.get("datasets"), f"{where}, selection.datasets"),
        "evaluation_seeds": evaluation.pop("seed_evaluation", None),
        "models": [_model(entry, where) for entry in _listed(values.get("emb_models"))],
        "quality": {"max_retries": generation.pop("max_retries", 3)},
        "transform_corpus": generation.pop("transform_corpus", True),
    }
    if lengths:
        result["max_model_length"] = lengths[-1]
    result |= _evaluation(evaluation, where)
    sampling, engine = _generation(generation, where)
    result["sampling"] = sampling
    if values[_REUSE]:
        result["import_from"] = {"directory": directory, "generator_model": generator}
    else:
        result["export_to"] = directory
        length = {"max_model_len": result.get("max_model_length", 8192)}
        result["generator"] = {"type": "vllm", "model": generator, "engine": length | engine}
    return {key: value for key, value in result.items() if value is not None}


def _datasets(selected: Any, where: str) -> list[dict[str, Any]]:
    """Return names, groups, or a mapping of these to limits of their own, as parts."""
    if not isinstance(selected, Mapping):
        return [{"name": name} for name in _listed(selected)]
    parts = []
    for name, settings in selected.items():
        own = dict((settings or {}).get("generation", {}))
        per_engine = ("max_model_length", "tensor_parallel_size", "devices")
        _check(own, (*per_engine, "max_tokens"), f"{where}.{name}.generation")
        for key in per_engine:
            if own.pop(key, None) is not None:
                raise ParameterError(
                    f"{where}.{name}.generation.{key}: one engine works on all datasets here. Set "
                    "it under generation, or serve the model with 'vllm serve' and use the "
                    "generator openai.",
                    [key],
                )
        parts.append({"name": name, **own})
    return parts


def _model(entry: Any, where: str) -> dict[str, Any]:
    where = f"{where}, emb_models"
    if not isinstance(entry, Mapping) or "model_id" not in entry:
        raise ParameterError(f"{where}: every entry needs a model_id; got {entry!r}.")
    _check(entry, ("model_id", "settings"), where)
    settings = dict(entry.get("settings") or {})
    where = f"{where}, settings of {entry['model_id']}"
    model: dict[str, Any] = {"model": entry["model_id"]}
    for old, new in {
        "batch_size": "batch_size",
        "max_sequence_length": "max_sequence_length",
        "normalize_embeddings": "normalize",
        "prompt_names": "prompt_names",
    }.items():
        value = settings.pop(old, None)
        if value is not None:
            model[new] = value
    for name in _WITHOUT_EFFECT["settings"]:
        settings.pop(name, None)
    pooling = settings.pop("pooling", None) or {}
    if pooling.get("strategy", "model_default") != "model_default" or pooling.get("include_prompt"):
        raise _unsupported("pooling", where, "Save the model with the pooling that you want.")
    for name, remedy in (
        ("attn_implementation", "Leave it out: the default, sdpa, is used."),
        ("device_map", "Name the devices under evaluation."),
        ("cache_folder", "Set HF_HOME in the environment."),
        ("encode_kwargs", "Give encode_kwargs for the model, not for each task."),
    ):
        value = settings.pop(name, None)
        if value not in (None, {}, "sdpa"):
            raise _unsupported(name, where, remedy)
    _check(settings, (), where)
    return model


def _evaluation(evaluation: dict[str, Any], where: str) -> dict[str, Any]:
    where = f"{where}, evaluation"
    embedding: dict[str, Any] = {"dtype": evaluation.pop("dtype", "bfloat16")}
    if embedding["dtype"] == "auto":
        raise _unsupported("dtype: auto", where, "Name float32, float16 or bfloat16.")
    if evaluation.pop("trust_remote_code", False):
        embedding["trust_remote_code"] = True
    if (size := evaluation.pop("batch_size", None)) is not None:
        embedding["batch_size"] = size
    devices = evaluation.pop("devices", None)
    if devices is not None:
        named = [f"cuda:{each}" if isinstance(each, int) else each for each in _listed(devices)]
        embedding["device"] = named
    result = {
        "embedding": embedding,
        "ignore_identical_ids": evaluation.pop("ignore_identical_ids", None) or None,
        "kmeans_batch_size": evaluation.pop("clustering_batch_size", 500),
    }
    for name in _WITHOUT_EFFECT["evaluation"]:
        evaluation.pop(name, None)
    _check(evaluation, (), where)
    return result


def _generation(generation: dict[str, Any], where: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the sampling and the arguments of the engine."""
    where = f"{where}, generation"
    for name in _WITHOUT_EFFECT["generation"]:
        generation.pop(name, None)
    devices = generation.pop("devices", None)
    if devices is not None and _listed(devices) != [0]:
        raise _unsupported(
            "devices",
            where,
            "Set CUDA_VISIBLE_DEVICES, or start a 'vllm serve' on each device and list their "
            "addresses as endpoints of the generator openai.",
        )
    moved = [
        {new: generation.pop(old) for old, new in names.items() if generation.get(old) is not None}
        for names in (_SAMPLING, _ENGINE)
    ]
    left = {name: value for name, value in generation.items() if value is not None}
    _check(left, (), where)
    return moved[0], moved[1]


def _part(values: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    part = values.get(name) or {}
    if not isinstance(part, Mapping):
        raise ParameterError(f"{where}: {name} must hold keys with values; got {part!r}.", [name])
    return part


def _check(values: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for name in values:
        if name not in known:
            raise unknown_label(
                f"key of HTEB 1.1 in {where}:", name, known, none_known="take it out."
            )


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _unsupported(name: str, where: str, remedy: str) -> ParameterError:
    return ParameterError(f"{where}: {name} cannot be followed here. {remedy}", [name])
