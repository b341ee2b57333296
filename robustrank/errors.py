"""Errors about input: every one is a `ValueError`, names the culprits and says what to do."""

from __future__ import annotations

from difflib import get_close_matches
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable


class InputError(ValueError):
    """Something a user gave cannot be analysed as it is.

    Parameters
    ----------
    message : str
        What is wrong, where, and the remedy.
    labels : iterable of object
        The offending models, datasets, columns or files.

    Attributes
    ----------
    labels : tuple of str
    """

    def __init__(self, message: str, labels: Iterable[object] = ()) -> None:
        super().__init__(message)
        self.labels: tuple[str, ...] = tuple(str(label) for label in labels)


class FormatError(InputError):
    """A file or table has a shape that no reader recognises."""


class SummaryExportError(FormatError):
    """A leaderboard's *Summary* export was given: it holds means, not scores per dataset."""


class DuplicateError(InputError):
    """A model, a dataset or a (model, dataset) pair occurs more than once."""


class NonNumericError(InputError):
    """A cell that should hold a score holds something else."""


class ScaleError(InputError):
    """A score lies outside every scale that is understood."""


class MissingScoresError(InputError):
    """Scores are missing and the chosen policy cannot proceed."""


class EmptyMatrixError(InputError):
    """Too few models or datasets are left to rank anything."""


class UnknownLabelError(InputError):
    """A model, dataset, task type, language or scheme that does not exist was named."""


class ParameterError(InputError):
    """A setting has a value outside its range."""


def check_count(name: str, value: object, least: int) -> int:
    """Return `value` if it is a whole number of at least `least`; raise otherwise."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}; got {value!r}.")
    return int(value)


def check_level(confidence_level: object) -> float:
    """Return a confidence level strictly between 0 and 1; raise otherwise."""
    if not isinstance(confidence_level, Real) or not 0.0 < float(confidence_level) < 1.0:
        raise ParameterError(
            f"confidence_level must lie between 0 and 1, such as 0.95; got {confidence_level!r}."
        )
    return float(confidence_level)


def check_alpha(alpha: object) -> float:
    """Return a level of significance strictly between 0 and 1; raise otherwise."""
    if isinstance(alpha, bool) or not isinstance(alpha, Real) or not 0.0 < float(alpha) < 1.0:
        raise ParameterError(f"alpha must lie between 0 and 1, such as 0.05; got {alpha!r}.")
    return float(alpha)


def as_floats(name: str, values: object) -> Any:
    """Return numbers as an array of floats; raise if some are none."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise NonNumericError(f"{name} must be numbers: {error}.") from error


def check_seed(seed: object) -> None:
    """Raise unless `seed` is a whole number of at least 0 or a `numpy.random.Generator`."""
    if not hasattr(seed, "bit_generator"):
        check_count("seed", seed, 0)


def describe_seed(seed: Any) -> Any:
    """Return what is needed to draw the same numbers again, JSON-safe but for its arrays."""
    return seed.bit_generator.state if hasattr(seed, "bit_generator") else seed


def unknown_label(
    kind: str, label: object, known: Iterable[object], *, none_known: str = ""
) -> UnknownLabelError:
    """Build the error for an unknown name, suggesting the closest known ones.

    `none_known` is the remedy where there are none.
    """
    names = sorted({str(name) for name in known})
    by_lower = {name.lower(): name for name in names}
    close = [by_lower[low] for low in get_close_matches(str(label).lower(), by_lower, n=3)]
    if close:
        remedy = f"did you mean {' or '.join(repr(name) for name in close)}?"
    elif not names:
        remedy = none_known or f"the matrix has no {kind} metadata; pass it when reading."
    else:
        shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        remedy = f"known: {shown}."
    return UnknownLabelError(f"Unknown {kind} {str(label)!r}: {remedy}", [label])
