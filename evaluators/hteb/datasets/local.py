"""A dataset of one's own: files, and a YAML that says what they hold."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from robustrank.errors import FormatError, unknown_label
from robustrank.evaluators.hteb.datasets.definitions import ClusteringFormat
from robustrank.evaluators.hteb.datasets.rows import Row, prepare_rows, reranking_rows
from robustrank.evaluators.hteb.datasets.tables import read_rows
from robustrank.evaluators.hteb.fields import find_slots
from robustrank.evaluators.hteb.records import TASK_TYPES, Dataset
from robustrank.evaluators.hteb.yaml_files import read_mapping

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_RETRIEVAL = ("corpus", "queries", "qrels")
_RERANKING = (*_RETRIEVAL, "top_ranked")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_texts(value: object) -> bool:
    return all(map(_is_text, value if isinstance(value, list) else [value]))


_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (_is_text, "a text"),
    "languages": (_are_texts, "a list of codes (YAML reads an unquoted no as false)"),
    "eval_split": (_is_text, "a text"),
    "train_split": (_is_text, "a text"),
    "clustering_format": (
        lambda value: value in get_args(ClusteringFormat),
        f"one of {', '.join(get_args(ClusteringFormat))}",
    ),
    "ignore_identical_ids": (lambda value: isinstance(value, bool), "true or false"),
}
_KEYS = ("task_type", "files", "columns", *_CHECKS)


@dataclass(frozen=True)
class _Description:
    """The YAML, checked.

    Attributes
    ----------
    path : Path
    name, task_type : str
    files : mapping of str to list of str
        Split, or part for retrieval and for reranking by parts → files.
    columns : mapping
        Column of the dataset → column of the files; or file key → such a mapping.
    languages : tuple of str
    eval_split, train_split : str
    clustering_format : str or None
    ignore_identical_ids : bool
    """

    path: Path
    name: str
    task_type: Any
    files: Mapping[str, list[str]]
    columns: Mapping[str, Any] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    eval_split: str = "test"
    train_split: str = "train"
    clustering_format: Any = None
    ignore_identical_ids: bool = False


def load_local(path: str | Path) -> Dataset:
    """Load the files that a YAML names.

    Its keys are ``name``, ``task_type``, ``files`` and, if needed, ``columns``, ``languages``,
    ``eval_split`` (test), ``train_split`` (train), ``clustering_format`` and
    ``ignore_identical_ids``. ``files`` maps the split, or for retrieval ``corpus``, ``queries`` and
    ``qrels``, to a file or several; reranking may also come in these parts and ``top_ranked``.
    ``columns`` maps the column that is needed to the one that is there, for all files or for each.

    Raises
    ------
    FormatError
        If the YAML or a file is not as it should be; the message names key, file and row.
    """
    told = _describe(Path(path))
    by_part = set(told.files) & set(_RERANKING)
    dataset = Dataset(
        told.name,
        told.task_type,
        [],
        languages=told.languages,
        eval_split=told.eval_split,
        train_split=told.train_split if told.task_type == "classification" else None,
        clustering_format=told.clustering_format,
        ignore_identical_ids=told.ignore_identical_ids,
    )
    tables = {key: _read(told, key, dataset, part=key if by_part else None) for key in told.files}
    if by_part and told.task_type == "reranking":
        records = reranking_rows(told.name, tables)
    else:
        records = [row for rows in tables.values() for row in rows]
    return replace(dataset, records=records)


def _read(told: _Description, key: str, dataset: Dataset, *, part: str | None) -> list[Row]:
    rows: list[Row] = []
    for name in told.files[key]:
        path = told.path.parent / name
        found = prepare_rows(
            [
                _renamed(told, key, path, number, row, optional=part is not None)
                for number, row in enumerate(read_rows(path), 1)
            ],
            source=str(path),
            task_type=told.task_type,
            split=told.eval_split if part else key,
            part=part,
            language=told.languages[0] if len(told.languages) == 1 else None,
        )
        if part is None:  # while the rows can still be told by file
            find_slots(replace(dataset, name=f"{told.name} ({path.name})", records=found))
        rows.extend(found)
    return rows


def _renamed(
    told: _Description, key: str, path: Path, number: int, row: Row, *, optional: bool
) -> Row:
    """Give the columns of a row their names; `optional` ones may belong to another file."""
    columns = {new: old for new, old in told.columns.items() if isinstance(old, str)}
    if optional:
        columns = {new: old for new, old in columns.items() if old in row}
    if isinstance(told.columns.get(key), dict):
        columns |= told.columns[key]
    for old in columns.values():
        if old not in row:
            raise unknown_label(f"column (under 'columns') in {path}, row {number:,}:", old, row)
    others = {
        name: value
        for name, value in row.items()
        if name not in columns and name not in columns.values()
    }
    return others | {new: row[old] for new, old in columns.items()}


def _describe(path: Path) -> _Description:
    document = read_mapping(path, "task_type: sts")
    for key in document:
        if key not in _KEYS:
            raise unknown_label(f"key in {path}", key, _KEYS)
    for key in ("name", "task_type", "files"):
        if key not in document:
            raise FormatError(f"{path}: the key {key!r} is missing; add it.", [path])
    task = document["task_type"]
    if task not in TASK_TYPES:
        raise unknown_label(f"task_type in {path}", task, TASK_TYPES)
    for key, (is_right, wanted) in _CHECKS.items():
        if key in document and not is_right(document[key]):
            raise _invalid(path, key, wanted, document[key])
    languages = document.get("languages", [])
    languages = [languages] if isinstance(languages, str) else languages
    files = _files(path, document)
    return _Description(
        **(document | {"path": path, "files": files, "languages": tuple(languages)})
        | {"columns": _columns(path, document.get("columns", {}), files)}
    )


def _files(path: Path, document: dict[str, Any]) -> dict[str, list[str]]:
    task, files = document["task_type"], document["files"]
    by_split = {document.get("eval_split", "test")}
    if task == "classification":
        by_split.add(document.get("train_split", "train"))
    wanted = {"retrieval": [set(_RETRIEVAL)], "reranking": [by_split, set(_RERANKING)]}
    keys = wanted.get(task, [by_split])
    if not isinstance(files, dict) or set(files) not in keys:
        expected = ", or ".join(" and ".join(sorted(names)) for names in keys)
        raise _invalid(path, "files", f"a mapping of {expected} to files", files)
    found = {}
    # HTEB 1.1 numbers texts in this order.
    order = (*_RERANKING, document.get("train_split", "train"), *by_split)
    for key in sorted(files, key=order.index):
        names = files[key] if isinstance(files[key], list) else [files[key]]
        if not names or not all(isinstance(name, str) for name in names):
            raise _invalid(path, f"files.{key}", "a file or a list of files", files[key])
        found[key] = names
    return found


def _columns(path: Path, columns: object, files: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(columns, dict):
        raise _invalid(path, "columns", "a mapping of needed to existing columns", columns)
    for key, value in columns.items():
        nested = key in files and isinstance(value, dict)
        names = value.values() if nested else [value]
        if not all(isinstance(name, str) for name in names):
            raise _invalid(path, f"columns.{key}", "the name of a column", value)
    return columns


def _invalid(path: Path, key: str, wanted: str, value: object) -> FormatError:
    return FormatError(f"{path}: {key} must be {wanted}; got {value!r}.", [path])
