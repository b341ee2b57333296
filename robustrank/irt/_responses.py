"""Tables of right and wrong answers: what is accepted, and in which order it is worked on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank._checks import check_labels, label_array
from robustrank._numeric import content_order
from robustrank.errors import MissingScoresError, NonNumericError
from robustrank.matrix import ScoreMatrix
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from robustrank._numeric import FloatArray

#: Stands for a cell that is not a number; like any number but 0 and 1 it is refused.
_NOT_A_NUMBER = -1.0


def parse_responses(responses: ScoreMatrix | pd.DataFrame | ArrayLike) -> pd.DataFrame:
    """Return responses as floats: 1 right, 0 wrong, NaN missing.

    Parameters
    ----------
    responses : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × items; numbers, booleans or pandas' nullable types.

    Returns
    -------
    DataFrame
        Index ``model``, columns ``item``.

    Raises
    ------
    NonNumericError
        If a cell is neither 0, 1 nor missing.
    DuplicateError, EmptyMatrixError, FormatError
        If the labels, or the shape, are not those of a table of models × items.
    """
    if isinstance(responses, ScoreMatrix):
        frame = responses.scores
    elif isinstance(responses, pd.DataFrame):
        frame = responses
    else:
        frame = label_array(responses, "item")
    table = check_labels(frame, "item")
    values = _as_floats(table)
    bad = ~np.isnan(values) & (values != 0.0) & (values != 1.0)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        model, item = table.index[row], table.columns[column]
        cell = table.iloc[row, column]
        shown = cell.item() if isinstance(cell, np.generic) else cell
        continuous = bool(((values[bad] > 0.0) & (values[bad] < 1.0)).all())
        remedy = (
            "Scores between 0 and 1 are fitted by fit_2pl."
            if continuous
            else "Recode it, or leave the cell empty if the response is missing."
        )
        raise NonNumericError(
            f"The response of {model!r} on {item!r} is {shown!r}; it must be 1 or True (right), "
            f"0 or False (wrong), or missing. {remedy}",
            [model, item],
        )
    return pd.DataFrame(values, index=table.index, columns=table.columns)


def refuse_empty(table: pd.DataFrame, kind: str) -> None:
    """Raise if a model (or an item) of a table from `parse_responses` has no response."""
    held = table.notna().to_numpy()
    empty = np.flatnonzero(~held.any(axis=1 if kind == "model" else 0))
    labels = (table.index if kind == "model" else table.columns)[empty]
    if len(labels):
        place = "index" if kind == "model" else "columns"
        raise MissingScoresError(
            f"{count(len(labels), kind)} without any response: {name_some(labels)}. Leave out "
            f"what is empty: responses.dropna(how='all', axis={place!r}).",
            labels,
        )


def _as_floats(table: pd.DataFrame) -> FloatArray:
    if all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in table.dtypes):
        return table.to_numpy(dtype=np.float64)
    cells = table.to_numpy(dtype=object)
    flat = np.fromiter((_as_float(cell) for cell in cells.flat), np.float64, count=cells.size)
    return flat.reshape(cells.shape)


def _as_float(cell: Any) -> float:
    if cell is None or cell is pd.NA or cell is pd.NaT:
        return float("nan")
    if isinstance(cell, bool | np.bool_ | int | np.integer | float | np.floating):
        return float(cell)
    return _NOT_A_NUMBER


@dataclass(frozen=True, eq=False)
class Patterns:
    """The distinct models and items of a table of responses, in an order set by their content.

    Models with the same responses are one row, items with the same responses one column: copies
    get the very same estimates, and the arrangement of the table does not change a sum.

    Attributes
    ----------
    right : ndarray, shape (M, N)
        1 where the answer is right; 0 where it is wrong or missing.
    masks : ndarray, shape (G, N)
        The distinct sets of items that models answered, 1 where answered.
    mask_of : ndarray of int, shape (M,)
        Which of `masks` is the model's.
    models, items : ndarray of float, shapes (M,) and (N,)
        How many of the given models and items each one stands for.
    model_of, item_of : ndarray of int, shapes (m,) and (n,)
        Row and column of each given model and item.
    """

    right: FloatArray
    masks: FloatArray
    mask_of: NDArray[np.intp]
    models: FloatArray
    items: FloatArray
    model_of: NDArray[np.intp]
    item_of: NDArray[np.intp]

    @classmethod
    def of(cls, table: pd.DataFrame) -> Patterns:
        """Find the patterns of a table from `parse_responses`."""
        rows, columns = content_order(table)
        codes = np.nan_to_num(table.to_numpy()[np.ix_(rows, columns)], nan=2.0).astype(np.int8)
        codes, items, n_alike = _distinct(codes.T)
        codes, models, m_alike = _distinct(codes.T)
        masks, mask_of, _ = _distinct((codes != 2).astype(np.int8))
        return cls(
            right=(codes == 1).astype(np.float64),
            masks=masks.astype(np.float64),
            mask_of=mask_of,
            models=m_alike,
            items=n_alike,
            model_of=models[np.argsort(rows)],
            item_of=items[np.argsort(columns)],
        )


def _distinct(codes: NDArray[np.int8]) -> tuple[NDArray[np.int8], NDArray[np.intp], FloatArray]:
    """Return the distinct rows in sorted order, which of them each row is, and their counts."""
    distinct, which, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    return distinct, which.reshape(-1), counts.astype(np.float64)
