"""What one result of mteb says: a row per split and subset."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from robustrank.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Kind = TypeVar("Kind")

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


@contextmanager
def mteb_shape(path: Path) -> Iterator[None]:
    """Name the file in which something is missing or of another type than mteb writes."""
    try:
        yield
    except (KeyError, TypeError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise FormatError(
            f"{path} does not have the shape of an mteb result: {what}. Write it again with mteb.",
            [path],
        ) from error


def part(value: object, kind: type[Kind], name: str) -> Kind:
    """Return a part of a result if it is of the kind that mteb writes, and not empty text."""
    if not isinstance(value, kind) or value == "":
        raise TypeError(f"{name} is {value!r}")
    return value


def read_entries(result: object, model: str, revision: str) -> list[dict[str, object]]:
    """Return one row per split and subset; to be called within `mteb_shape`."""
    fields = part(result, dict, "a result")
    version = fields.get("mteb_version")
    if version is not None:
        part(version, str, "mteb_version")
    common = {"model": model, "revision": revision, "mteb_version": version}
    old = "mteb_dataset_name" in fields and "scores" not in fields
    name = "mteb_dataset_name" if old else "task_name"
    common["task"] = part(fields[name], str, name)
    splits = _old_splits(fields) if old else part(fields["scores"], dict, "scores")
    rows = []
    for split, entries in splits.items():
        for entry in entries if isinstance(entries, list) else [None]:
            if not isinstance(entry, dict) or "main_score" not in entry:
                raise TypeError(f"split {split!r} is not a list of entries with a main_score")
            place = {
                "split": split,
                "subset": part(entry.get("hf_subset", "default"), str, "hf_subset"),
                "languages": _codes(entry.get("languages")),
            }
            rows.append(common | place | {"main_score": entry["main_score"]})
    return rows


def _codes(languages: object) -> str | None:
    """Return languages joined by semicolons; text is one of them, not a list of letters."""
    if languages is None or isinstance(languages, str):
        return languages or None
    codes = part(languages, list, "languages")
    return ";".join(part(code, str, "a language") for code in codes) or None


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
