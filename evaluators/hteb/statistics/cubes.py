"""`Scores` as arrays, datasets × models × parts, whatever the arrangement of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import content_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank._numeric import FloatArray
    from robustrank.evaluators.hteb.statistics.scores import Scores


def as_cube(scores: Scores, table: pd.DataFrame) -> FloatArray:
    """Return a table of pairs of model and dataset as an array.

    Parameters
    ----------
    scores : Scores
        Gives the order of datasets and models.
    table : DataFrame, (model, dataset) × part

    Returns
    -------
    ndarray, shape (n, m, k)
        Datasets × models × parts. NaN for pairs that the table lacks.
    """
    grid = pd.MultiIndex.from_product([scores.datasets, scores.models], names=["dataset", "model"])
    rows = table.swaplevel().reindex(grid)
    shape = (len(scores.datasets), len(scores.models), table.shape[1])
    return rows.to_numpy(dtype=np.float64).reshape(shape)


def dataset_order(cube: FloatArray) -> NDArray[np.intp]:
    """Order the datasets of a cube by what they hold, so that draws depend on no order or name."""
    n = len(cube)
    lines = pd.DataFrame(cube.reshape(n, -1).T)
    return content_order(lines)[1]
