"""What a column is, by its name: a role in a long table, metadata, a mean, a task type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from robustrank import _columns as aliases
from robustrank._columns import column_key

if TYPE_CHECKING:
    from collections.abc import Iterable

# What also stands over model names, but only in the first column: elsewhere it may be a dataset.
_FIRST_MODEL = frozenset(
    [
        "checkpoint",
        "embedder",
        "embedding",
        "encoder",
        "language_model",
        "llm",
        "llms",
        "models",
        "retriever",
        "systems",
    ]
)
# As for all tables, but here a column of names holds models.
MODEL = (*aliases.MODEL, "name")
DATASET, INSTANCE, SCORE = aliases.DATASET, aliases.INSTANCE, aliases.SCORE
SPLIT, SUBSET = aliases.SPLIT, aliases.SUBSET
REVISION = ("model_revision", "revision")
VERSION = ("mteb_version",)
TASK_TYPE = ("task_type", "type", "category")
LANGUAGES = ("languages", "language", "lang")
METRIC = ("metric", "main_score", "main_metric")
N_INSTANCES = ("n_instances", "n_samples", "num_samples", "instances")
# Not `main_score`: beside datasets in rows it may hold the scores.
_DATASET_METADATA = frozenset(
    [
        *TASK_TYPE,
        *LANGUAGES,
        *N_INSTANCES,
        "eval_splits",
        "is_public",
        "main_metric",
        "metric",
        "n_subsets",
    ]
)

# Model metadata: the field of `ScoreMatrix.models` and the factor to its unit.
MODEL_COLUMNS: dict[str, tuple[str, float]] = {
    "n_parameters": ("n_parameters", 1),
    "total_parameters": ("n_parameters", 1),
    "total_parameters_b": ("n_parameters", 1e9),
    "number_of_parameters": ("n_parameters", 1),
    "number_of_parameters_b": ("n_parameters", 1e9),
    "model_size_million_parameters": ("n_parameters", 1e6),
    "parameters": ("n_parameters", 1),
    "parameters_b": ("n_parameters", 1e9),
    "parameters_m": ("n_parameters", 1e6),
    "params": ("n_parameters", 1),
    "params_b": ("n_parameters", 1e9),
    "params_m": ("n_parameters", 1e6),
    "n_active_parameters": ("n_active_parameters", 1),
    "active_parameters": ("n_active_parameters", 1),
    "active_parameters_b": ("n_active_parameters", 1e9),
    "embed_dim": ("embed_dim", 1),
    "embedding_dim": ("embed_dim", 1),
    "embedding_dimension": ("embed_dim", 1),
    "embedding_dimensions": ("embed_dim", 1),
    "dimensions": ("embed_dim", 1),
    "max_tokens": ("max_tokens", 1),
    "max_length": ("max_tokens", 1),
    "context_length": ("max_tokens", 1),
    "memory_usage_mb": ("memory_usage_mb", 1),
    "memory_usage_gb_fp32": ("memory_usage_mb", 1024),
    "price": ("price", 1),
}
ZERO_SHOT = ("zero_shot", "zero_shot_pct_multilingual_v2")
OPEN_WEIGHTS = ("open_weights", "openweights", "open")
OTHER_MODEL_COLUMNS = frozenset(
    [
        "release_date",
        "license",
        "licence",
        "organisation",
        "organization",
        "reference",
        "revision",
        "model_revision",
        "model_type",
        "use_instructions",
    ]
)

_DERIVED = re.compile(
    r"rank(_(borda|mean.*))?|(mean|average|avg|best|worst)_rank|borda(_(rank|count|points|score))?"
    r"|((macro|micro|weighted|arithmetic|geometric|harmonic|overall|total|grand)_)?"
    r"(mean|average|avg|overall|total)(_scores?)?"
    r"(_(all|tasks?|tasktype|task_type|datasets|subset|public|private))?"
    r"|(.+_)?(mean|average|avg)_(over_)?\d+_(datasets?|tasks?)"
)
# Boards of before 2025: "Classification Average (12 datasets)".
_TYPE_MEAN = re.compile(r"(.+)_average_\d+_datasets?")
_NO_NAME = re.compile(r"(unnamed[:_ ]+\d+(_level_\d+)?)?")
_COUNTER = re.compile(r"index|level_\d+|[#№]")
_LANGUAGE = re.compile(r"([a-z]{3})[-_][A-Z][a-z]{3}")
_TASK_TYPES = frozenset(
    [
        "any2anymultilingualretrieval",
        "any2anyretrieval",
        "audioclassification",
        "audioclustering",
        "audiomultilabelclassification",
        "audiopairclassification",
        "audioreranking",
        "audiozeroshotclassification",
        "bitextmining",
        "classification",
        "clustering",
        "compositionality",
        "compositionalityevaluation",
        "documentunderstanding",
        "imageclassification",
        "imageclustering",
        "imagemultilabelclassification",
        "imagetextpairclassification",
        "instructionreranking",
        "instructionretrieval",
        "multilabelclassification",
        "pairclassification",
        "regression",
        "reranking",
        "retrieval",
        "speed",
        "sts",
        "summarization",
        "videoclassification",
        "videoretrieval",
        "visioncentricqa",
        "visualstseng",
        "visualstsmulti",
        "visualstsmultilingual",
        "zeroshotclassification",
    ]
)


def find_column(columns: Iterable[object], aliases: Iterable[str]) -> str | None:
    """Return the column whose name is the most preferred of the aliases."""
    keys: dict[str, str] = {}
    for name in columns:
        keys.setdefault(column_key(name), str(name))
    return next((keys[alias] for alias in aliases if alias in keys), None)


def find_model_column(columns: Iterable[object]) -> str | None:
    """Return the column of model names by its name, or the first if it is called so."""
    columns = list(columns)
    first = next((str(name) for name in columns if not is_unnamed(name)), None)
    called = first is not None and column_key(first) in _FIRST_MODEL
    return find_column(columns, MODEL) or (first if called else None)


def has_no_name(name: object) -> bool:
    """Whether a column's header is empty, or what pandas calls such a column."""
    return _NO_NAME.fullmatch(str(name).strip().casefold()) is not None


