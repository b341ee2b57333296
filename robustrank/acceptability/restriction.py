"""What is said of the weights: bounds for groups, and an order of importance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank.errors import ParameterError, unknown_label
from robustrank.notes import name_some

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._groups import Groups
    from robustrank._numeric import FloatArray

#: Sums of bounds, and weights, that differ by less than this are equal.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Restriction:
    """The weights of q groups that are allowed: a part of the simplex.

    Attributes
    ----------
    lower, upper : ndarray, shape (q,)
    chain : ndarray of int
        Groups from the most important: the weight of each is at least that of the next.
    """

    lower: FloatArray
    upper: FloatArray
    chain: NDArray[np.intp]

    @property
    def q(self) -> int:
        """Number of groups."""
        return len(self.lower)

    @property
    def bounded_below(self) -> bool:
        """Whether some weight has to be above 0."""
        return bool((self.lower > 0.0).any())

    @property
    def bounded_above(self) -> bool:
        """Whether some weight is kept below what the lower bounds leave for it."""
        return bool((self.upper < self.lower + 1.0 - self.lower.sum() - _ROUNDING).any())

    @property
    def ordered(self) -> bool:
        """Whether some groups are in an order of importance."""
        return len(self.chain) > 1

    @property
    def free(self) -> bool:
        """Whether every weight vector is allowed."""
        return not (self.bounded_below or self.bounded_above or self.ordered)

    def allows(self, weights: FloatArray) -> NDArray[np.bool_]:
        """Tell which weight vectors, shape (k, q), are allowed."""
        above = (weights >= self.lower - _ROUNDING).all(axis=1)
        below = (weights <= self.upper + _ROUNDING).all(axis=1)
        ranked = weights[:, self.chain]
        return np.asarray(above & below & (np.diff(ranked, axis=1) <= _ROUNDING).all(axis=1))


def read_restriction(
    groups: Groups,
    lower: Mapping[str, float] | pd.Series | None,
    upper: Mapping[str, float] | pd.Series | None,
    order: Sequence[str] | None,
) -> Restriction:
    """Check bounds and order as the user gave them.

    Raises
    ------
    ParameterError
        If a bound is no number on 0..1, or the bounds leave no weights that sum to 1.
    UnknownLabelError
        If a group does not exist.
    """
    low = _bounds("lower", lower, groups, 0.0)
    high = _bounds("upper", upper, groups, 1.0)
    crossed = [groups.names[g] for g in np.flatnonzero(low > high)]
    if crossed:
        raise ParameterError(
            f"lower is above upper for {name_some(crossed)}: swap the bounds.", crossed
        )
    if low.sum() > 1.0 + _ROUNDING:
        raise ParameterError(
            f"The lower bounds sum to {low.sum():g}, but weights sum to 1: lower them."
        )
    if high.sum() < 1.0 - _ROUNDING:
        raise ParameterError(
            f"The upper bounds sum to {high.sum():g}, but weights sum to 1: raise them."
        )
    # Bounds that miss 1 by rounding alone leave one weighting.
    low /= max(low.sum(), 1.0)
    high /= min(high.sum(), 1.0)
    return Restriction(low, high, _chain(order, groups))


def _bounds(
    parameter: str, given: Mapping[str, float] | pd.Series | None, groups: Groups, default: float
) -> FloatArray:
    bounds = np.full(len(groups.names), default)
    if given is None:
        return bounds
    if not isinstance(given, Mapping | pd.Series):
        raise ParameterError(
            f"{parameter} must be a mapping of {groups.noun} to weight; got {given!r}."
        )
    for name, bound in given.items():
        if isinstance(bound, bool) or not isinstance(bound, Real) or not 0.0 <= float(bound) <= 1.0:
            raise ParameterError(
                f"{parameter}: the weight of {name!r} must lie between 0 and 1; got {bound!r}.",
                [name],
            )
        bounds[_position(name, groups)] = float(bound)
    return bounds


def _chain(order: Sequence[str] | None, groups: Groups) -> NDArray[np.intp]:
    if order is None:
        return np.zeros(0, dtype=np.intp)
    if isinstance(order, str | bytes) or not isinstance(order, Sequence):
        raise ParameterError(
            f"order must be a list of {groups.noun}s from the most important one; got {order!r}."
        )
    chain = np.array([_position(name, groups) for name in order], dtype=np.intp)
    twice = sorted({str(name) for name in order if list(order).count(name) > 1})
    if twice:
        raise ParameterError(f"order names {name_some(twice)} more than once.", twice)
    return chain


def _position(name: Any, groups: Groups) -> int:
    if str(name) not in groups.names:
        raise unknown_label(groups.noun, name, groups.names)
    return groups.names.index(str(name))
