"""A resource of models, such as their price, as users give it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._checks import check_unique
from robustrank.errors import EmptyMatrixError, NonNumericError, ParameterError, unknown_label
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray


def read_resource(
    given: Mapping[str, float] | pd.Series, names: list[str]
) -> tuple[FloatArray, list[Note]]:
    """Return the resource of each model, NaN where it has none, and notes on who has none."""
    if not isinstance(given, Mapping | pd.Series):
        raise ParameterError(
            "resource must be a mapping or Series of model to number, or the name of a column of "
            f"the models' metadata; got {type(given).__name__}."
        )
    if isinstance(given, pd.Series):
        check_unique([str(model) for model in given.index], "resource", "row")
    known: dict[str, float] = {}
    for model, value in given.items():
        if not pd.isna(value):
            known[str(model)] = _finite(model, value)
    if not set(names).intersection(known):
        raise EmptyMatrixError(
            f"No model has a value of the resource: it is given for {name_some(known, 3) or 'none'}"
            f"; the models are {name_some(names, 3)}.",
            names,
        )
    notes = []
    without = tuple(name for name in names if name not in known)
    if without:
        message = (
            f"{count(len(without), 'model')} of {len(names)} left out of the front, without a "
            f"value of the resource: {name_some(without)}."
        )
        notes.append(Note("no-resource", message, without))
    strangers = tuple(name for name in known if name not in set(names))
    if strangers:
        message = (
            f"The resource names {count(len(strangers), 'model')} without scores: "
            f"{name_some(strangers)}."
        )
        notes.append(Note("unused-resource", message, strangers))
    return np.array([known.get(name, np.nan) for name in names]), notes


def named_resource(models: pd.DataFrame, name: str) -> pd.Series:
    """Return a column of the models' metadata."""
    if name not in models.columns:
        raise unknown_label("column of the models' metadata", name, models.columns)
    return models[name]


def _finite(model: object, value: Any) -> float:
    numeric = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if not numeric or not math.isfinite(value):
        raise NonNumericError(
            f"The resource of {str(model)!r} is {value!r}, not a finite number. Correct it, or "
            "leave it empty if it is unknown.",
            [model],
        )
    return float(value)
