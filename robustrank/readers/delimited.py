"""Delimited text into a table."""

from __future__ import annotations

import csv
import io
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

import pandas as pd

from robustrank._checks import check_unique
from robustrank.errors import FormatError
from robustrank.readers.cells import parse_number

if TYPE_CHECKING:
    from collections.abc import Iterator

_DELIMITERS = ",;\t|"
_LIMIT = Lock()


def parse_text(text: str, name: str) -> pd.DataFrame:
    """Parse delimited text, every cell as it is written; the delimiter is the header's."""
    head, _, rest = text.partition("\n")
    if head.strip().lower().startswith("sep="):  # a hint that Excel writes and reads
        text = rest
    with _cells_of(len(text)):
        delimiter = max(_DELIMITERS, key=lambda mark: _fit(text, mark))
        rows = list(_split(text, delimiter))
    if not rows:
        raise FormatError(f"{name} is empty. Download or export it again.", [name])
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


@contextmanager
def _cells_of(length: int) -> Iterator[None]:
    """Let cells be so long: by itself, the module takes 131,072 characters, less than a document.

    The limit is one for the whole process: it is as it was at the end, and no thread lowers it
    under another one.
    """
    with _LIMIT:
        before = csv.field_size_limit()
        csv.field_size_limit(max(before, length))
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _split(text: str, delimiter: str) -> Iterator[list[str]]:
    """Yield the rows that hold anything: spreadsheets end in rows of delimiters."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return (row for row in rows if any(cell.strip() for cell in row))


def _fit(text: str, delimiter: str) -> tuple[bool, int, int, int]:
    """Return how well a delimiter fits the first rows: all as long as the header, and numbers.

    Numbers decide for ``model;A, new;B`` over ``0,5``, which commas split as regularly; where these
    are as many, it is the fewer cells of text that another delimiter would split.
    """
    rows = list(islice(_split(text, delimiter), 30))
    if not rows:
        return False, 0, 0, 0
    width = len(rows[0])
    regular = width > 1 and all(len(row) == width for row in rows)
    words = [cell for row in rows for cell in row[:50] if parse_number(cell) is None]
    numbers = sum(len(row[:50]) for row in rows) - len(words)
    others = set(_DELIMITERS) - {delimiter}
    return regular, width, numbers, -sum(not others.isdisjoint(cell) for cell in words)
