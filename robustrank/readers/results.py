"""Result files as mteb writes them: ``<org>__<model>/<revision>/<task>.json``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import pandas as pd

from robustrank.errors import FormatError
from robustrank.notes import Note, count, name_some
from robustrank.readers.entries import mteb_shape, part, read_entries
from robustrank.readers.metadata import model_fields
from robustrank.readers.tables import load_json, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

META = "model_meta.json"
ROLES = {
    "model": "model",
    "dataset": "task",
    "score": "main_score",
    "revision": "revision",
    "version": "mteb_version",
    "split": "split",
    "subset": "subset",
    "languages": "languages",
}
_META_FIELDS = (
    "n_parameters",
    "open_weights",
    "release_date",
    "embed_dim",
    "max_tokens",
    "memory_usage_mb",
    "license",
    "reference",
)


def read_folder(
    folder: Path, progress: Callable[[str], None] | None = None
) -> tuple[pd.DataFrame, pd.DataFrame | None, list[Note]]:
    """Return all results under a folder as a long table, the models' metadata, and notes."""
    with readable(folder):
        files = list(_json_files(folder))
    if progress is not None:
        progress(f"Reading {count(len(files), 'result file')} in {folder.name}")
    metas = {path.parent: _load(path) for path in files if path.name == META}
    rows: list[dict[str, object]] = []
    skipped: list[str] = []
    for path in files:
        if path.name == META:
            continue
        result = _load(path)
        found: list[dict[str, object]] = []
        if is_result(result):
            with mteb_shape(path):
                found = read_entries(result, *_identity(path, metas.get(path.parent)))
        rows += found
        if not found:
            skipped.append(str(path.relative_to(folder)))
    if not rows:
        raise FormatError(_nothing_found(folder), [folder])
    notes = []
    if skipped:
        message = f"{count(len(skipped), 'JSON file')} without MTEB scores: {name_some(skipped)}."
        notes.append(Note("skipped-files", message, tuple(skipped)))
    table = pd.DataFrame(rows)
    return table, _model_metadata(metas, table), notes


def read_file(path: Path, content: dict[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return one result file, or saved ``BenchmarkResults``, as a long table with metadata."""
    rows: list[dict[str, object]] = []
    metas: dict[Path, object] = {}
    with mteb_shape(path):
        if is_saved(content):
            for each in content["model_results"]:
                model = part(each, dict, "a model's results")
                name = part(model["model_name"], str, "model_name")
                for result in part(model["task_results"], list, "task_results"):
                    rows += read_entries(result, name, str(model.get("model_revision")))
        else:
            if (path.parent / META).exists():
                metas = {path.parent: _load(path.parent / META)}
            rows += read_entries(content, *_identity(path, metas.get(path.parent)))
    if not rows:
        raise FormatError(f"{path} holds no scores. Evaluate the task again.", [path])
    table = pd.DataFrame(rows)
    return table, _model_metadata(metas, table)


def is_saved(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is what mteb's ``BenchmarkResults.to_disk`` writes."""
    return isinstance(value, dict) and isinstance(value.get("model_results"), list)


def is_result(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is one model's result on one task."""
    return isinstance(value, dict) and (
        ("task_name" in value and isinstance(value.get("scores"), dict))
        or "mteb_dataset_name" in value
    )


def _json_files(folder: Path, above: tuple[Path, ...] = ()) -> Iterator[Path]:
    """Yield the JSON files under a folder in order, but for hidden ones; links are followed."""
    place = folder.resolve()
    if place in above:  # a link to a folder that holds it
        return
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _json_files(path, (*above, place))
        elif path.suffix == ".json":
            yield path


def _load(path: Path) -> object:
    with readable(path):
        raw = path.read_bytes()
    return load_json(raw.decode("utf-8-sig", errors="replace"), path)


def _as_given(path: Path) -> Path:
    """Return the whole path without following links, which in a cache lead to nameless files."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - unlike absolute(), it resolves ".."


def _identity(path: Path, meta: object) -> tuple[str, str]:
    """Return the model and revision: what ``model_meta.json`` says, else what the folders do."""
    folders = _as_given(path).parent
    name = part(meta["name"], str, "name") if isinstance(meta, dict) and "name" in meta else None
    if not name and "__" not in folders.parent.name:
        raise FormatError(
            f"Whose result {path} is cannot be told: there is no {META} beside it and no folder "
            "<org>__<model>/<revision> around it. Keep mteb's folders.",
            [path],
        )
    return name or folders.parent.name.replace("__", "/", 1), folders.name


def _model_metadata(metas: Mapping[Path, object], table: pd.DataFrame) -> pd.DataFrame | None:
    """Return the models' metadata, from the revision with most results where there are several.

    A model's zero-shot share is that of the datasets in the table among those it does not list as
    training data.
    """
    used = table.groupby(["model", "revision"]).size()
    tasks = set(table["task"])
    best: dict[str, tuple[int, dict[str, object]]] = {}
    for folder, meta in metas.items():
        name = meta.get("name") if isinstance(meta, dict) else None
        if not isinstance(meta, dict) or not isinstance(name, str):
            continue
        size = int(used.get((name, _as_given(folder).name), 0))
        if name not in best or size > best[name][0]:
            best[name] = (size, meta)
    if not best:
        return None
    rows = {}
    for name, (_, meta) in best.items():
        rows[name] = {field: meta.get(field) for field in _META_FIELDS}
        trained = meta.get("training_datasets")
        if isinstance(trained, list | dict):
            rows[name]["zero_shot"] = 1.0 - len(tasks & set(map(str, trained))) / len(tasks)
    return model_fields(pd.DataFrame.from_dict(rows, orient="index"))


def _nothing_found(folder: Path) -> str:
    others = sorted(path.name for path in folder.iterdir() if path.is_file())
    found = f" It holds {name_some(others)}: pass such a file by its own path." if others else ""
    return (
        f"There are no MTEB results under {folder} (expected "
        f"<org>__<model>/<revision>/<task>.json).{found}"
    )
