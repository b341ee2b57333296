"""The cells of a grid: which datasets a language and task type have, and which have results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._metadata import parse_languages
from robustrank._select import listed
from robustrank.errors import EmptyMatrixError, ParameterError, unknown_label
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robustrank.grid.source import Source


@dataclass(frozen=True)
class CellPlan:
    """One cell: a language and a task type, with its datasets in alphabetical order.

    Attributes
    ----------
    language, task_type : str
        Values of the two fields that the grid is laid out by.
    datasets : tuple of str
        All that exist.
    scored : tuple of str
        Those with results of enough models.
    """

    language: str
    task_type: str
    datasets: tuple[str, ...]
    scored: tuple[str, ...]

    @property
    def unscored(self) -> tuple[str, ...]:
        """Datasets that exist and have no results."""
        return tuple(name for name in self.datasets if name not in self.scored)


@dataclass(frozen=True, eq=False)
class Plan:
    """The whole grid.

    Attributes
    ----------
    cells : list of CellPlan
        Language by language; cells without a dataset included.
    by : tuple of str
        Names of the two fields.
    groups : dict
        Task type → its datasets with results, in whatever language.
    notes : list of Note
    """

    cells: list[CellPlan]
    by: tuple[str, str]
    groups: dict[str, list[str]]
    notes: list[Note]

    @property
    def sizes(self) -> dict[str, int]:
        """Language → number of its datasets, each counted once."""
        names: dict[str, set[str]] = {}
        for cell in self.cells:
            names.setdefault(cell.language, set()).update(cell.datasets)
        return {language: len(datasets) for language, datasets in names.items()}

    @property
    def languages(self) -> list[str]:
        """Values of the first field."""
        return list(dict.fromkeys(cell.language for cell in self.cells))

    @property
    def task_types(self) -> list[str]:
        """Values of the second field."""
        return list(dict.fromkeys(cell.task_type for cell in self.cells))


def plan_grid(
    source: Source,
    by: tuple[str, str],
    *,
    languages: str | Iterable[str] | None,
    task_types: str | Iterable[str] | None,
    min_datasets: int,
    min_coverage: float,
) -> Plan:
    """Lay out the grid; the parameters are those of `study`."""
    first, second = _check_fields(by, source.catalogue)
    scored = _scored(source, second, min_coverage)
    columns = _wanted(second, task_types, by[1])
    rows = _wanted(first, languages, by[0])
    members: dict[tuple[str, str], list[str]] = {}
    sizes: dict[str, int] = dict.fromkeys(rows, 0)
    for dataset in source.catalogue.index:
        for row in first[dataset]:
            if row in sizes:
                sizes[row] += 1
            for column in second[dataset]:
                members.setdefault((row, column), []).append(dataset)
    # A language that was asked for by name is shown however little there is.
    kept = [row for row in rows if languages is not None or sizes[row] >= min_datasets]
    if not kept or not columns:
        raise EmptyMatrixError(
            f"No {by[0]} has {count(min_datasets, 'dataset')} or more; lower min_datasets."
        )
    cells = []
    for row in kept:
        for column in columns:
            names = members.get((row, column), [])
            cells.append(
                CellPlan(row, column, tuple(names), tuple(name for name in names if name in scored))
            )
    groups = {
        column: [
            name for name in source.catalogue.index if column in second[name] and name in scored
        ]
        for column in columns
    }
    named = list(dict.fromkeys(name for cell in cells for name in cell.unscored))
    notes = _notes(by, rows, kept, named, source, min_datasets)
    return Plan(cells, (by[0], by[1]), groups, [*notes, *_nowhere(by, first, second)])


def scored_in_language(plan: Plan, source: Source, min_coverage: float) -> Plan:
    """Leave out of each cell the datasets on which too few models have a score in its language.

    Too few of those that have a score on the dataset in whatever language.
    """
    ran = source.matrix.scores.notna().sum()
    cells, lost = [], []
    language, enough = None, pd.Series(dtype=bool)
    for cell in plan.cells:
        if cell.language != language:
            language = cell.language
            counts = pd.Series((source.totals(language)[1] > 0).sum(axis=0), index=ran.index)
            enough = (counts > 0) & (counts >= min_coverage * ran)
        scored = tuple(name for name in cell.scored if enough[name])
        lost += [f"{name} in {language}" for name in cell.scored if not enough[name]]
        cells.append(replace(cell, scored=scored))
    notes = list(plan.notes)
    if lost:
        message = (
            f"{count(len(lost), 'dataset')} without scores in a language that the metadata give "
            f"them, counted in n and in no ranking of it: {name_some(lost)}."
        )
        notes.append(Note("unscored-languages", message, tuple(lost)))
    return replace(plan, cells=cells, notes=notes)


def field_values(catalogue: pd.DataFrame, field: str) -> dict[str, tuple[str, ...]]:
    """Return the values of a metadata field per dataset; ``"language"`` has several."""
    column = catalogue["languages" if field == "language" else field]
    values: dict[str, tuple[str, ...]] = {}
    for dataset, cell in column.items():
        if isinstance(cell, tuple | list | np.ndarray):
            values[str(dataset)] = tuple(map(str, cell))
        else:
            values[str(dataset)] = () if pd.isna(cell) else (str(cell),)
    return values


def _check_fields(
    by: tuple[str, str], catalogue: pd.DataFrame
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    if not isinstance(by, tuple | list) or len(by) != 2 or by[0] == by[1]:
        raise ParameterError(
            f"by must name two fields of the dataset metadata, such as ('language', 'task_type'); "
            f"got {by!r}."
        )
    found = []
    for field in by:
        known = ["language", *catalogue.columns.drop("languages")]
        if field not in known:
            raise unknown_label("field of the dataset metadata", field, known)
        values = field_values(catalogue, field)
        if not any(values.values()):
            raise ParameterError(
                f"No dataset has a known {field}: pass a table of task metadata with such a column "
                "as tasks= (--task-metadata).",
                [field],
            )
        found.append(values)
    return found[0], found[1]


def _wanted(
    values: dict[str, tuple[str, ...]], asked: str | Iterable[str] | None, field: str
) -> list[str]:
    known = sorted({value for each in values.values() for value in each})
    if asked is None:
        return known
    names = list(dict.fromkeys(listed(asked)))
    if field == "language":  # as in `ScoreMatrix.select`: "eng-Latn" and "ENG" are "eng"
        own = {code.lower(): code for code in known}
        codes = (code for name in names for code in parse_languages(name))
        names = list(dict.fromkeys(own.get(code.lower(), code) for code in codes))
    if not names:
        raise ParameterError(f"No {field} was named; leave the setting out to use all of them.")
    for name in names:
        if name not in known:
            raise unknown_label(field, name, known)
    return names


def _scored(source: Source, second: dict[str, tuple[str, ...]], min_coverage: float) -> set[str]:
    """Return the datasets that enough of those models ran that ran anything of the task type."""
    scores = source.matrix.scores
    held = scores.notna().to_numpy()
    members: dict[str, list[int]] = {}
    for place, name in enumerate(scores.columns):
        for value in second[name]:
            members.setdefault(value, []).append(place)
    found: set[str] = set()
    for places in members.values():
        ran = held[:, places]
        active = ran.any(axis=1).sum()
        counts = ran.sum(axis=0)
        enough = (counts > 0) & (counts >= min_coverage * active)
        found |= {str(scores.columns[places[j]]) for j in np.flatnonzero(enough)}
    return found


def _nowhere(
    by: tuple[str, str], first: dict[str, tuple[str, ...]], second: dict[str, tuple[str, ...]]
) -> list[Note]:
    """Name the datasets that are in no cell because a field of theirs is not known."""
    notes = []
    for field, values in zip(by, (first, second), strict=True):
        unknown = tuple(name for name, value in values.items() if not value)
        if unknown:
            message = (
                f"{count(len(unknown), 'dataset')} without a known {field}, so in no cell: "
                f"{name_some(unknown)}."
            )
            notes.append(Note("unknown-field", message, unknown))
    return notes


def _notes(
    by: tuple[str, str],
    rows: list[str],
    kept: list[str],
    unscored: list[str],
    source: Source,
    min_datasets: int,
) -> list[Note]:
    notes = []
    if unscored:
        ran = source.matrix.scores.reindex(columns=unscored).notna().sum()
        shown = [f"{name} ({count(int(ran[name]), 'model')})" for name in unscored]
        message = (
            f"{count(len(unscored), 'dataset')} without results, or with those of too few models, "
            f"counted in n and in no ranking: {name_some(shown)}."
        )
        notes.append(Note("unscored-datasets", message, tuple(unscored)))
    if len(kept) < len(rows):
        message = (
            f"{len(rows) - len(kept):,} of {count(len(rows), by[0])} with fewer than "
            f"{count(min_datasets, 'dataset')}, left out."
        )
        notes.append(Note("left-out-languages", message))
    return notes
