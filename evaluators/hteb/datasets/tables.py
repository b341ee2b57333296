"""Rows of files: JSON lines, parquet, CSV and TSV."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from robustrank.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """Read the rows of a file by its ending: ``.jsonl``, ``.parquet``, ``.csv`` or ``.tsv``.

    Cells of CSV and TSV are texts; empty ones are empty texts.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise FormatError(
            f"{path}: files must end in {', '.join(_READERS)}; got {path.suffix or 'no ending'!r}.",
            [path],
        )
    try:
        return reader(path)
    except FileNotFoundError as error:
        raise FormatError(
            f"{path} does not exist. Paths of files are relative to the YAML that names them.",
            [path],
        ) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8: {error}. Save it as UTF-8.", [path]) from error
    except (OSError, pa.ArrowException, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise FormatError(f"{path} cannot be read: {error}.", [path]) from error


def _json_lines(path: Path) -> list[Row]:
    rows = []
    # Not splitlines(): JSON strings may hold U+2028 and other characters that it splits at.
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise FormatError(f"{path}, line {number:,}: not JSON: {error}.", [path]) from error
        if not isinstance(row, dict):
            raise FormatError(
                f"{path}, line {number:,}: every line must be a JSON object; got "
                f"{type(row).__name__}.",
                [path],
            )
        rows.append(row)
    return rows


def _parquet(path: Path) -> list[Row]:
    rows: list[Row] = pq.read_table(path).to_pylist()
    return rows


def _separated(separator: str) -> Callable[[Path], list[Row]]:
    def read(path: Path) -> list[Row]:
        # The header is read as a row: pandas would take what a longer row has too much for labels.
        table = pd.read_csv(
            path,
            sep=separator,
            header=None,
            dtype=str,
            keep_default_na=False,
            encoding="utf-8-sig",
        )
        names, *rows = table.itertuples(index=False, name=None)
        for number, row in enumerate(rows, 1):
            if not all(isinstance(cell, str) for cell in row):
                raise FormatError(
                    f"{path}, row {number:,}: fewer cells than the header has columns. Put cells "
                    "that hold the separator or a line break in quotes.",
                    [path],
                )
        return [dict(zip(names, row, strict=True)) for row in rows]

    return read


_READERS: dict[str, Callable[[Path], list[Row]]] = {
    ".jsonl": _json_lines,
    ".parquet": _parquet,
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
}
