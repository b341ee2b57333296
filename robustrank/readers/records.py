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
            return flat(pd.DataFrame(**content))
        values = content.values()
        if all(isinstance(row, dict) for row in values):
            return flat(pd.DataFrame.from_dict(content, orient="index").rename_axis("model"))
        if all(isinstance(column, list) for column in values):
            lengths = {len(column) for column in values if isinstance(column, list)}
            if len(lengths) == 1:
                return flat(pd.DataFrame(content))
    raise FormatError(
        f"{source} is JSON, but not of a shape that holds scores. Write {_SHAPES}.", [source]
    )
