"""Two sets of figures side by side, as Markdown tables."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass
class Row:
    """A row of a comparison: what is shown, what agrees, and why the rest does not."""

    cells: dict[str, str]
    agrees: dict[str, bool] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    def pair(self, name: str, left: Any, right: Any) -> None:
        """Add a figure that both sides have: once if it reads the same, else left / **right**."""
        one, other = show(left), show(right)
        self.check(name, one if one == other else f"{one} / **{other}**", one == other)

    def check(self, name: str, shown: str, same: bool) -> None:
        """Add a figure whose agreement the caller has judged."""
        self.cells[name] = shown
        self.agrees[name] = same

    def model(self, name: str, left: str | None, right: list[str]) -> None:
        """Add the model that comes first; where several tie, any of them may be the left one."""
        if left is None:
            self.cells[name] = ", ".join(right) or show(None)
            return
        same = left in right
        shown = left if same else f"{left} / **{', '.join(right) or show(None)}**"
        self.check(name, shown, same)
        if same and len(right) > 1:
            self.reasons.append(f"tied with {', '.join(sorted({*right} - {left}))}")

    @property
    def same(self) -> bool:
        """Whether all figures agree."""
        return all(self.agrees.values())


class Section(NamedTuple):
    """Tables under one heading, by title."""

    title: str
    text: str
    tables: dict[str, list[Row]]

    def lines(self) -> Iterator[str]:
        """Write the section."""
        yield f"\n## {self.title}\n\n{self.text}"
        for title, rows in self.tables.items():
            yield f"\n### {title}\n" if title else ""
            yield from table(rows)

    def summary(self) -> str:
        """Write a line with the number of rows in which each figure agrees."""
        counts = tally(row for rows in self.tables.values() for row in rows)
        return line([self.title, ", ".join(f"{name} {share}" for name, share in counts.items())])


def show(value: Any) -> str:
    """Write a figure as the papers do: two decimals, a dash for what is missing."""
    if pd.isna(value):
        return "–"
    if isinstance(value, bool | np.bool_):
        return "✓" if value else "–"
    if isinstance(value, float):
        return f"{value + 1e-9:.2f}"  # a half is rounded up, whatever its binary digits
    return str(value)


def models(names: Any) -> list[str]:
    """Return the models that a cell of a study names, without the part before the slash."""
    return [] if pd.isna(names) else [name.split("/")[-1] for name in re.split(" = |, ", names)]


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Write rows under each other; the last column says why where figures differ."""
    rows = list(rows)
    head = list(rows[0].cells)
    told = any(row.reasons for row in rows)
    yield line(["", *head] + ["why"] * told)
    yield line(["---"] * (1 + len(head) + told))
    for row in rows:
        mark = "=" if row.same else "≠"
        yield line([mark, *row.cells.values()] + ["; ".join(row.reasons)] * told)


def line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def tally(rows: Iterable[Row]) -> dict[str, str]:
    """Count, per figure, in how many rows it agrees."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for row in rows:
        right.update(name for name, same in row.agrees.items() if same)
        total.update(row.agrees.keys())
    return {name: f"{right[name]} of {n}" for name, n in total.items()}