def is_unnamed(name: object) -> bool:
    """Whether a column has no name of its own, as an index has that was written to a file."""
    return has_no_name(name) or _COUNTER.fullmatch(str(name).strip().casefold()) is not None


def is_derived(name: object) -> bool:
    """Whether a column, or a dataset, is a rank or a mean over datasets."""
    return _DERIVED.fullmatch(column_key(name)) is not None


def is_type_mean(name: object) -> bool:
    """Whether a column is a mean over the datasets of a task type, by an old board's name."""
    return _TYPE_MEAN.fullmatch(column_key(name)) is not None


def is_model_metadata(name: object) -> bool:
    """Whether a column describes models by its well-known name."""
    key = column_key(name)
    known = key in MODEL_COLUMNS or key in OPEN_WEIGHTS or key in OTHER_MODEL_COLUMNS
    by_type = key.startswith("zs_") and is_task_type(key.removeprefix("zs_"))
    return known or by_type or key in ZERO_SHOT or key.startswith("zero_shot_pct_")


def is_dataset_metadata(name: object) -> bool:
    """Whether a column describes datasets by its well-known name."""
    return column_key(name) in _DATASET_METADATA


def is_task_type(name: object) -> bool:
    """Whether a column has the name of an MTEB task type, or of a mean over one."""
    key = column_key(name)
    mean = _TYPE_MEAN.fullmatch(key)
    return (mean.group(1) if mean else key).replace("_", "") in _TASK_TYPES


def language_of(name: object) -> str | None:
    """Return the ISO 639-3 code of a column named like ``eng-Latn``, else `None`."""
    match = _LANGUAGE.fullmatch(str(name).strip())
    return match.group(1) if match else None
