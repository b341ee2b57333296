"""`gwet_ac2`: agreement among raters that is stable where ratings cluster around one value.

K. L. Gwet, *Computing inter-rater reliability and its variance in the presence of high agreement*,
British Journal of Mathematical and Statistical Psychology 61 (2008), for AC1; for weights and
missing ratings, his *Handbook of Inter-Rater Reliability*, 4th edition (2014), ch. 3 and 5, whose
formulae his package irrCAC computes. Scott's π and Krippendorff's α fall towards 0 when nearly
all ratings are the same although the raters agree; AC1 and AC2 do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from scipy.special import stdtrit

from robustrank._json import json_safe
from robustrank.errors import (
    EmptyMatrixError,
    NonNumericError,
    ParameterError,
    as_floats,
    check_level,
)
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray

Weights = Literal["ordinal", "quadratic", "linear", "identity"]


@dataclass(frozen=True)
class Agreement:
    """A coefficient of agreement.

    Attributes
    ----------
    coefficient : float
        ``(p_a - p_e) / (1 - p_e)``: 1 where all raters of an item always agree, 0 where they agree
        as by chance. NaN where it is undefined; a note says why.
    se : float
        Its standard error, for other items rated by the same raters; NaN for one item.
    low, high : float
        Interval by Student's t with one degree of freedom less than items, within -1..1.
    p_a, p_e : float
        Weighted share of agreement, as observed and as by chance.
    n_items : int
        Items with at least one rating.
    n_raters : int
        Columns with at least one rating.
    weights : str
    confidence_level : float
    notes : tuple of Note
    """

    coefficient: float
    se: float
    low: float
    high: float
    p_a: float
    p_e: float
    n_items: int
    n_raters: int
    weights: Weights
    confidence_level: float
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        name = "AC1" if self.weights == "identity" else "AC2"
        if math.isnan(self.coefficient):
            return f"{name} undefined"
        return f"{name} {self.coefficient:.2f} [{self.low:.2f}, {self.high:.2f}]"

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON-safe values."""
        own = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "notes"}
        safe: dict[str, Any] = json_safe({**own, "notes": [note.to_dict() for note in self.notes]})
        return safe


def gwet_ac2(
    ratings: pd.DataFrame | ArrayLike,
    *,
    categories: Sequence[float] | None = None,
    weights: Weights = "ordinal",
    confidence_level: float = 0.95,
) -> Agreement:
    """Measure how far raters agree, by Gwet's AC2, or AC1 with ``weights="identity"``.

    Parameters
    ----------
    ratings : DataFrame or array_like, shape (n, r)
        Items × raters; NaN where a rater did not rate an item. Items with one rating tell how often
        each category is used, those with more also how often raters agree; those without any are
        left out. It does not matter which column a rating is in.
    categories : sequence of float, optional
        All ratings that could be given, used or not. They change the result: list them. By default
        those that were given.
    weights : {"ordinal", "quadratic", "linear", "identity"}
        How much two different ratings agree: by the number of pairs of categories between them, by
        their squared or absolute distance, or not at all.
    confidence_level : float

    Returns
    -------
    Agreement

    Raises
    ------
    NonNumericError
        If a rating or category is no finite number.
    ParameterError
        If a rating is not one of the `categories`, or a setting is unknown.
    EmptyMatrixError
        If there is no rating.

    Examples
    --------
    >>> from robustrank.evaluators import hteb
    >>> nan = float("nan")
    >>> ratings = [[5, 5, 4], [4, 4, nan], [5, 4, 5], [2, 3, 2], [5, 5, 5]]
    >>> print(hteb.gwet_ac2(ratings, categories=range(1, 6)))
    AC2 0.90 [0.75, 1.00]
    """
    if weights not in get_args(Weights):
        raise ParameterError(
            f"weights must be one of {', '.join(get_args(Weights))}; got {weights!r}."
        )
    level = check_level(confidence_level)
    table = _numbers("ratings", ratings)
    if table.ndim != 2:
        raise ParameterError(
            f"ratings must be a table of items × raters; got {table.ndim} dimension(s)."
        )
    table = table[~np.isnan(table).all(axis=1)]
    if not len(table):
        raise EmptyMatrixError("There is no rating to measure agreement of.")
    values = _categories(table, categories)
    counts = (table[:, :, None] == values).sum(axis=1).astype(np.float64)
    return _measure(counts, values, weights, level, int((~np.isnan(table)).any(axis=0).sum()))


