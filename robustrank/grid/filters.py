"""Which models take part in a study: conditions on their metadata and results."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd

from robustrank.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Complete = Literal["cell", "task-type"]
UnknownTraining = Literal["drop", "keep"]


def read_days(values: pd.Series) -> pd.Series:
    """Return days, NaT where a value is no date: each is read by its own notation."""
    texts = values.map(lambda value: str(value) if isinstance(value, str | date) else None)
    return pd.to_datetime(texts, format="mixed", utc=True, errors="coerce").dt.normalize()


def _choice(*allowed: str) -> Callable[[str, object], str]:
    def check(name: str, value: object) -> str:
        if value not in allowed:
            choices = " or ".join(map(repr, allowed))
            raise ParameterError(f"{name} must be {choices}; got {value!r}.", [value])
        return str(value)

    return check


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name} must be True or False; got {value!r}.", [value])
    return bool(value)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ParameterError(f"{name} must be a number, such as 1e9; got {value!r}.", [value])
    return float(value)


def _day(name: str, value: object) -> str:
    day = read_days(pd.Series([value], dtype=object)).iloc[0]
    if pd.isna(day):
        raise ParameterError(f"{name} must be a date such as '2025-01-01'; got {value!r}.", [value])
    return str(day.date())


#: Condition → what checks a value and returns it as Python's own types have it.
_CHECKS: dict[str, Callable[[str, object], object]] = {
    "open_weights": _flag,
    "zero_shot": _flag,
    "unknown_training_data": _choice(*get_args(UnknownTraining)),
    "complete": _choice(*get_args(Complete)),
    "released_from": _day,
    "released_until": _day,
    "min_parameters": _number,
    "max_parameters": _number,
}


@dataclass(frozen=True, kw_only=True)
class ModelFilter:
    """Conditions that a model must meet to be ranked; all that are set must hold.

    Combine two with ``&``.

    Parameters
    ----------
    open_weights : bool, optional
        Whether the weights are open.
    zero_shot : bool, optional
        Whether the model was trained on none (or on some) of the datasets of the task type: its
        metadata field ``zs_<task type>``, in percent, is (or is not) 100. Without such fields,
        ``zero_shot`` speaks for the whole benchmark.
    unknown_training_data : {"drop", "keep"}, optional
        What to do under `zero_shot` with a model whose training data are not known. Either way the
        report counts them apart. Drop by default.
    known : iterable of str
        Metadata fields that must not be empty, such as ``"n_parameters"``.
    complete : {"cell", "task-type"}, optional
        Whether a model needs scores on the datasets of a cell (the default: no ranking is possible
        without) or on all datasets of the task type, in whatever language.
    released_from, released_until : str, optional
        First and last release date, such as ``"2025-01-01"``.
    min_parameters, max_parameters : float, optional
        Fewest and most parameters.
    """

    open_weights: bool | None = None
    zero_shot: bool | None = None
    unknown_training_data: UnknownTraining | None = None
    known: Iterable[str] = ()
    complete: Complete | None = None
    released_from: str | None = None
    released_until: str | None = None
    min_parameters: float | None = None
    max_parameters: float | None = None

    def __post_init__(self) -> None:
        names = (self.known,) if isinstance(self.known, str) else tuple(self.known)
        plain: dict[str, Any] = {"known": tuple(map(str, names))}
        for name, check in _CHECKS.items():
            value = getattr(self, name)
            plain[name] = None if value is None else check(name, value)
        for name, value in plain.items():
            object.__setattr__(self, name, value)

    def __and__(self, other: ModelFilter) -> ModelFilter:
        """Return the filter that sets what either sets."""
        merged: dict[str, Any] = {}
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if field.name == "known":
                merged["known"] = tuple(dict.fromkeys([*mine, *theirs]))
            elif mine is not None and theirs is not None and mine != theirs:
                raise ParameterError(
                    f"Two filters disagree on {field.name}: {mine!r} and {theirs!r}. Set it once.",
                    [field.name],
                )
            else:
                merged[field.name] = theirs if mine is None else mine
        return ModelFilter(**merged)

    def to_dict(self) -> dict[str, Any]:
        """Return the conditions that are set, JSON-safe."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value is not None and value != ()
        }
