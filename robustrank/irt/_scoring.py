"""Abilities of models whose items are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import single_threaded
from robustrank.errors import FormatError, unknown_label
from robustrank.irt._item_block import log_likelihood
from robustrank.irt._quadrature import REACH, Grid, posterior_on
from robustrank.irt._responses import parse_responses, refuse_empty

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray
    from robustrank.irt._quadrature import Posterior


def score(responses: FloatArray, a: FloatArray, d: FloatArray, n_nodes: int) -> Posterior:
    """Return the posteriors of abilities given the items.

    Parameters
    ----------
    responses : ndarray, shape (m, n)
        1, 0 or NaN.
    a, d : ndarray, shape (n,)
        Discriminations and intercepts; items for which they are NaN do not count.
    n_nodes : int
        Least number of abilities to integrate over.
    """
    # In an order that does not depend on that of the columns.
    order = np.lexsort((d, a))
    used = order[~np.isnan(a[order])]
    answers, a, d = responses[:, used], a[used], d[used]
    present = ~np.isnan(answers)
    if present.all():  # the usual case needs no sorting
        held, which = np.ones((1, len(used))), np.zeros(len(answers), dtype=np.intp)
    else:
        masks, mask_of = np.unique(present, axis=0, return_inverse=True)
        held, which = masks.astype(np.float64), mask_of.reshape(-1)
    right = np.nan_to_num(answers)
    with single_threaded():
        return posterior_on(
            Grid.spaced(REACH, n_nodes),
            lambda nodes: log_likelihood(right, held, which, a, d, nodes),
        )


def align_responses(
    responses: pd.DataFrame | pd.Series | ArrayLike, items: pd.Index
) -> pd.DataFrame:
    """Return responses of new models with one column per item, NaN for items they lack."""
    if isinstance(responses, pd.Series):
        name = "m1" if responses.name is None else str(responses.name)
        responses = responses.to_frame(name).T
    elif not isinstance(responses, pd.DataFrame):
        array = np.atleast_2d(np.asarray(responses))
        if array.shape[1:] != (len(items),):
            raise FormatError(
                f"Responses without labels need one column for each of the {len(items):,} items "
                f"fitted; got shape {array.shape}. Pass a DataFrame with item names."
            )
        names = [f"m{i}" for i in range(1, len(array) + 1)]
        responses = pd.DataFrame(array, index=names, columns=items)
    table = parse_responses(responses)
    for name in table.columns.difference(items, sort=False):
        raise unknown_label("item", name, items)
    refuse_empty(table, "model")
    return table.reindex(columns=items)
