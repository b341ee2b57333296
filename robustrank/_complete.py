"""The schemes on a board with holes: models with every score are ranked, the others are not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.mcdm import Engine, Rankings, Scheme, rank_schemes
from robustrank.notes import Note

if TYPE_CHECKING:
    from robustrank.matrix import ScoreMatrix


def rank_complete(
    matrix: ScoreMatrix,
    compositions: pd.DataFrame,
    schemes: tuple[Scheme, ...],
    engine: Engine,
    given: pd.DataFrame,
) -> Rankings:
    """Rank the models with complete scores by every scheme and composition.

    Parameters
    ----------
    matrix : ScoreMatrix
    compositions : DataFrame of bool, composition × dataset
    schemes : tuple of Scheme
    engine : {"numpy", "pymcdm"}
    given : DataFrame
        The result has its order of models and datasets.

    Returns
    -------
    Rankings
        NaN for a model with missing scores.
    """
    everyone = given.index
    complete = list(matrix.scores.dropna().index)
    if len(complete) >= 2:
        block = matrix.arrange(models=complete, datasets=list(matrix.scores.columns))
        found = rank_schemes(block, compositions, schemes, engine=engine)
        preferences, ranks = (t.reindex(everyone) for t in (found.preferences, found.ranks))
        weights = found.weights.loc[given.columns]
        return replace(found, preferences=preferences, ranks=ranks, weights=weights)
    ids = [scheme.id for scheme in schemes]
    columns = pd.MultiIndex.from_product([compositions.index, ids], names=["composition", "scheme"])
    weightings = list(dict.fromkeys(scheme.weighting for scheme in schemes))
    of_weights = pd.MultiIndex.from_product(
        [compositions.index, weightings], names=["composition", "weighting"]
    )
    message = (
        "Fewer than two models have complete scores, so no scheme can rank them: select datasets "
        "that more models ran."
    )
    return Rankings(
        pd.DataFrame(np.nan, index=everyone, columns=columns),
        pd.DataFrame(np.nan, index=everyone, columns=columns),
        pd.DataFrame(np.nan, index=given.columns, columns=of_weights),
        (Note("no-complete-models", message),),
    )
