"""The tables of a study for people, with the columns of the papers' tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank.errors import ParameterError
from robustrank.grid.findings import field_name
from robustrank.report.findings import format_ess
from robustrank.report.tables import format_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robustrank.grid.export import TableName
    from robustrank.grid.study import Study

#: Columns that hold text, besides the labels.
_TEXTS = ("Level", "Evidence", "Most consistent model", "Most often first")


def readable_table(study: Study, table: TableName) -> pd.DataFrame:
    """Return a table as text, rounded as in *Slavic* Tables 3 to 11; absent is a dash.

    Parameters
    ----------
    study : Study
    table : {"cells", "languages", "tasks"}

    Returns
    -------
    DataFrame of str
        The values of a language or task type come first, under the name of their field.
    """
    makers = {"cells": _cells, "languages": _languages, "tasks": _tasks}
    if table not in makers:
        known = ", ".join(map(repr, makers))
        raise ParameterError(f"Unknown table {table!r}; choose among {known}.", [table])
    columns = makers[table](study)
    index = getattr(study, table).index
    labels = {
        _heading(field, columns): _text(index.get_level_values(place))
        for place, field in enumerate(label_fields(study, table))
    }
    return pd.DataFrame(labels | columns, dtype=object)


def label_fields(study: Study, table: TableName) -> tuple[str, ...]:
    """Return the fields whose values label the rows of a table."""
    first, second = study.plan.by
    return {"cells": (first, second), "languages": (first,), "tasks": (second,)}[table]


def text_columns(cells: pd.DataFrame, table: TableName) -> list[str]:
    """Return the columns of a readable table that hold text."""
    return [*cells.columns[: 2 if table == "cells" else 1], *_TEXTS]


def _heading(field: str, taken: Iterable[str]) -> str:
    """Return the name of a field as a heading, told apart from the table's own."""
    heading = field_name(field).capitalize()
    return heading if heading not in taken else f"{heading} (field)"


def _cells(study: Study) -> dict[str, list[str]]:
    cells = study.cells
    return {
        "Level": _text(cells["level"]),
        "ESS": _share(cells["ess"]),
        "n": _text(cells["n"]),
        "q": _text(cells["q"]),
        "U": _text(cells["n_unique"]),
        "#Ranks": _text(cells["n_rankings"]),
        "TC": _share(cells["consistency"]),
        "Most consistent model": _text(cells["most_consistent_model"]),
    }


def _languages(study: Study) -> dict[str, list[str]]:
    languages = study.languages
    evaluable = zip(languages["evaluable_tasks"], languages["n_tasks"], strict=True)
    return {
        "Datasets": _text(languages["n_datasets"]),
        "Evidence": _text(languages["category"]),
        "ESS": _share(languages["ess"]),
        "Tasks": [f"{some}/{all_}" for some, all_ in evaluable],
        "CW": _share(languages["coverage_weighted"]),
        "Most consistent model": _text(languages["most_consistent_model"]),
    }


def _tasks(study: Study) -> dict[str, list[str]]:
    tasks = study.tasks
    return {
        "Models": _text(tasks["n_models"]),
        "Languages": _text(tasks["languages"]),
        "Evaluable": _text(tasks["evaluable_languages"]),
        "Evidence": _text(tasks["category"]),
        "ESS": _share(tasks["ess"]),
        "DS": _text(tasks["assessed_ds"]),
        "Most often first": _text(tasks["most_often_first"]),
        "Share": _share(tasks["share_first"]),
    }


def _text(values: Iterable[Any]) -> list[str]:
    return [str(v) if isinstance(v, int) else format_value("", v) for v in pd.Series(values)]


def _share(values: pd.Series) -> list[str]:
    return ["–" if pd.isna(value) else format_ess(value) for value in values]
