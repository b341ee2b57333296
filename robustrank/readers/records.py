"""JSON in the shapes that scores are usually written in."""

from __future__ import annotations

import pandas as pd

from robustrank.errors import FormatError
from robustrank.readers.tables import flat

_SHAPES = (
    'a list of records with "model", "dataset" and "score", an object {model: {dataset: score}}, '
    'an object {dataset-or-"model" column: [values]}, or an mteb result'
)


def json_table(content: object, source: str) -> pd.DataFrame:
    """Return the table in a JSON value."""
    if isinstance(content, dict) and set(content) == {"scores"}:
        content = content["scores"]
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        return flat(pd.DataFrame(content))
    if isinstance(content, dict) and content:
        if {"columns", "data"} <= content.keys() <= {"columns", "data", "index"}:
            return flat(_split_table(content, source))
        values = content.values()
        if all(isinstance(row, dict) for row in values):
            return flat(pd.DataFrame.from_dict(content, orient="index").rename_axis("model"))
        lists = [column for column in values if isinstance(column, list)]
        cells = [cell for column in lists for cell in column]
        alike = len(lists) == len(content) and len({len(column) for column in lists}) == 1
        if alike and not any(isinstance(cell, dict) for cell in cells):
            return flat(pd.DataFrame(content))
    raise FormatError(
        f"{source} is JSON, but not of a shape that holds scores. Write {_SHAPES}.", [source]
    )


def _split_table(content: dict[str, object], source: str) -> pd.DataFrame:
    """Return the table in what pandas writes with ``orient="split"``."""
    columns, data = content["columns"], content["data"]
    index = content.get("index")
    if not isinstance(columns, list) or not isinstance(data, list):
        raise FormatError(
            f'"columns" and "data" of {source} must be a list of names and a list of rows.',
            [source],
        )
    for number, row in enumerate(data, start=1):
        if not isinstance(row, list) or len(row) != len(columns):
            raise FormatError(
                f'Row {number} of "data" in {source} is not a list of {len(columns)} cells, as '
                'there are "columns". Write null where a score is missing.',
                [f"row {number}"],
            )
    if index is not None and (not isinstance(index, list) or len(index) != len(data)):
        raise FormatError(
            f'"index" of {source} must be a list of {len(data)} names, as there are rows.', [source]
        )
    labels = [*columns, *(index or [])]
    if any(isinstance(label, list | dict) for label in labels):
        raise FormatError(
            f'A name in "columns" or "index" of {source} is a list or an object; it must be one '
            "text. Join the levels, or write a long table with one row per score.",
            [source],
        )
    return pd.DataFrame(data, columns=columns, index=index)
