"""Files into tables or JSON values, by their content and not by their name."""

from __future__ import annotations

import io
import json
import os
import re
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from pyarrow import parquet

from robustrank._checks import check_unique
from robustrank.errors import DuplicateError, FormatError, InputError
from robustrank.readers import columns as names
from robustrank.readers.cells import is_numeric
from robustrank.readers.delimited import parse_text

if TYPE_CHECKING:
    from collections.abc import Iterator

Source = str | os.PathLike[str] | pd.DataFrame

_IMAGE = "an image: get the table that it shows as CSV"
_PACKED = "compressed: unpack it"
_FOREIGN = {
    b"PK\x03\x04": "an Excel workbook or ZIP archive: save the sheet as CSV, or unpack it",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save the sheet as CSV",
    b"\x1f\x8b": "gzip-compressed: unpack it",
    b"\x28\xb5\x2f\xfd": _PACKED,  # zstd
    b"BZh": _PACKED,
    b"\xfd7zXZ": _PACKED,
    b"\x89PNG": _IMAGE,
    b"\xff\xd8\xff": _IMAGE,  # JPEG
    b"GIF8": _IMAGE,
    b"%PDF": "a PDF document: export the table as CSV",
    b"version https://git-lfs": "a Git LFS pointer, not the data: fetch the file with git lfs pull",
}
_CONTROL = re.compile(b"[\x00-\x08\x0e-\x1f]")


