"""Every rank of the models on the first places: which rankings and which models are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.colors import LogNorm

from robustrank._dendrogram import cluster_models
from robustrank.errors import EmptyMatrixError, check_count
from robustrank.figures import style
from robustrank.figures.colorbar import Shades
from robustrank.figures.table import draw_table
from robustrank.figures.trees import merges_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@style.themed
def rankings(ranks: pd.DataFrame, ax: Axes | None = None, *, top_k: int = 10) -> Axes:
    """Draw all ranks of the models in the top η of any ranking, models ranked alike together.

    After Gjorgjevikj, Koroušić Seljak and Eftimov, *On the Robustness of Multilingual Text
    Embedding Rankings* (2026), Figure 5. Colours follow the logarithm of the rank, so that places
    at the top differ most.

    Parameters
    ----------
    ranks : DataFrame, model × (composition, scheme)
        Columns are grouped by composition and keep their order. A model with a missing rank is
        counted, not drawn.
    ax : Axes, optional
        Where to draw; a new figure of a fitting size by default.
    top_k : int
        η.

    Returns
    -------
    Axes
        Rows in the order of the tree, `robustrank._dendrogram.cluster_models`.

    Raises
    ------
    EmptyMatrixError
        If there is no model in the top of any ranking.
    ParameterError
        If `top_k` is less than 1.
    """
    known = ranks.dropna()
    shown = known[(known <= check_count("top_k", top_k, 1)).any(axis=1)]
    if shown.empty:
        raise EmptyMatrixError(f"There is nothing to draw: no model is in a top {top_k}.")
    tree = cluster_models(shown)
    shown = shown.loc[tree.order]
    worst = max(float(shown.to_numpy().max()), 2.0)
    ticks = [rank for rank in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if rank <= worst]
    shades = Shades(
        mpl.colormaps[style.SEQUENTIAL].reversed(),
        LogNorm(1.0, worst),
        f"rank, of models in the top {top_k} of any ranking",
        ticks,
    )
    texts = np.array([f"{rank:g}" for rank in shown.to_numpy().ravel()]).reshape(shown.shape)
    left_out = len(ranks) - len(shown)
    return draw_table(shown, ax, shades, texts, merges=merges_of(tree), left_out=left_out)
