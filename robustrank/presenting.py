"""Results as text, as JSON-safe values and as files: what results of many kinds share."""

from __future__ import annotations

import json
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._atomic import write_text
from robustrank._json import json_safe
from robustrank._saving import remove, save_figures
from robustrank._text import align, printable
from robustrank.errors import InputError, ParameterError
from robustrank.notes import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from matplotlib.axes import Axes

    from robustrank.figures.accessor import Plots

#: What columns of p-values are called.
_P_VALUES = ("p_value", "p_unadjusted", "p_adjusted", "p")


@dataclass(frozen=True, eq=False, repr=False)
class Result(ABC):
    """Base of frozen results: tables, settings and ``notes``, which a command prints apart."""

    notes: tuple[Note, ...] = field(default=(), kw_only=True)

    @abstractmethod
    def summary(self) -> str:
        """Return what was found, for a terminal, without the notes."""

    @abstractmethod
    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables by the names of their files, without ``.csv``."""

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return what draws each figure, by the name of its file, without ``.svg``."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values; an undefined number is None."""
        own = sorted(fields(self), key=lambda each: each.name == "notes")  # in order, notes last
        content = {each.name: _plain(getattr(self, each.name)) for each in own}
        safe: dict[str, Any] = json_safe(content)
        return safe

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the summary, all values, the tables and the figures into a folder.

        Parameters
        ----------
        folder : path
            Made if needed. Files of the same names are replaced.

        Returns
        -------
        list of Path
            ``summary.txt``, ``results.json``, a CSV per table, on 0..1, and an SVG per figure; why
            a figure is left out is in ``results.json``.

        Raises
        ------
        InputError
            If a file cannot be written.
        """
        return save(
            folder,
            text=self.summary(),
            content=self.to_dict(),
            tables=self.tables(),
            plots=self.figures(),
        )


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Result):
    """Base of results that answer one question about a ranking."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """The answer in one to three sentences, without markup."""

    @property
    @abstractmethod
    def plot(self) -> Plots[Any]:
        """Figures: ``plot("kind")`` or ``plot.kind()``."""

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return what draws each figure of `plot`, by its name."""
        return {kind: partial(self.plot, kind) for kind in self.plot.kinds()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.headline}"


def level(share: float) -> str:
    """Write a confidence level, such as 0.975, in per cent, with all its digits."""
    return f"{100.0 * share:.12g}%"


def p_value(value: float) -> str:
    """Write a p-value with three decimals, which never says that it is 0; ``–`` for NaN."""
    if math.isnan(value):
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def to_text(
    table: pd.DataFrame,
    decimals: int | Mapping[str, int] = 1,
    *,
    signed: Collection[str] = (),
) -> str:
    """Return a table for a terminal, text to the left and numbers to the right.

    Parameters
    ----------
    table : DataFrame
        Its index comes first, a column per level.
    decimals : int or mapping of str to int
        Of fractions, for all columns or by column; 1 for those that are not in the mapping.
    signed : collection of str
        Columns of differences, whose numbers have a sign.

    Returns
    -------
    str
        Without a line break at the end; ``–`` stands for what is undefined. Columns called
        ``p_value``, ``p_unadjusted``, ``p_adjusted`` or ``p`` are written as `p_value` does.
    """
    names = [_heading(name) for name in table.columns]
    levels = [table.index.get_level_values(place) for place in range(table.index.nlevels)]
    head = ["" if level.name is None else _heading(level.name) for level in levels]
    columns = [_column(level, 1, "") for level in levels]
    left = set(range(len(levels)))
    for place, name in enumerate(names):
        values = table.iloc[:, place]
        if name in _P_VALUES:
            columns.append([p_value(value) for value in values])
            continue
        digits = decimals.get(name, 1) if isinstance(decimals, Mapping) else decimals
        columns.append(_column(values, digits, "+" if name in signed else ""))
        if any(isinstance(value, str) for value in values):
            left.add(len(levels) + place)
    rows = [list(row) for row in zip(*columns, strict=True)]
    return "\n".join(align([[*head, *names], *rows], left))


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table as a list of JSON-safe rows, its index among them."""
    safe: list[dict[str, Any]] = json_safe(table.reset_index().to_dict("records"))
    return safe


def save(
    folder: str | os.PathLike[str],
    *,
    text: str,
    content: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame | None],
    plots: Mapping[str, Callable[[], Axes]],
) -> list[Path]:
    """Write ``summary.txt``, ``results.json``, a CSV per table and an SVG per figure.

    Parameters
    ----------
    folder : path
        Made if needed. Files of the same names are replaced, each when its successor is whole.
    text : str
        The summary.
    content : mapping
        The results.
    tables : mapping of str to DataFrame or None
        By the name of the file, without ``.csv``; they are written with their index. None where
        this result has none: what an earlier one left there is removed.
    plots : mapping of str to callable
        What draws each figure, by the name of the file, without ``.svg``. A figure that the data
        do not allow is left out, and removed if an earlier result left it there;
        ``figures_left_out`` in ``results.json`` says why.

    Returns
    -------
    list of Path

    Raises
    ------
    InputError
        If `folder` is no path or a file, or a file cannot be written.
    """
    target = as_folder(folder)
    drawn, left_out = save_figures(plots, target / "figures")
    whole = json_safe({**content, "figures_left_out": left_out})
    texts = {
        "summary.txt": text,
        "results.json": json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False),
        **{
            f"{name}.csv": table.to_csv(lineterminator="\n")
            for name, table in tables.items()
            if table is not None
        },
    }
    for name, table in tables.items():
        if table is None:
            remove(target / f"{name}.csv")
    return [*(write_text(target / name, written) for name, written in texts.items()), *drawn]


def as_folder(folder: object) -> Path:
    """Return the path of a folder that is there or can be made; raise for what is none."""
    if not isinstance(folder, str | os.PathLike):
        raise ParameterError(f"folder must be the path of a folder; got {folder!r}.")
    target = Path(folder).expanduser()
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} is a file. Name a folder, which is made if needed.", [target])
    return target


def _plain(value: object) -> object:
    if isinstance(value, pd.DataFrame):
        return records(value)
    if isinstance(value, pd.Series):
        return dict(zip(map(str, value.index), value.tolist(), strict=True))
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.to_dict() if isinstance(value, Note) else value


def _column(values: pd.Series | pd.Index, digits: int, sign: str) -> list[str]:
    return [
        "–" if missing else _cell(value, digits, sign)
        for value, missing in zip(values.tolist(), values.isna(), strict=True)
    ]


def _cell(value: object, digits: int, sign: str) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return format(int(value), f"{sign},")
    if isinstance(value, Real):
        return format(float(value), f"{sign}z,.{digits}f")  # z: no -0.0
    return printable(str(value))


def _heading(label: object) -> str:
    parts = label if isinstance(label, tuple) else (label,)
    return " · ".join(printable(str(part)) for part in parts)
