"""`Scores` as arrays, datasets × models × parts, whatever the arrangement of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import content_order
from robustrank.evaluators.hteb.statistics.scores import with_axes

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


def run_cube(scores: Scores) -> tuple[FloatArray, list[str]]:
    """Return the scores of single runs, with axes and total, as an array.

    Runs pair up by their labels where one model has all labels of a transformation on a dataset.
    Where models have labels of their own, runs are numbered in the order of these. So are those of
    different transformations, which are independent of each other, for the scores of an axis.

    Parameters
    ----------
    scores : Scores

    Returns
    -------
    cube : ndarray, shape (n, m, k, r)
        Datasets × models × parts × runs. NaN for runs that are not there.
    unlike : list of str
        The datasets on which models have labels of their own.
    """
    runs = scores.runs
    place = {label: place for place, label in enumerate(sorted(set(runs["run"])))}
    order = runs["run"].map(place)
    of_text = [runs["dataset"], runs["transformation"]]
    among_all = order.groupby(of_text).rank(method="dense")
    own = order.groupby([*of_text, runs["model"]]).rank(method="dense")
    unlike = among_all.groupby(of_text).transform("max") > own.groupby(of_text).transform("max")
    numbered = runs.assign(number=among_all.where(~unlike, own).astype(int))
    keys = ["model", "dataset", "number", "transformation"]
    wide = numbered.set_index(keys)["score"].unstack("transformation")  # noqa: PD010 - of a series
    table = with_axes(wide.reindex(columns=scores.transformations), scores.axes)
    number = table.index.get_level_values("number")
    cubes = [
        as_cube(scores, table[number == each].droplevel("number")) for each in sorted(set(number))
    ]
    return np.stack(cubes, axis=-1), list(runs["dataset"][unlike].unique())


def dataset_order(cube: FloatArray) -> NDArray[np.intp]:
    """Order the datasets of a cube by what they hold, so that draws depend on no order or name."""
    n = len(cube)
    lines = pd.DataFrame(cube.reshape(n, -1).T)
    return content_order(lines)[1]
