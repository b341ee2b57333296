"""What generators made of texts: from folders of runs, or tables of outputs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard, cast

import numpy as np
import pandas as pd

from robustrank.errors import DuplicateError, FormatError, ParameterError, unknown_label
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.run_texts import read_texts
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.notes import name_some
from robustrank.readers.tables import existing

if TYPE_CHECKING:
    from collections.abc import Iterable

_One = str | Path | pd.DataFrame | Sequence[dict[str, object]]
#: The folder of a run, or a table with a row per output; several of them, or by generator's name.
Source = _One | Sequence[_One] | Mapping[str, _One]

#: What a run keeps of each text's errors: of the first answer, and of the one that was used.
STORED = {"first": "first_errors", "last": "errors"}


def read_outputs(source: Source, generator: str | None = None) -> list[pd.DataFrame]:
    """Read outputs, a table per source.

    Returns
    -------
    list of DataFrame
        Columns ``generator``, ``dataset`` (empty where unknown), ``transformation``, ``original``,
        ``output``, ``expected`` (the language of the output, None where unknown), and the columns
        of `STORED` where errors are stored, with ``identified``.
    """
    given = _named(source, generator)
    if not given:
        raise FormatError("There is nothing to read: pass at least one run's folder or table.")
    parts = [_read(each, name) for name, each in given]
    _check_distinct(parts)
    return parts


def _named(source: Source, generator: str | None) -> list[tuple[str | None, _One]]:
    """Return the sources, each with the name of its generator if one is given."""
    if isinstance(source, str | os.PathLike | pd.DataFrame) or _are_rows(source):
        return [(generator, source)]
    if not isinstance(source, Sequence | Mapping):
        raise FormatError(
            "Pass a run's folder, a table, or several of them as a list or as {name: source}; got "
            f"{type(source).__name__}."
        )
    if generator is not None and isinstance(source, Mapping):
        raise ParameterError(
            f"The sources have names, so that generator={generator!r} is one too many. Leave it "
            "out.",
            [generator],
        )
    if generator is not None and len(source) != 1:
        raise ParameterError(
            f"generator={generator!r} names one source; there are {len(source)}. Pass a mapping "
            "from names to sources.",
            [generator],
        )
    if isinstance(source, Mapping):
        return [*source.items()]
    return [(generator, each) for each in cast("Sequence[_One]", source)]


def _read(source: _One, name: str | None) -> pd.DataFrame:
    if isinstance(source, str | os.PathLike) and existing(source).is_dir():
        table = read_texts(source)
    else:
        table = _read_table(source, named=name is not None)
    if name is not None:
        _check_single(table, str(name))
        table["generator"] = str(name)
    keeps = table["transformation"].map(lambda each: TRANSFORMATIONS[each].keeps_language)
    source_language, target = (_optional(table, column) for column in ("source", "target"))
    language = _optional(table, "language")
    table["expected"] = language.where(language.notna(), source_language.where(keeps, target))
    kept = ["generator", "dataset", "transformation", "original", "output", "expected"]
    stored = [*STORED.values(), "identified"] if _are_stored(table) else []
    return table[[*kept, *stored]]


def _read_table(source: _One, *, named: bool) -> pd.DataFrame:
    labels = ["transformation"] if named else ["generator", "transformation"]
    table = load_long(source, "output", labels=labels, others=("original", "output"))
    for name in dict.fromkeys(table["transformation"]):
        if name not in TRANSFORMATIONS:
            raise unknown_label("transformation", name, TRANSFORMATIONS)
    for name in ("original", "output"):
        table[name] = [_text(cell) for cell in table[name]]
    blank = table["original"].str.strip() == ""
    if blank.any():
        row = f"row {int(blank.to_numpy().argmax()) + 1}"
        raise FormatError(
            f"The original in {row} is empty, so that there is nothing to compare the output with. "
            "Write the text that was to be transformed, or drop the row.",
            [row],
        )
    table["dataset"] = "" if "dataset" not in table.columns else table["dataset"].astype(str)
    if "identified" not in table.columns:
        table["identified"] = True
    return table


def _check_single(table: pd.DataFrame, name: str) -> None:
    there = _optional(table, "generator").dropna().unique()
    if len(there) > 1:
        raise ParameterError(
            f"{name!r} is to name one generator, but its source has {len(there)}: "
            f"{name_some(there)}. Pass the source without a name.",
            [name],
        )


def _text(cell: object) -> str:
    """Return a cell as text; an empty cell is an empty text."""
    return cell if isinstance(cell, str) else "" if pd.isna(cell) else str(cell)  # type: ignore[call-overload]


def _optional(table: pd.DataFrame, column: str) -> pd.Series:
    missing = pd.Series(None, index=table.index, dtype=object)
    return table[column].astype(object) if column in table.columns else missing


def _are_stored(table: pd.DataFrame) -> bool:
    """Tell whether every row has lists of errors, as runs keep them."""
    return all(
        name in table.columns
        and table[name].map(lambda cell: isinstance(cell, list | tuple | np.ndarray)).all()
        for name in STORED.values()
    )


def _are_rows(source: object) -> TypeGuard[Sequence[dict[str, object]]]:
    return isinstance(source, list | tuple) and any(isinstance(each, Mapping) for each in source)


def _check_distinct(parts: Iterable[pd.DataFrame]) -> None:
    seen: set[str] = set()
    for part in parts:
        own = set(part["generator"])
        twice = sorted(own & seen)
        if twice:
            raise DuplicateError(
                f"Two sources are of the generator {twice[0]!r}. Give each a name of its own: a "
                "mapping from names to sources, or NAME=DIR on the command line.",
                twice,
            )
        seen |= own