def _numbers(name: str, values: object) -> FloatArray:
    """Return ratings as floats; raise for infinity, and for true and false, which rate nothing."""
    found: FloatArray = as_floats(name, values)
    cells = np.asarray(values, dtype=object).ravel()
    if any(isinstance(cell, bool | np.bool_) for cell in cells):
        raise NonNumericError(f"{name} must be numbers; some are true or false.")
    if np.isinf(found).any():
        raise NonNumericError(f"{name} must be numbers; some are infinite.")
    return found


def _categories(table: FloatArray, categories: Sequence[float] | None) -> FloatArray:
    used: FloatArray = np.unique(table[~np.isnan(table)])
    if categories is None:
        return used
    if not isinstance(categories, Iterable) or not list(categories):
        raise ParameterError(
            f"categories must list the ratings that can be given, such as range(1, 6); got "
            f"{categories!r}."
        )
    listed: FloatArray = np.unique(_numbers("categories", list(categories)))
    if np.isnan(listed).any():
        raise ParameterError("categories must be numbers: no rating is no category. Drop NaN.")
    strange = used[~np.isin(used, listed)]
    if len(strange):
        raise ParameterError(
            f"The ratings {name_some(f'{value:g}' for value in strange)} are not among the "
            f"categories {name_some((f'{value:g}' for value in listed), 12)}. Correct them, or "
            "list all categories.",
            [f"{value:g}" for value in strange],
        )
    return listed


def _weights(values: FloatArray, kind: Weights) -> FloatArray:
    """Return how much each pair of categories agrees, shape (q, q), 1 on the diagonal."""
    places = np.arange(len(values), dtype=np.float64)
    if kind == "identity":
        return np.eye(len(values))
    if kind == "ordinal":
        steps = np.abs(places[:, None] - places)
        distance = steps * (steps + 1.0) / 2.0
    else:
        distance = np.abs(values[:, None] - values) ** (2 if kind == "quadratic" else 1)
    weights: FloatArray = 1.0 - distance / distance.max()
    return weights


def _measure(
    counts: FloatArray, values: FloatArray, kind: Weights, level: float, n_raters: int
) -> Agreement:
    """Compute the coefficient from how often each item got each category, shape (n, q)."""
    n, q = counts.shape
    number = counts.sum(axis=1)
    rated = number >= 2
    notes = list(_problems(n, q, int(rated.sum()), number))
    nan = math.nan
    p_a = p_e = coefficient = se = low = high = nan
    if rated.any() and q > 1:
        weights = _weights(values, kind)
        # Pairs of raters of an item that agree, each with what its weight gives.
        pairs = (counts * (counts @ weights - 1.0)).sum(axis=1)
        own = np.where(rated, pairs / (number * (number - 1.0)).clip(min=1.0), 0.0)
        p_a = float(own.sum() / rated.sum())
        shares = counts / number[:, None]
        used = shares.mean(axis=0)
        scale = weights.sum() / (q * (q - 1.0))
        p_e = float(scale * (used * (1.0 - used)).sum())
        coefficient = (p_a - p_e) / (1.0 - p_e)
        if n > 1:
            # Gwet 2014, eq. 5.3.8: what each item adds to the coefficient, through both shares.
            through_a = np.where(rated, n / rated.sum() * (own - p_e) / (1.0 - p_e), 0.0)
            by_chance = scale * (shares * (1.0 - used)).sum(axis=1)
            through_e = 2.0 * (1.0 - coefficient) * (by_chance - p_e) / (1.0 - p_e)
            squares = ((through_a - through_e - coefficient) ** 2).sum()
            se = float(np.sqrt(squares / (n * (n - 1.0))))
            reach = float(stdtrit(n - 1, 0.5 + level / 2.0)) * se
            low, high = max(-1.0, coefficient - reach), min(1.0, coefficient + reach)
    return Agreement(
        coefficient=float(coefficient),
        se=se,
        low=low,
        high=high,
        p_a=p_a,
        p_e=p_e,
        n_items=n,
        n_raters=n_raters,
        weights=kind,
        confidence_level=level,
        notes=tuple(notes),
    )


def _problems(n: int, q: int, n_rated: int, number: FloatArray) -> list[Note]:
    if not n_rated:
        sentence = "No item has two ratings: whether raters agree cannot be known."
        return [Note("no-agreement", sentence)]
    if q == 1:
        sentence = (
            "All ratings are the same and no other category is known, so that agreement by chance "
            "is undefined. List all categories."
        )
        return [Note("no-agreement", sentence)]
    notes = []
    if n == 1:
        notes.append(Note("one-item", "One item gives agreement no standard error."))
    if number.min() < 2:
        sentence = f"{n - n_rated} of {n} items have a single rating."
        notes.append(Note("single-ratings", sentence))
    return notes
