"""The tables of an analysis that go into files of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from robustrank.result import Analysis


def file_tables(analysis: Analysis) -> dict[str, pd.DataFrame]:
    """Return the tables ``ranking``, ``pairwise`` and ``tiers``, with all digits.

    Returns
    -------
    dict of str to DataFrame
        ``ranking``: `Analysis.to_frame`, the models in a column. ``pairwise``: each pair of ranked
        models once, in order of rank: ``model_a`` (the better ranked), ``model_b``,
        ``probability`` that a is above b, ``p_value`` (not adjusted) and ``n_shared`` datasets.
        ``tiers``: ``tier``, ``model``, ``rank``.
    """
    ranking = analysis.to_frame().reset_index()
    tiers = ranking.loc[ranking["tier"].notna(), ["tier", "model", "rank"]]
    return {"ranking": ranking, "pairwise": _pairs(analysis), "tiers": tiers}


def _pairs(analysis: Analysis) -> pd.DataFrame:
    bootstrap = analysis.bootstrap
    order = np.asarray(bootstrap.order, dtype=object)
    above, below = np.triu_indices(len(order), k=1)
    places = bootstrap.models.get_indexer(pd.Index(order, dtype=object))
    cells = places[above], places[below]
    return pd.DataFrame(
        {
            "model_a": order[above],
            "model_b": order[below],
            "probability": bootstrap.pairwise.to_numpy()[cells],
            "p_value": bootstrap.p_values.to_numpy()[cells],
            "n_shared": bootstrap.n_shared.to_numpy()[cells],
        }
    )
