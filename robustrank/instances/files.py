"""Files and folders of scores per instance as rows of model, dataset, instance and score."""

from __future__ import annotations

import csv
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from pandas.api.types import is_string_dtype
from pyarrow import ArrowException
from pyarrow.parquet import ParquetFile

from robustrank.errors import DuplicateError, FormatError, InputError
from robustrank.instances.columns import find_roles
from robustrank.instances.rows import MISSING, concatenate, to_rows, wide_labels
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_TABLES = (".parquet", ".csv", ".tsv")
_TEXT = ("model", "dataset", "instance", "split", "subset", "experiment")


def read_path(path: str | os.PathLike[str]) -> tuple[pd.DataFrame, list[Note]]:
    """Return the rows of a file, or of all tables in a folder, and what was passed over."""
    found = Path(os.fsdecode(path)).expanduser()
    if not found.exists():
        raise InputError(
            f"There is no file or folder {str(path)!r} (working directory: {Path.cwd()}). Check "
            "the path.",
            [path],
        )
    if found.is_dir():
        return _read_folder(found)
    table = _load(found)
    rows = to_rows(table, found.name, dataset=_name(found.stem))
    return rows, _one_dataset({found.name: rows} if _is_board(table) else {})


def _read_folder(folder: Path) -> tuple[pd.DataFrame, list[Note]]:
    """Read every table; one without a column of datasets, or models, is called by its place.

    A file is then the dataset that it is called like, and a subfolder a model, as in a folder of
    MTEB results.
    """
    inside = sorted(
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.parts[len(folder.parts) :])
    )
    tables = [path for path in inside if path.suffix.lower() in _TABLES]
    if not tables:
        raise FormatError(
            f"The folder {folder} holds no table ({', '.join(_TABLES)}). Check the path.", [folder]
        )
    parts: list[pd.DataFrame] = []
    boards: dict[str, pd.DataFrame] = {}
    for path in tables:
        model = _name(path.parts[0]) if len(path.parts) > 1 else None
        table = _load(folder / path)
        parts.append(to_rows(table, str(path), model=model, dataset=_name(path.stem)))
        if _is_board(table, model):
            boards[str(path)] = parts[-1]
    notes = _one_dataset(boards)
    others = [str(path) for path in inside if path not in set(tables)]
    if others:
        verb = "was" if len(others) == 1 else "were"
        message = (
            f"{count(len(others), 'file')} of the folder {verb} passed over, as only "
            f"{', '.join(_TABLES)} are read: {name_some(others)}."
        )
        notes.append(Note("skipped-files", message, tuple(others)))
    return concatenate(parts), notes


def _is_board(table: pd.DataFrame, model: str | None = None) -> bool:
    """Whether columns were taken for instances that may as well be the datasets of a board."""
    labels = wide_labels(table, model=model)
    return labels is not None and "model" in labels


def _one_dataset(boards: Mapping[str, pd.DataFrame]) -> list[Note]:
    """Say which files were taken for one dataset each, with how many instances."""
    if not boards:
        return []
    labels: dict[str, None] = {}
    shown = []
    for file, rows in boards.items():
        [dataset] = rows["dataset"].cat.categories
        labels[dataset] = None
        size = count(len(rows["instance"].cat.categories), "instance")
        shown.append(f"{file} (1 dataset, {dataset!r}, of {size})")
    message = (
        "Without a column of datasets, a file was taken for one dataset called like the file, and "
        f"its columns for instances: {name_some(shown)}. If the columns are datasets, read it with "
        "robustrank.read."
    )
    return [Note("one-dataset", message, tuple(labels))]


def _name(part: str) -> str:
    """Return what a file or folder is called, with the slash that mteb writes as ``__``."""
    return part.replace("__", "/", 1)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror or error}. Write or download it again.", [path]
        ) from error
    except (ArrowException, pd.errors.ParserError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(
            f"{path.name} is no parquet, CSV or TSV table, or is damaged ({error}). Write or "
            "download it again.",
            [path],
        ) from error


def _load(path: Path) -> pd.DataFrame:
    """Return the table in a file, which its first bytes tell parquet or text."""
    with _readable(path):
        with path.open("rb") as file:
            magic = file.read(4)
        return _load_parquet(path) if magic == b"PAR1" else _load_text(path)


def _load_parquet(path: Path) -> pd.DataFrame:
    names = ParquetFile(path).schema_arrow.names
    _check_header(names, path)
    roles = find_roles(names)
    text = [roles[role] for role in _TEXT if role in roles]
    # Read as a dictionary, a column of names costs four bytes a row.
    table = ParquetFile(path, read_dictionary=text).read().to_pandas()
    return named_index(table)


def named_index(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with its index as columns, if that holds names and is not a counter."""
    levels = [name for name in table.index.names if name is not None]
    if not levels and not is_string_dtype(table.index.dtype):
        return table
    if set(levels).intersection(table.columns):
        raise DuplicateError(
            f"The index and a column are both named {name_some(levels)}. Rename or drop one.",
            levels,
        )
    return table.reset_index()


def _load_text(path: Path) -> pd.DataFrame:
    with path.open(encoding="utf-8-sig", newline="") as file:
        head = file.readline()
        delimiter = max(",;\t|", key=head.count)
        header = next(csv.reader([head], delimiter=delimiter), [])
    if len(header) < 2:
        raise FormatError(
            f"{path.name} has a single column; scores per instance are separated by commas, "
            "semicolons or tabs.",
            [path],
        )
    names = [cell.strip() or f"Unnamed: {place}" for place, cell in enumerate(header)]
    _check_header(names, path)
    roles = find_roles(names)
    text = [roles[role] for role in _TEXT if role in roles] or names[:1]
    missing = {name: list(MISSING) for name in names if name not in text}
    # A model called NA is a model, and instance 007 is not 7.
    return pd.read_csv(
        path,
        sep=delimiter,
        header=0,
        names=names,
        index_col=False,
        dtype=dict.fromkeys(text, str),
        keep_default_na=False,
        na_values=missing,
        encoding="utf-8-sig",
    )


def _check_header(names: Sequence[str], path: Path) -> None:
    twice = pd.Index(names)[pd.Index(names).duplicated()].unique()
    if len(twice):
        raise DuplicateError(
            f"{path.name} has {count(len(twice), 'column name')} more than once: "
            f"{name_some(twice)}. Rename or drop the copies.",
            twice,
        )