def existing(path: str | os.PathLike[str]) -> Path:
    """Return the path of something that exists."""
    given = os.fsdecode(path)
    with suppress(OSError, RuntimeError):  # too long, or of nobody
        found = Path(given).expanduser()
        if given and found.exists():  # the empty path would be the working directory
            return found
    if "\n" in given or given.lstrip().startswith(("{", "[")):
        raise InputError(
            "The text of a table was given where a path is expected. Write it to a file, or pass "
            "a DataFrame: pd.read_csv(io.StringIO(text))."
        )
    shown = given if len(given) <= 200 else f"{given[:200]}…"
    raise InputError(
        f"There is no file or folder {shown!r} (working directory: {Path.cwd()}). Check the path.",
        [shown],
    )


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Name what the system does not let us read."""
    try:
        yield
    except OSError as error:
        place = error.filename or path
        raise InputError(
            f"{place} cannot be read: {error.strerror}. It may be a link whose target is gone: "
            "write or download it again, or remove it.",
            [place],
        ) from error


def load_table(source: Source) -> tuple[pd.DataFrame, str]:
    """Return a table and what to call it in messages; refuse what is not a table."""
    if isinstance(source, pd.DataFrame):
        return flat(source), "the table"
    path = existing(source)
    content = load_file(path)
    if isinstance(content, pd.DataFrame):
        return content, path.name
    if isinstance(content, list) and all(isinstance(row, dict) for row in content):
        return flat(pd.DataFrame(content)), path.name
    raise FormatError(f"{path.name} does not hold a table with one row per item.", [path])


def load_file(path: Path) -> object:
    """Return the DataFrame or JSON value that a file holds."""
    if path.is_dir():
        raise FormatError(f"{path} is a folder; pass a file.", [path])
    with readable(path):
        raw = path.read_bytes()
    if raw.startswith(b"PAR1"):
        return flat(_read_parquet(raw, path))
    for magic, what in _FOREIGN.items():
        if raw.startswith(magic):
            raise FormatError(f"{path.name} is {what}, then read it.", [path])
    text = _decode(raw, path)
    start = text.lstrip()[:15].lower()
    if start.startswith(("<!doctype html", "<html")):
        raise FormatError(
            f"{path.name} is a web page, not a table: use the board's download button.", [path]
        )
    if start.startswith(("{", "[")):
        return load_json(text, path)
    return parse_text(text, path.name)


def _read_parquet(raw: bytes, path: Path) -> pd.DataFrame:
    try:
        labels = parquet.read_schema(io.BytesIO(raw)).names
        check_unique(labels, "column", "column")  # pandas cannot read copies, nor say so
        return pd.read_parquet(io.BytesIO(raw))
    except DuplicateError:
        raise
    except Exception as error:  # pyarrow raises of many kinds
        raise FormatError(
            f"{path.name} is a damaged parquet file ({error}). Download it again.", [path]
        ) from error


def _decode(raw: bytes, path: Path) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        with suppress(UnicodeDecodeError):
            return raw.decode("utf-16")
    if b"\x00" not in raw:
        with suppress(UnicodeDecodeError):
            return raw.decode("utf-8-sig")
        if not _CONTROL.search(raw):
            return raw.decode("cp1252", errors="replace")  # what spreadsheets on Windows write
    raise FormatError(
        f"{path.name} is a binary file that is not parquet. "
        "Pass a CSV, TSV, parquet or JSON file, or a folder of MTEB results.",
        [path],
    )


def load_json(text: str, path: Path) -> object:
    """Parse JSON, or JSON lines, naming the file and place of a mistake."""

    def no_copies(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            copy = next(key for key in found if keys.count(key) > 1)
            raise DuplicateError(
                f"{path} holds {copy!r} more than once in one object, of which only the last "
                "would count. Rename or drop the copies.",
                [copy],
            )
        return found

    loads = partial(json.loads, object_pairs_hook=no_copies, parse_int=_integer)
    try:
        return loads(text)
    except RecursionError as error:
        raise FormatError(f"{path} is nested too deeply to be results.", [path]) from error
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if error.msg == "Extra data" and len(lines) > 1:
            with suppress(json.JSONDecodeError, RecursionError):
                return [loads(line) for line in lines]
        raise FormatError(
            f"{path} is not valid JSON: {error.msg} in line {error.lineno}, column {error.colno}. "
            "The file may be cut off; write or download it again.",
            [path],
        ) from error


def _integer(digits: str) -> float:
    """Return a whole number, or infinity for more digits than Python or a float can hold."""
    return int(digits) if len(digits) < 300 else float(digits)


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with unique text column names and its index, if it says anything, as columns.

    A counter is no information; an index with a name or with text is.
    """
    if frame.columns.nlevels > 1:
        raise FormatError(
            f"The columns have {frame.columns.nlevels} levels; a table of scores needs one. "
            "Join the levels, or pass a long table with one row per score."
        )
    table = frame.set_axis(_column_names(frame.columns), axis="columns")
    check_unique(list(table.columns), "column", "column")
    index = table.index
    if index.nlevels > 1:
        return _with_levels(table)
    name = "" if index.name is None else str(index.name)
    if name and name in table.columns:
        if not index.astype("object").equals(pd.Index(table[name], dtype="object")):
            raise DuplicateError(
                f"The index and a column are both named {name!r} and differ. Rename or drop one.",
                [name],
            )
        return table.reset_index(drop=True)
    counts = pd.api.types.is_integer_dtype(index.dtype) and not name
    if counts and not all(is_numeric(table[column]) for column in table.columns):
        return table.reset_index(drop=True)
    return table.reset_index(names=name)


def _column_names(columns: pd.Index) -> list[str]:
    """Return the names as text, and those of columns without one as pandas reads them from CSV."""
    missing = [name is None or name != name or not str(name).strip() for name in columns]  # noqa: PLR0124
    return [
        f"Unnamed: {position}" if missing[position] else str(name)
        for position, name in enumerate(columns)
    ]


def _with_levels(table: pd.DataFrame) -> pd.DataFrame:
    """Return a long table whose index has several levels; of models, one name is needed."""
    levels = [str(name) for name in table.index.names]
    known = [*levels, *table.columns]
    if names.find_column(known, names.MODEL) and names.find_column(known, names.DATASET):
        check_unique(known, "column", "column")
        return table.reset_index()
    raise FormatError(
        f"The rows have {len(levels)} levels ({', '.join(levels)}); a model needs one name. Join "
        "the levels, or pass a long table with columns model, dataset and score.",
        levels,
    )
