"""What a fit says of each dataset, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import average_ranks

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.irt._curves import Curves
    from robustrank.matrix import ScoreMatrix


def dataset_table(matrix: ScoreMatrix, curves: Curves | None) -> pd.DataFrame:
    """Describe the datasets, in the order given; NaN for those set aside."""
    columns = ["discrimination", "difficulty", "slope", "residual", "correlation", "variance"]
    fitted = pd.DataFrame(columns=columns, dtype=np.float64)
    if curves is not None:
        scores, theta = curves.panel.given(), curves.theta
        described = np.column_stack(
            [
                curves.a,
                curves.b,
                curves.slopes(),
                np.sqrt(np.nanmean(curves.residuals**2, axis=0)),
                _rank_correlations(scores, theta),
                np.nanvar(scores, axis=0),
            ]
        )
        fitted = pd.DataFrame(described, index=curves.panel.datasets, columns=columns)
    table = fitted.reindex(matrix.scores.columns)
    table["n_models"] = matrix.scores.notna().sum()
    table["task_type"] = matrix.datasets["task_type"]
    return table


def _rank_correlations(scores: FloatArray, theta: FloatArray) -> FloatArray:
    """Correlate the ranks of each dataset's scores with those of its models' abilities."""
    missing = np.isnan(scores)
    ranks = [average_ranks(scores), average_ranks(np.where(missing, np.nan, theta[:, None]))]
    x, y = (np.where(missing, 0.0, r - np.nanmean(r, axis=0)) for r in ranks)
    spread = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    # Copies of one model differ in nothing that could correlate.
    return np.asarray((x * y).sum(axis=0) / np.where(spread > 0.0, spread, np.nan))
