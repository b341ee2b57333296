"""Result files as mteb writes them: ``<org>__<model>/<revision>/<task>.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

import pandas as pd

from robustrank.errors import FormatError
from robustrank.notes import Note, count, name_some
from robustrank.readers.metadata import model_fields
from robustrank.readers.tables import load_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

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
# Where results from before mteb 1.11 keep the main score if they do not name it. Pair
# classification without its maximum over similarities has none, as on the board.
_OLD_MAIN_SCORES = (
    ("main_score",),
    ("ndcg_at_10",),
    ("map",),
    ("cos_sim", "spearman"),
    ("max", "ap"),
    ("v_measure",),
    ("f1",),
    ("accuracy",),
)
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
    files = sorted(
        path
        for path in folder.rglob("*.json")
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
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
            found = _entries(result, *_identity(path, metas.get(path.parent)), path)
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
    if is_saved(content):
        for model in content["model_results"]:
            name, revision = str(model["model_name"]), str(model.get("model_revision"))
            for result in model["task_results"]:
                rows += _entries(result, name, revision, path)
    else:
        if (path.parent / META).exists():
            metas = {path.parent: _load(path.parent / META)}
        rows += _entries(content, *_identity(path, metas.get(path.parent)), path)
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


def _load(path: Path) -> object:
    return load_json(path.read_bytes().decode("utf-8-sig", errors="replace"), path)


def _identity(path: Path, meta: object) -> tuple[str, str]:
    """Return the model and revision: what ``model_meta.json`` says, else what the folders do."""
    folders = path.parent.resolve()  # the file itself may be a link into a cache
    name = meta.get("name") if isinstance(meta, dict) else None
    if not name and "__" not in folders.parent.name:
        raise FormatError(
            f"Whose result {path} is cannot be told: there is no {META} beside it and no folder "
            "<org>__<model>/<revision> around it. Keep mteb's folders.",
            [path],
        )
    return str(name or folders.parent.name.replace("__", "/", 1)), folders.name


def _entries(
    result: Mapping[str, Any], model: str, revision: str, path: Path
) -> list[dict[str, object]]:
    """Return one row per split and subset."""
    common = {"model": model, "revision": revision, "mteb_version": result.get("mteb_version")}
    old = "scores" not in result
    common["task"] = result["mteb_dataset_name"] if old else result["task_name"]
    splits: dict[str, Any] = _old_splits(result) if old else result["scores"]
    rows = []
    for split, entries in splits.items():
        for entry in entries if isinstance(entries, list) else [None]:
            if not isinstance(entry, dict) or "main_score" not in entry:
                raise FormatError(
                    f"{path} does not have the shape of an mteb result: split {split!r} is not a "
                    "list of entries with a main_score. Write it again with mteb.",
                    [path],
                )
            place = {
                "split": split,
                "subset": entry.get("hf_subset", "default"),
                "languages": ";".join(entry.get("languages") or ()) or None,
            }
            rows.append(common | place | {"main_score": entry["main_score"]})
    return rows


def _old_splits(result: Mapping[str, object]) -> dict[str, list[dict[str, object]]]:
    """Return the results of mteb before 1.11 in today's shape."""
    splits = {}
    for split, content in result.items():
        if not isinstance(content, dict):
            continue
        score = _old_main_score(content)
        parts = {"default": content} if score is not None else content
        splits[split] = [
            {"hf_subset": subset, "main_score": _old_main_score(part)}
            for subset, part in parts.items()
            if isinstance(part, dict)
        ]
    return splits


def _old_main_score(scores: Mapping[str, object]) -> object:
    for keys in _OLD_MAIN_SCORES:
        value: object = scores
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, int | float):
            return value
    return None


def _model_metadata(metas: Mapping[Path, object], table: pd.DataFrame) -> pd.DataFrame | None:
    """Return the models' metadata, from the revision with most results where there are several.

    A model's zero-shot share is that of the datasets in the table among those it does not list as
    training data.
    """
    used = table.groupby(["model", "revision"]).size()
    tasks = set(table["task"])
    best: dict[str, tuple[int, dict[str, object]]] = {}
    for folder, meta in metas.items():
        if not isinstance(meta, dict) or not meta.get("name"):
            continue
        name = str(meta["name"])
        size = int(used.get((name, folder.resolve().name), 0))
        if name not in best or size > best[name][0]:
            best[name] = (size, meta)
    if not best:
        return None
    rows = {}
    for name, (_, meta) in best.items():
        rows[name] = {field: meta.get(field) for field in _META_FIELDS}
        trained = meta.get("training_datasets")
        if isinstance(trained, list | dict):
            rows[name]["zero_shot"] = 1.0 - len(tasks & set(trained)) / len(tasks)
    return model_fields(pd.DataFrame.from_dict(rows, orient="index"))


def _nothing_found(folder: Path) -> str:
    others = sorted(path.name for path in folder.iterdir() if path.is_file())
    found = f" It holds {name_some(others)}: pass such a file by its own path." if others else ""
    return (
        f"There are no MTEB results under {folder} (expected "
        f"<org>__<model>/<revision>/<task>.json).{found}"
    )
