"""A dataset and its transformation as the two columns of a table."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from robustrank.errors import FormatError, InputError
from robustrank.evaluators.hteb.records import PART

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robustrank.evaluators.hteb.records import Dataset

    Row = dict[str, Any]

ORIGINAL = "original"
_SURROGATES = re.compile("[\ud800-\udfff]")


def to_table(original: Dataset, transformed: Dataset, column: str) -> tuple[pa.Table, int]:
    """Return a table of the columns ``original`` and `column`, and the number of failed texts.

    Both columns are structs of one type. A text that could not be transformed is "". A lone
    surrogate, which no such file can hold, is U+FFFD.
    """
    if len(original.records) != len(transformed.records):
        raise InputError(
            f"{original.name} has {len(original.records):,} rows and its transformation "
            f"{len(transformed.records):,}. Give both with the same rows in the same order.",
            [original.name],
        )
    if not original.records:
        raise InputError(f"{original.name} has no rows, so there is nothing to write.")
    n_failed = 0

    def save(before: str, after: str | None) -> str:
        nonlocal n_failed
        n_failed += not after and bool(before.strip())
        return before if after is None and not before.strip() else after or ""

    before = original.records
    after = _pair_rows(before, transformed.records, original.name, save)
    try:
        try:
            rows = pa.array([*before, *after])
        except UnicodeEncodeError:
            rows = pa.array([_without_surrogates(row) for row in (*before, *after)])
    except (pa.ArrowException, OverflowError) as error:
        raise FormatError(
            f"The rows of {original.name} are no parquet table: {error}. Let every column hold "
            f"values of one type{_mixed(before)}.",
            [original.name],
        ) from error
    return pa.table({ORIGINAL: rows[: len(before)], column: rows[len(before) :]}), n_failed


def from_table(table: pa.Table, column: str, like: Dataset, where: str) -> tuple[Dataset, Dataset]:
    """Return the original and the transformed dataset; what could not be transformed is None.

    A table holds every column for every row. Rows of a part of a retrieval dataset lose those in
    which the part has no value, as these are the other parts' columns.
    """
    before, after = table[ORIGINAL].to_pylist(), table[column].to_pylist()
    after = _pair_rows(
        before, after, where, lambda old, new: None if not new and old.strip() else new
    )
    if like.task_type == "retrieval":
        parts = [row.get(PART) for row in before]
        filled: dict[Any, set[str]] = defaultdict(set)
        for part, row in zip(parts, before, strict=True):
            filled[part].update(name for name, value in row.items() if value is not None)
        before, after = (
            [_only(row, filled[part]) for part, row in zip(parts, rows, strict=True)]
            for rows in (before, after)
        )
    return replace(like, records=before), replace(like, records=after)


def _pair_rows(
    before: Sequence[Row], after: Sequence[Row], where: str, text: Callable[[str, Any], str | None]
) -> list[Any]:
    """Return the rows of `after` with each text as `text` makes it of the old one and the new."""
    return [
        _pair(old, new, f"{where}, row {number:,}", text)
        for number, (old, new) in enumerate(zip(before, after, strict=True), start=1)
    ]


def _pair(old: Any, new: Any, place: str, text: Callable[[str, Any], str | None]) -> Any:
    if isinstance(old, str) and (new is None or isinstance(new, str)):
        return text(old, new)
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return {key: _pair(old[key], new[key], f"{place}, {key}", text) for key in old}
    if isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        return [_pair(one, other, place, text) for one, other in zip(old, new, strict=True)]
    if old == new or (old != old and new != new):  # noqa: PLR0124 - NaN stays NaN
        return new
    raise FormatError(
        f"{place}: {old!r:.80} became {new!r:.80}. Only texts may differ; make the pair again.",
        [place],
    )


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATES.sub("�", value)
    if isinstance(value, dict):
        return {key: _without_surrogates(each) for key, each in value.items()}
    return [*map(_without_surrogates, value)] if isinstance(value, list | tuple) else value


def _only(row: Row, names: set[str]) -> Row:
    return {name: value for name, value in row.items() if name in names}


def _mixed(rows: Sequence[Row]) -> str:
    """Name the columns that hold values of several types."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for name, value in row.items():
            if value is not None:
                kinds[name].add(type(value).__name__)
    mixed = [f"{name} ({', '.join(sorted(k))})" for name, k in kinds.items() if len(k) > 1]
    return f": {'; '.join(mixed)}" if mixed else ""
