"""Item parameters by girth's marginal maximum likelihood, for small sets of items.

What girth 0.8's `twopl_mml` cannot do is refused here, or set aside, instead of being returned:
its time grows with the square of the number of items, its product of probabilities underflows
from about 1,000 items on, items that all models got right come out as the hardest, it has no
prior, and it stops at bounds of 0.2 to 5 for discrimination and ±6 for difficulty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._numeric import varies
from robustrank.errors import ParameterError
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

    from robustrank._numeric import FloatArray

#: More items take girth minutes: 500 items and 50 models took 268 s.
MOST_ITEMS = 200
_BOUNDS = {"discrimination": (0.2, 5.0), "difficulty": (-6.0, 6.0)}
_AT_BOUND = 1e-3


def girth_items(table: pd.DataFrame, max_iterations: int) -> tuple[FloatArray, tuple[Note, ...]]:
    """Return discrimination and difficulty of each item as girth estimates them.

    Parameters
    ----------
    table : DataFrame
        Models × items: 1, 0 or NaN.
    max_iterations : int

    Returns
    -------
    tuple of ndarray, shape (n, 2), and of tuple of Note
        NaN for an item that all models got right, or all wrong.
    """
    if table.shape[1] > MOST_ITEMS:
        raise ParameterError(
            f"engine='girth' takes at most {MOST_ITEMS} items, this table has "
            f"{table.shape[1]:,}: girth's time grows with the square of their number, and its "
            "abilities underflow. Use engine='numpy'."
        )
    varying = varies(table.to_numpy())
    if not varying.any():
        raise ParameterError(
            "No item tells two models apart, and girth is wrong about such items. "
            "Use engine='numpy'."
        )
    from girth import tag_missing_data, twopl_mml  # noqa: PLC0415 - imports much of scipy

    answers = table.loc[:, varying].fillna(-1.0).to_numpy().astype(np.int64).T
    found = twopl_mml(tag_missing_data(answers, [0, 1]), {"max_iteration": max_iterations})
    items = np.full((table.shape[1], 2), np.nan)
    items[varying, 0] = found["Discrimination"]
    items[varying, 1] = found["Difficulty"]
    return items, _notes(table.columns, varying, items)


def _notes(names: pd.Index, varying: np.ndarray, items: FloatArray) -> tuple[Note, ...]:
    notes = []
    constant = tuple(names[~varying])
    if constant:
        message = (
            f"{count(len(constant), 'item')} that all models got right, or all wrong, set aside: "
            f"girth gives them a difficulty of the wrong sign. {name_some(constant)}."
        )
        notes.append(Note("constant-items", message, constant))
    at_bound = np.zeros(len(names), dtype=bool)
    for column, (low, high) in enumerate(_BOUNDS.values()):
        at_bound |= (items[:, column] <= low + _AT_BOUND) | (items[:, column] >= high - _AT_BOUND)
    stopped = tuple(names[at_bound])
    if stopped:
        message = (
            f"{count(len(stopped), 'item')} at a bound of girth's (discrimination 0.2 to 5, "
            f"difficulty -6 to 6): {name_some(stopped)}."
        )
        notes.append(Note("girth-bounds", message, stopped))
    return tuple(notes)
