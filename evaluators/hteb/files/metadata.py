"""The metadata file of a pair: its closed set of keys, and the rules between their values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb.files.paths import check_datetime
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.notes import name_some

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Why a text was not transformed, in HTEB 1.1's words.
FALLBACK_REASONS = (
    "prompt_too_long",
    "invalid_json_after_retries",
    "invalid_text_after_retries",
    "output_length_after_retries",
    "backend_failure",
)
_REQUIRED = (
    "generator_model",
    "transformation",
    "dataset",
    "seed_transform",
    "generation_datetime",
    "max_model_length",
    "max_tokens",
    "max_retries",
    "generation_statistics",
)
_OPTIONAL = (
    "source_revision",
    "data_filtering",
    "translation_language_selection",
    "max_tokens_expansion",
    "transform_corpus",
    "clustering_format",
)
_COUNTS = (
    "records_total",
    "records_targeted",
    "text_fields_total",
    "records_with_fallback",
    "text_fields_with_fallback",
    "unchanged_outputs",
    "retried_text_fields",
    "recovered_after_retry_text_fields",
)
_FILTERING = (
    "version",
    "task_type",
    "input_scope",
    "counts_before",
    "counts_after",
    "excluded",
    "excluded_documents",
    "excluded_candidates",
)
#: One number of generation_statistics is at most another, or two are at most a third.
_BOUNDS = (
    (("records_targeted",), "records_total"),
    (("records_with_fallback",), "records_targeted"),
    (("records_with_fallback",), "text_fields_with_fallback"),
    (("text_fields_with_fallback", "unchanged_outputs"), "text_fields_total"),
    (("retried_text_fields",), "text_fields_total"),
    (("recovered_after_retry_text_fields",), "retried_text_fields"),
)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_size(value: object) -> bool:
    return _is_count(value) and value != 0


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


#: What a key must hold -> how that is said.
_VALUES: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("generator_model", "dataset"), (_is_name, "a name")),
    "transformation": (
        lambda value: isinstance(value, str) and value in TRANSFORMATIONS,
        f"one of {', '.join(TRANSFORMATIONS)}",
    ),
    **dict.fromkeys(("seed_transform", "max_retries"), (_is_count, "a whole number from 0")),
    **dict.fromkeys(
        ("max_model_length", "max_tokens", "max_tokens_expansion"),
        (_is_size, "a whole number from 1"),
    ),
    "generation_statistics": (lambda value: isinstance(value, dict), "an object"),
    "source_revision": (
        lambda value: isinstance(value, str) and re.fullmatch("[0-9a-f]{40}", value) is not None,
        "a commit of 40 hexadecimal digits",
    ),
    "data_filtering": (lambda value: isinstance(value, dict), "an object"),
    "translation_language_selection": (lambda value: value == "dataset", "'dataset'"),
    "transform_corpus": (lambda value: isinstance(value, bool), "true or false"),
    "clustering_format": (
        lambda value: value in ("flat", "nested", "per_language"),
        "'flat', 'nested' or 'per_language'",
    ),
}


def check_metadata(
    metadata: Mapping[str, Any], where: str, *, task_type: str | None = None
) -> None:
    """Raise unless metadata are what HTEB 1.1 accepts.

    Parameters
    ----------
    metadata : mapping
    where : str
        What the errors call them: the path of the file.
    task_type : str or None
        None leaves out what depends on it.
    """
    _check_keys(metadata, _REQUIRED, _OPTIONAL, where)
    for key, (is_valid, expected) in _VALUES.items():
        if key in metadata and not is_valid(metadata[key]):
            raise _wrong(where, key, f"must be {expected}; it is {metadata[key]!r:.80}")
    try:
        check_datetime(metadata["generation_datetime"])
    except InputError as error:
        raise FormatError(f"{where}: {error}", [where]) from error
    _check_stages(metadata, where)
    _check_statistics(metadata["generation_statistics"], f"{where}, generation_statistics")
    if "data_filtering" in metadata:
        _check_filtering(metadata["data_filtering"], f"{where}, data_filtering")
    needed = {"retrieval": "transform_corpus", "reranking": "transform_corpus"}
    needs = {**needed, "clustering": "clustering_format"}.get(task_type or "")
    if needs is not None and needs not in metadata:
        raise _wrong(where, needs, f"is missing; {task_type} datasets need it")


def _check_stages(metadata: Mapping[str, Any], where: str) -> None:
    """Check what only some transformations have, and that answers fit into the model's context."""
    for key, owner in (
        ("translation_language_selection", "translation"),
        ("max_tokens_expansion", "summarised_expansion"),
    ):
        if key in metadata and metadata["transformation"] != owner:
            raise _wrong(where, key, f"is only for {owner}, not {metadata['transformation']}")
    for key in ("max_tokens", "max_tokens_expansion"):
        if key in metadata and metadata[key] >= metadata["max_model_length"]:
            limit = metadata["max_model_length"]
            raise _wrong(where, key, f"must be less than max_model_length, {limit:,}")


def _check_statistics(statistics: Mapping[str, Any], where: str) -> None:
    _check_keys(statistics, (*_COUNTS, "fallback_reasons"), (), where)
    reasons = statistics["fallback_reasons"]
    if not isinstance(reasons, dict):
        raise _wrong(where, "fallback_reasons", f"must be an object; it is {reasons!r:.80}")
    _check_keys(reasons, (), FALLBACK_REASONS, f"{where}, fallback_reasons")
    for key, value in [*((name, statistics[name]) for name in _COUNTS), *reasons.items()]:
        if not _is_count(value):
            raise _wrong(where, key, f"must be a whole number from 0; it is {value!r:.80}")
    for parts, whole in _BOUNDS:
        if sum(statistics[part] for part in parts) > statistics[whole]:
            shown = " + ".join(f"{part} ({statistics[part]:,})" for part in parts)
            raise _wrong(where, shown, f"is more than {whole} ({statistics[whole]:,})")
    total = statistics["text_fields_with_fallback"]
    if sum(reasons.values()) != total:
        message = f"add up to {sum(reasons.values()):,}, not text_fields_with_fallback ({total:,})"
        raise _wrong(where, "fallback_reasons", message)


def _check_filtering(filtering: Mapping[str, Any], where: str) -> None:
    # Older reports have fewer keys.
    _check_keys(filtering, ("version",), _FILTERING, where)
    scope = filtering.get("input_scope", "source_records")
    if scope not in {"source_records", "stored_records"}:
        message = f"must be 'source_records' or 'stored_records'; it is {scope!r:.80}"
        raise _wrong(where, "input_scope", message)
    for key, kind in zip(_FILTERING[3:], (dict, dict, list, list, list), strict=True):
        if not isinstance(filtering.get(key, kind()), kind):
            raise _wrong(where, key, f"must be {'an object' if kind is dict else 'a list'}")


def _check_keys(
    found: Mapping[str, Any], required: tuple[str, ...], optional: tuple[str, ...], where: str
) -> None:
    unknown = sorted(str(key) for key in found if key not in (*required, *optional))
    if unknown:
        raise FormatError(
            f"{where}: HTEB knows no {name_some(map(repr, unknown))}. Remove it, or keep it in a "
            "file of another name.",
            unknown,
        )
    missing = [key for key in required if key not in found]
    if missing:
        raise FormatError(
            f"{where}: {name_some(map(repr, missing))} is missing. Add it, or make the pair again.",
            missing,
        )


def _wrong(where: str, key: str, message: str) -> FormatError:
    return FormatError(f"{where}: {key} {message}. Correct it, or make the pair again.", [key])
