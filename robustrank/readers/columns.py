"""What a column is, by its name: a role in a long table, metadata, a mean, a task type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Aliases in order of preference, as `column_key` writes them.
MODEL = ("model_name", "model", "model_id", "system_name", "system", "embedding_model", "name")
DATASET = (
    "task_name",
    "task",
    "dataset_name",
    "dataset",
    "data_set",
    "benchmark_name",
    "benchmark",
)
SCORE = ("main_score", "score", "scores", "value", "result")
REVISION = ("model_revision", "revision")
VERSION = ("mteb_version",)
SPLIT = ("split", "eval_split")
SUBSET = ("subset", "hf_subset", "languages", "language", "lang")
TASK_TYPE = ("task_type", "type", "category")
LANGUAGES = ("languages", "language", "lang")

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
    r"rank(_(borda|mean.*))?|borda(_(rank|count|points))?|overall|avg"
    r"|mean(_(task|tasktype|task_type|subset|public|private))?|average(_\d+_datasets)?"
)
_UNNAMED = re.compile(r"|unnamed_\d+(_level_\d+)?|index|level_0")
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


def column_key(name: object) -> str:
    """Return a column's name as the tables here write it: ``"Mean (Task)"`` is ``mean_task``."""
    return re.sub(r"[^a-z0-9]+", "_", str(name).casefold()).strip("_")


def find_column(columns: Iterable[object], aliases: Iterable[str]) -> str | None:
    """Return the column whose name is the most preferred of the aliases."""
    keys: dict[str, str] = {}
    for name in columns:
        keys.setdefault(column_key(name), str(name))
    return next((keys[alias] for alias in aliases if alias in keys), None)


def is_unnamed(name: object) -> bool:
    """Whether a column has no name of its own, as an index has that was written to a file."""
    return _UNNAMED.fullmatch(column_key(name)) is not None


def is_derived(name: object) -> bool:
    """Whether a column is a rank or a mean over datasets, which is never a dataset itself."""
    return _DERIVED.fullmatch(column_key(name)) is not None


def is_model_metadata(name: object) -> bool:
    """Whether a column describes models by its well-known name."""
    key = column_key(name)
    known = key in MODEL_COLUMNS or key in OPEN_WEIGHTS or key in OTHER_MODEL_COLUMNS
    return known or key in ZERO_SHOT or key.startswith("zero_shot_pct_")


def is_task_type(name: object) -> bool:
    """Whether a column has the name of an MTEB task type."""
    return column_key(name).replace("_", "") in _TASK_TYPES


def language_of(name: object) -> str | None:
    """Return the ISO 639-3 code of a column named like ``eng-Latn``, else `None`."""
    match = _LANGUAGE.fullmatch(str(name).strip())
    return match.group(1) if match else None
