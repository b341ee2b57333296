"""Where the datasets of HTEB 1.1 come from: its 31 definitions and two groups, as data."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, get_args

from robustrank.errors import FormatError, unknown_label
from robustrank.evaluators.hteb.packaged import packaged
from robustrank.evaluators.hteb.records import TASK_TYPES, TaskType

if TYPE_CHECKING:
    from collections.abc import Mapping

ClusteringFormat = Literal["flat", "nested", "per_language"]

_SCHEMA_VERSION = 3
_REPOSITORY = re.compile(r"[A-Za-z0-9_][\w.-]*/[A-Za-z0-9_][\w.-]*")
_REVISION = re.compile(r"[0-9a-f]{40}")
_FILE = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.parquet")
_PARTS: dict[str, tuple[str, ...]] = {
    "retrieval": ("corpus", "queries", "qrels"),
    "reranking": ("corpus", "queries", "qrels", "top_ranked"),
}
_SUMMARY = ("human_summaries_field", "machine_summaries_field", "score_field")
#: Keys that only some task types have; see also `_sources`.
_OF_TASK: dict[str, tuple[str, ...]] = {
    "classification": ("train_split",),
    "clustering": ("clustering_format",),
    "retrieval": ("ignore_identical_ids",),
    "summarisation": _SUMMARY,
}
_COMMON = ("hf_dataset_name", "revision", "languages", "eval_split", "split_counts")


@dataclass(frozen=True)
class Component:
    """One table of a retrieval or reranking dataset: a configuration, or a parquet file."""

    part: str
    split: str
    config: str | None = None
    file: str | None = None


@dataclass(frozen=True)
class Definition:
    """Where a dataset comes from and how it is read, in the words of HTEB 1.1.

    Attributes
    ----------
    name : str
    task_type : str
    hf_dataset_name : str
        Owner and name on the Hugging Face hub.
    revision : str
        A commit: 40 hexadecimal digits.
    languages : tuple of str
    eval_split : str
    train_split : str or None
        Only for classification.
    split_counts : tuple of (str, int)
        The number of rows that a split must have.
    hf_subset : str or None
        The one configuration; None for the default one.
    language_configs : tuple of str
        Configurations that are joined; their names label the language of their rows.
    components : tuple of Component
    clustering_format : {"flat", "nested", "per_language"} or None
    human_summaries_field, machine_summaries_field, score_field : str or None
    ignore_identical_ids : bool
    """

    name: str
    task_type: TaskType
    hf_dataset_name: str
    revision: str
    languages: tuple[str, ...]
    eval_split: str
    train_split: str | None = None
    split_counts: tuple[tuple[str, int], ...] = ()
    hf_subset: str | None = None
    language_configs: tuple[str, ...] = ()
    components: tuple[Component, ...] = ()
    clustering_format: ClusteringFormat | None = None
    human_summaries_field: str | None = None
    machine_summaries_field: str | None = None
    score_field: str | None = None
    ignore_identical_ids: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of its languages: configurations where there are some, else languages."""
        return self.language_configs or self.languages


@cache
def load_definitions() -> dict[str, Definition]:
    """Return the 31 definitions of HTEB 1.1 by name."""
    document = _data("definitions.json")
    return {
        name: _definition(f"definitions.json, {name}", {"dataset": name, **entry})
        for name, entry in document["definitions"].items()
    }


def group_names() -> tuple[str, ...]:
    """Return the names of the groups of datasets."""
    return tuple(_data("groups.json"))


def load_group(name: str) -> tuple[str, ...]:
    """Return the names of the datasets of a group, ``"english"`` or ``"multilingual"``."""
    groups = _data("groups.json")
    if name not in groups:
        raise unknown_label("group of datasets", name, groups)
    return tuple(groups[name])


def read_definition(path: str | Path) -> Definition:
    """Read a definition from a file ``<name>.JSON`` of HTEB 1.1.

    Raises
    ------
    FormatError
        If a key is missing, unknown or holds something else than it should.
    """
    path = Path(path)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(f"The definition {path} cannot be read: {error}.", [path]) from error
    except ValueError as error:
        raise FormatError(f"The definition {path} is not JSON: {error}.", [path]) from error
    if not isinstance(document, dict):
        raise FormatError(f"The definition {path} must be a JSON object.", [path])
    _check_keys(path.name, document, ("schema_version", "dataset", "task_type", "dataset_metadata"))
    if document["schema_version"] != _SCHEMA_VERSION:
        raise _invalid(
            path.name, "schema_version", str(_SCHEMA_VERSION), document["schema_version"]
        )
    if document["dataset"] != path.stem:
        raise _invalid(path.name, "dataset", f"{path.stem!r}, as the file", document["dataset"])
    return _definition(path.name, document)


def _data(name: str) -> Any:
    return json.loads(packaged(name).read_text(encoding="utf-8"))


