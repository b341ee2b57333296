"""Long tables from files, frames and lists of rows, with names and numbers checked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pandas as pd

from robustrank.errors import EmptyMatrixError, NonNumericError, UnknownLabelError
from robustrank.notes import name_some
from robustrank.readers.cells import clean_labels, parse_numbers
from robustrank.readers.tables import load_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


def load_long(
    source: str | Path | pd.DataFrame | Sequence[dict[str, object]],
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
        Columns that must be there and hold numbers; NaN where a cell is empty.
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
    UnknownLabelError
        If a column is missing.
    NonNumericError
        If a cell of numbers is none; it names the row.
    EmptyMatrixError
        If there is no row.
    """
    if not isinstance(source, str | os.PathLike | pd.DataFrame):
        source = pd.DataFrame(list(source))
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
        table[column] = parsed.numbers
    return table
