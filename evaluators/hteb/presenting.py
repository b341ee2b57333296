"""Results as text, as JSON-safe values and as files: what all results of this package share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._atomic import write_text
from robustrank._text import printable
from robustrank.errors import InputError
from robustrank.report.export import json_safe
from robustrank.report.saving import save_figures
from robustrank.report.tables import align

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection

    import pandas as pd
    from matplotlib.axes import Axes


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
        Without a line break at the end; ``–`` stands for what is undefined.
    """
    names = [_heading(name) for name in table.columns]
    levels = [table.index.get_level_values(place) for place in range(table.index.nlevels)]
    head = ["" if level.name is None else _heading(level.name) for level in levels]
    columns = [_column(level, 1, "") for level in levels]
    left = set(range(len(levels)))
    for place, name in enumerate(names):
        values = table.iloc[:, place]
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
    tables: Mapping[str, pd.DataFrame],
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
    tables : mapping of str to DataFrame
        By the name of the file, without ``.csv``; they are written with their index.
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
        If `folder` is a file, or a file cannot be written.
    """
    target = Path(folder).expanduser()
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} is a file. Name a folder, which is made if needed.", [target])
    drawn, left_out = save_figures(plots, target / "figures")
    whole = json_safe({**content, "figures_left_out": left_out})
    texts = {
        "summary.txt": text,
        "results.json": json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False),
        **{f"{name}.csv": table.to_csv(lineterminator="\n") for name, table in tables.items()},
    }
    return [*(write_text(target / name, written) for name, written in texts.items()), *drawn]


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
