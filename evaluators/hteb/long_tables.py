"""Long tables from files, frames and lists of rows, checked, and into files that read back."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from robustrank._atomic import write_text
from robustrank.errors import EmptyMatrixError, FormatError, NonNumericError, UnknownLabelError
from robustrank.notes import name_some
from robustrank.readers.cells import clean_labels, parse_numbers, settle_percent
from robustrank.readers.tables import load_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def load_long(
    source: str | os.PathLike[str] | pd.DataFrame | Sequence[dict[str, object]],
    what: str,
    *,
    labels: Iterable[str],
    numbers: Iterable[str] = (),
    if_there: Iterable[str] = (),
    others: Iterable[str] = (),
) -> pd.DataFrame:
    """Return a table with some columns of names and some of numbers; others stay as they are.

    Parameters
    ----------
    source : path, DataFrame or sequence of dict
        A file of any format that `robustrank.read` knows, a frame, or a list of rows.
    what : str
        What a row is, for messages: ``"score"``, ``"rating"``.
    labels : iterable of str
        Columns that must be there and hold a name in every row.
    numbers : iterable of str
        Columns that must be there and hold numbers; NaN where a cell is empty. Cells written with
        ``%`` are brought to the scale of the others.
    if_there : iterable of str
        More columns of numbers, which may be absent.
    others : iterable of str
        Columns that must be there, whatever they hold.

    Returns
    -------
    DataFrame
        With a row counter as its index.

    Raises
    ------
    FormatError
        If it is no table.
    UnknownLabelError
        If a column is missing; it names the columns that are needed and those that are there.
    NonNumericError
        If a cell of numbers is none; it names the row.
    EmptyMatrixError
        If there is no row.
    """
    if not isinstance(source, str | os.PathLike | pd.DataFrame):
        source = _of_rows(source, what)
    table, name = load_table(source)
    labels, numbers = list(labels), list(numbers)
    needed = [*labels, *numbers, *others]
    absent = [column for column in needed if column not in table.columns]
    if absent:
        there = name_some(table.columns, 12) or "none"
        raise UnknownLabelError(
            f"{name} has no column {name_some(map(repr, absent))}. A table of {what}s needs the "
            f"columns {', '.join(needed)}; it has: {there}. Rename them.",
            absent,
        )
    if table.empty:
        raise EmptyMatrixError(f"{name} has no {what}s: there is not one row.")
    table = table.reset_index(drop=True)
    for column in labels:
        table[column] = clean_labels(table[column], column, name)
    for column in (*numbers, *(name for name in if_there if name in table.columns)):
        parsed = parse_numbers(table[column])
        if parsed.bad.any():
            row = int(parsed.bad.argmax())
            raise NonNumericError(
                f"The {column} in row {row + 1} of {name} is {table[column].iloc[row]!r}, which is "
                f"no number. Write a number, or leave the cell empty where there is no {what}.",
                [f"row {row + 1}"],
            )
        # 67.1% means 0.671 where the other cells are on 0..1, and 67.1 where they are not.
        table[column] = settle_percent(parsed.numbers, parsed.percent, "auto")[0]
    return table


def _of_rows(rows: object, what: str) -> pd.DataFrame:
    listed = list(rows) if isinstance(rows, Iterable) else [rows]
    mappings = [dict(row) for row in listed if isinstance(row, Mapping)]
    if len(mappings) < len(listed):
        raise FormatError(
            f"A table of {what}s is a path, a DataFrame or a list of rows such as "
            f"[{{'column': value}}]; got {type(rows).__name__}."
        )
    return pd.DataFrame(mappings)


def write_table(table: pd.DataFrame, path: Path) -> Path:
    """Write a table without its index as CSV that `load_long` reads back; return the path."""
    return write_text(path, to_csv(table))


def to_csv(table: pd.DataFrame, line_break: str = "\n") -> str:
    """Return a table without its index as CSV that `load_long` reads back, whatever its texts hold.

    Texts are in quotes, since a lone carriage return would else end a row.
    """
    return storable(
        table.to_csv(index=False, lineterminator=line_break, quoting=csv.QUOTE_NONNUMERIC)
    )


def storable(text: str) -> str:
    """Write ``?`` for what no file of text holds: null characters, halves of surrogate pairs."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()
