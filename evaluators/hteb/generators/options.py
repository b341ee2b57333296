"""Checks of the options that a generator is created with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

from robustrank.errors import ParameterError


def check_text(name: str, value: object) -> str:
    """Return `value` if it is a text that is not blank; raise otherwise."""
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(f"{name} must be a text; got {value!r}.")
    return value


def check_optional_text(name: str, value: object) -> str | None:
    """Return `value` if it is None or a text that is not blank; raise otherwise."""
    return None if value is None else check_text(name, value)


def check_seconds(name: str, value: object) -> float:
    """Return `value` if it is a finite number above 0; raise otherwise."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 < float(value) < math.inf:
        raise ParameterError(f"{name} must be a number of seconds above 0; got {value!r}.")
    return float(value)


def check_mapping(name: str, value: object) -> dict[str, Any]:
    """Return a copy of `value` if it maps texts to something, {} for None; raise otherwise.

    The message shows no values: headers may hold secrets.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ParameterError(
            f"{name} must be a mapping, such as {{key: value}}; got {type(value).__name__}."
        )
    for key in value:
        if not isinstance(key, str):
            raise ParameterError(f"The keys of {name} must be texts; got {key!r}.", [key])
    return dict(value)


def refuse_keys(name: str, given: Mapping[str, Any], ours: Mapping[str, str]) -> None:
    """Raise if a mapping sets what is set elsewhere; `ours` says where, by key."""
    for key in given:
        if key in ours:
            raise ParameterError(f"{name} cannot set {key!r}: it comes from {ours[key]}.", [key])
