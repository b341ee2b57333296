"""Files into tables or JSON values, by their content and not by their name."""

from __future__ import annotations

import csv
import io
import json
import os
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from robustrank._checks import check_unique
from robustrank.errors import FormatError, InputError
from robustrank.readers.cells import parse_number

if TYPE_CHECKING:
    from collections.abc import Iterator

Source = str | os.PathLike[str] | pd.DataFrame

_DELIMITERS = ",;\t|"
_FOREIGN = {
    b"PK\x03\x04": "an Excel workbook or ZIP archive: save the sheet as CSV, or unpack it",
    b"\x1f\x8b": "gzip-compressed: unpack it",
    b"%PDF": "a PDF document: export the table as CSV",
    b"version https://git-lfs": "a Git LFS pointer, not the data: fetch the file with git lfs pull",
}


def existing(path: str | os.PathLike[str]) -> Path:
    """Return the path of something that exists."""
    found = Path(path).expanduser()
    if not found.exists():
        raise InputError(
            f"There is no file or folder {str(found)!r} (working directory: {Path.cwd()}). "
            "Check the path.",
            [found],
        )
    return found


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
    raw = path.read_bytes()
    if not raw.strip():
        raise FormatError(f"{path.name} is empty. Download or export it again.", [path])
    if raw.startswith(b"PAR1"):
        try:
            return flat(pd.read_parquet(io.BytesIO(raw)))
        except (ValueError, OSError) as error:
            raise FormatError(
                f"{path.name} is a damaged parquet file ({error}). Download it again.", [path]
            ) from error
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


def _decode(raw: bytes, path: Path) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        with suppress(UnicodeDecodeError):
            return raw.decode("utf-16")
    if b"\x00" in raw:
        raise FormatError(
            f"{path.name} is a binary file that is not parquet. "
            "Pass a CSV, TSV, parquet or JSON file, or a folder of MTEB results.",
            [path],
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")  # what spreadsheets on Windows write


def load_json(text: str, path: Path) -> object:
    """Parse JSON, or JSON lines, naming the file and place of a mistake."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise FormatError(f"{path} is nested too deeply to be results.", [path]) from error
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if error.msg == "Extra data" and len(lines) > 1:
            try:
                return [json.loads(line) for line in lines]
            except json.JSONDecodeError:
                pass
        raise FormatError(
            f"{path} is not valid JSON: {error.msg} in line {error.lineno}, column {error.colno}. "
            "The file may be cut off; write or download it again.",
            [path],
        ) from error


def parse_text(text: str, name: str) -> pd.DataFrame:
    """Parse delimited text, every cell as it is written; the delimiter is the header's."""
    head, _, rest = text.partition("\n")
    if head.strip().lower().startswith("sep="):  # a hint that Excel writes and reads
        text = rest
    try:
        delimiter = max(_DELIMITERS, key=lambda mark: _fit(text, mark))
        rows = [row for row in _split(text, delimiter) if row]
    except csv.Error as error:
        raise FormatError(f"{name} cannot be split into cells: {error}.", [name]) from error
    header = [cell.strip() for cell in rows[0]]
    if len(header) < 2:
        raise FormatError(
            f"{name} has a single column ({header[0][:40]!r}); a score table has a column of "
            "model names and one per dataset, separated by commas, semicolons or tabs.",
            [name],
        )
    for number, row in enumerate(rows[1:], start=1):
        if len(row) != len(header):
            raise FormatError(
                f"Row {number} of {name} ({row[0]!r} …) has {len(row)} cells, the header "
                f"{len(header)}. Quote cells that hold the delimiter {delimiter!r}, or download "
                "the file again if it was cut off.",
                [row[0]],
            )
    names = [cell or f"Unnamed: {position}" for position, cell in enumerate(header)]
    check_unique(names, "column", "column")
    return pd.DataFrame(rows[1:], columns=names, dtype="object")


def _split(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def _fit(text: str, delimiter: str) -> tuple[bool, int, int]:
    """Return how well a delimiter fits the first rows: all as long as the header, and numbers.

    Numbers decide for ``model;A, new;B`` over ``0,5``, which commas split as regularly.
    """
    rows = [row for row in islice(_split(text, delimiter), 30) if row]
    width = len(rows[0])
    regular = width > 1 and all(len(row) == width for row in rows)
    numbers = sum(parse_number(cell) is not None for row in rows[1:] for cell in row[:50])
    return regular, width, numbers


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with unique text column names and its index, if it says anything, as columns.

    A counter is no information; an index with a name or with text is.
    """
    if frame.columns.nlevels > 1:
        raise FormatError(
            f"The columns have {frame.columns.nlevels} levels; a table of scores needs one. "
            "Join the levels, or pass a long table with one row per score."
        )
    index = frame.index
    if index.nlevels > 1:
        table = frame.reset_index()
    elif index.name in frame.columns or (
        index.name is None
        and pd.api.types.is_integer_dtype(index.dtype)
        and not frame.select_dtypes(exclude="number").empty
    ):
        table = frame.reset_index(drop=True)
    else:
        table = frame.reset_index(names="" if index.name is None else str(index.name))
    table.columns = pd.Index([str(name) for name in table.columns])
    check_unique(list(table.columns), "column", "column")
    return table
