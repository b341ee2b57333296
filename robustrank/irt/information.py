"""How much each item says about ability, and the items that say most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import EmptyMatrixError, ParameterError, as_floats, check_count
from robustrank.irt._fisher import answer_information
from robustrank.irt.instances import check_fit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from robustrank.irt.instances import InstanceIRT


def fisher_information(
    fit: InstanceIRT, abilities: pd.Series | ArrayLike | None = None
) -> pd.DataFrame:
    """Return the Fisher information of each item about ability, a² p (1 - p).

    Parameters
    ----------
    fit : InstanceIRT
    abilities : Series or array_like, shape (k,), optional
        Where; by default at the abilities of the models fitted.

    Returns
    -------
    DataFrame, shape (n, k)
        Item × ability, with the index of `abilities` (else their values) as columns. The inverse
        of a sum over items is about the squared standard error that these items leave of an
        ability. NaN for an item without parameters.

    Raises
    ------
    ParameterError
        If `fit` is no fit, or `abilities` are not finite numbers in one dimension.

    Notes
    -----
    Source: F. M. Lord, *Applications of Item Response Theory to Practical Testing Problems* (1980),
    ch. 5. An item says most about abilities near its difficulty; at most a² / 4.
    """
    check_fit(fit)
    theta = fit.ability if abilities is None else abilities
    if not isinstance(theta, pd.Series):
        values = np.atleast_1d(as_floats("abilities", theta))
        if values.ndim != 1:
            raise ParameterError(f"abilities must be a list of numbers; got shape {values.shape}.")
        theta = pd.Series(values, index=pd.Index(values, name="ability"))
    at = as_floats("abilities", theta)
    if not np.isfinite(at).all():
        raise ParameterError("abilities must be finite numbers; drop those that are missing.")
    told = answer_information(fit.discrimination.to_numpy(), fit.difficulty.to_numpy(), at)
    return pd.DataFrame(told, index=fit.discrimination.index, columns=theta.index)


def informative_items(
    fit: InstanceIRT, k: int | None = None, *, abilities: pd.Series | ArrayLike | None = None
) -> pd.Series:
    """Return the `k` items that say most about the models, best first.

    Parameters
    ----------
    fit : InstanceIRT
    k : int, optional
        How many; all by default.
    abilities : Series or array_like, optional
        Where information is wanted, such as around the models to be told apart; by default at the
        abilities of all models fitted.

    Returns
    -------
    Series
        Item → mean Fisher information over `abilities`. Items that tie are in alphabetical order;
        an item without parameters is never among them.
    """
    table = fisher_information(fit, abilities)
    if table.shape[1] == 0:
        raise EmptyMatrixError("abilities is empty; give at least one.")
    # Sorted first: the order of the models changes no bit.
    mean = pd.Series(np.sort(table.to_numpy(), axis=1).mean(axis=1), index=table.index).dropna()
    if k is not None and check_count("k", k, 1) > len(mean):
        raise ParameterError(f"k is {k}, but only {len(mean):,} items have parameters.")
    order = np.lexsort((np.asarray(mean.index, dtype=str), -mean.round(TIE_DECIMALS)))
    return mean.iloc[order[:k]].rename("information")