def _definition(where: str, document: Mapping[str, Any]) -> Definition:
    task, metadata = document["task_type"], document["dataset_metadata"]
    if task not in TASK_TYPES:
        raise unknown_label(f"task_type in {where}", task, TASK_TYPES)
    if not isinstance(metadata, dict):
        raise _invalid(where, "dataset_metadata", "an object", metadata)
    required, optional = _sources(task, metadata)
    of_task = _OF_TASK.get(task, ())
    required += tuple(key for key in of_task if key != "ignore_identical_ids")
    known = {"required": (*_COMMON[:4], *required), "optional": (_COMMON[4], *optional, *of_task)}
    _check_keys(where, metadata, known["required"], known["optional"])
    values: dict[str, Any] = {"name": document["dataset"], "task_type": task}
    for key, value in metadata.items():
        values[key] = _CHECKS[key](where, key, value)
    definition = Definition(**values)
    _check_whole(where, definition)
    return definition


def _sources(task: str, metadata: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys that say which tables are read: those required, and those allowed."""
    if task == "retrieval" or (task == "reranking" and "components" in metadata):
        return ("components",), ()
    if metadata.get("clustering_format") == "per_language" or "language_configs" in metadata:
        return ("language_configs",), ()
    return (), ("hf_subset",)


def _check_keys(
    where: str, found: Mapping[str, Any], required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    for key in required:
        if key not in found:
            raise FormatError(f"{where}: the key {key!r} is missing; add it.", [key])
    for key in found:
        if key not in (*required, *optional):
            raise unknown_label(f"key in {where}", key, (*required, *optional))


def _check_whole(where: str, definition: Definition) -> None:
    """Check what concerns several keys."""
    if definition.train_split == definition.eval_split:
        raise _invalid(where, "train_split", "another split than eval_split", definition.eval_split)
    summary = [getattr(definition, key) for key in _SUMMARY]
    if definition.task_type == "summarisation" and len(set(summary)) < len(summary):
        raise _invalid(where, "score_field", "a column of its own", definition.score_field)
    parts = tuple(component.part for component in definition.components)
    if parts and parts != _PARTS[definition.task_type]:
        expected = ", ".join(_PARTS[definition.task_type])
        raise _invalid(where, "components", f"the parts {expected}, in this order", list(parts))
    for component in definition.components:
        if component.part == "qrels" and component.split != definition.eval_split:
            raise _invalid(where, "components", "qrels of the eval_split", component.split)


def _invalid(where: str, key: str, wanted: str, value: object) -> FormatError:
    return FormatError(f"{where}: {key} must be {wanted}; got {value!r}.", [key])


def _text(where: str, key: str, value: object) -> str:
    if not isinstance(value, str) or not value or value != value.strip():
        raise _invalid(where, key, "a text without spaces around it", value)
    return value


def _texts(where: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or len(set(map(str, value))) < len(value):
        raise _invalid(where, key, "a list of different names", value)
    return tuple(_text(where, key, item) for item in value)


def _repository(where: str, key: str, value: object) -> str:
    if not isinstance(value, str) or not _REPOSITORY.fullmatch(value):
        raise _invalid(where, key, "owner/name of a dataset on the hub", value)
    return value


def _revision(where: str, key: str, value: object) -> str:
    if not isinstance(value, str) or not _REVISION.fullmatch(value):
        raise _invalid(where, key, "a commit of 40 hexadecimal digits, so that rows stay", value)
    return value


def _counts(where: str, key: str, value: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, dict) or not value:
        raise _invalid(where, key, "an object of numbers by split", value)
    for split, number in value.items():
        if type(number) is not int or number < 1:
            raise _invalid(where, f"{key}.{split}", "a whole number of at least 1", number)
    return tuple(value.items())


def _format(where: str, key: str, value: object) -> str:
    formats = get_args(ClusteringFormat)
    if value not in formats:
        raise _invalid(where, key, f"one of {', '.join(formats)}", value)
    return str(value)


def _flag(where: str, key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _invalid(where, key, "true or false", value)
    return value


def _components(where: str, key: str, value: object) -> tuple[Component, ...]:
    if not isinstance(value, list):
        raise _invalid(where, key, "a list of objects", value)
    found = []
    for item in value:
        if not isinstance(item, dict) or set(item) not in (
            {"part", "split", "config"},
            {"part", "split", "file"},
        ):
            raise _invalid(where, key, "objects with part, split, and config or file", item)
        component = Component(**{name: _text(where, key, text) for name, text in item.items()})
        file = component.file
        if file and (not _FILE.fullmatch(file) or ".." in PurePosixPath(file).parts):
            raise _invalid(where, f"{key}.file", "a parquet file within the repository", file)
        found.append(component)
    return tuple(found)


_CHECKS: dict[str, Any] = {
    field.name: _text for field in fields(Definition) if field.name not in {"name", "task_type"}
} | {
    "hf_dataset_name": _repository,
    "revision": _revision,
    "languages": _texts,
    "split_counts": _counts,
    "language_configs": _texts,
    "components": _components,
    "clustering_format": _format,
    "ignore_identical_ids": _flag,
}
