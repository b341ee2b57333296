"""Which kind of dataset tells two models apart best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.planning.pairs import unit_means
from robustrank.planning.plans import Asked, Plan, plan
from robustrank.resampling import adjust_p_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray

#: Columns of numbers of datasets, of which there may be none.
NUMBERS = ("needed", "low", "high")


def compare_kinds(
    differences: FloatArray,
    codes: NDArray[np.intp],
    kinds: dict[str, NDArray[np.bool_]],
    whole: Plan,
    asked: Asked,
    ahead: tuple[str, str],
) -> pd.DataFrame:
    """Plan with the datasets of one kind alone, for each kind.

    Parameters
    ----------
    differences : ndarray, shape (n,)
        Of the first model minus the second, per dataset.
    codes : ndarray of int, shape (n,)
        The unit of each dataset.
    kinds : dict of str to ndarray of bool, shape (n,)
    whole : Plan
        Of all datasets.
    asked : Asked
    ahead : tuple of str
        The models, the one ahead on the whole first.

    Returns
    -------
    DataFrame
        A row per kind; largest effect in favour of the first model first.
    """
    rows = {}
    for name, held in kinds.items():
        found = plan(unit_means(differences[None, held], codes[held])[0], asked)
        towards = found.difference > 0.0
        rows[name] = {
            "ahead": ahead[0] if towards else ahead[1] if found.difference < 0.0 else "",
            "difference": found.difference,
            "sd": found.sd,
            "effect_size": found.effect_size,
            "n": found.n,
            "p_value": found.p_value,
            "needed": found.needed if towards else None,
            "low": found.low if towards else None,
            "high": found.high if towards else None,
            "gain": _gain(whole, found),
        }
    table = pd.DataFrame.from_dict(rows, orient="index").astype(dict.fromkeys(NUMBERS, "Int64"))
    table.index.name = "kind"
    adjusted = adjust_p_values(table["p_value"].to_numpy(np.float64), "holm")
    table.insert(6, "p_adjusted", adjusted)
    return table.sort_values("effect_size", ascending=False, kind="stable")


def _gain(whole: Plan, kind: Plan) -> float:
    """Return by how much one more dataset of a kind should raise the t statistic of all."""
    if not whole.sd or np.isnan(whole.sd) or np.isnan(kind.sd):
        return np.nan
    n, apart = whole.n, kind.difference - whole.difference
    # Expected sum of squares about the new mean.
    squares = (n - 1) * whole.sd**2 + n / (n + 1) * (kind.sd**2 + apart**2)
    mean = whole.difference + apart / (n + 1)
    return float(mean * np.sqrt((n + 1) * n / squares) - whole.effect_size * np.sqrt(n))
