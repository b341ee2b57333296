"""`rank_confidence_sets`: the ranks that models may have on other datasets of the kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank._arrange import by_content
from robustrank._numeric import row_means
from robustrank.confidence_sets.building import build, check_settings
from robustrank.confidence_sets.units import Test, Units, check_test, repeat_notes
from robustrank.errors import describe_seed
from robustrank.matrix import ScoreMatrix

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd
    from numpy.typing import ArrayLike

    from robustrank._groups import By
    from robustrank.confidence_sets.rank_sets import RankSets


def rank_confidence_sets(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    confidence_level: float = 0.95,
    simultaneous: bool = True,
    stepwise: bool = True,
    models: str | Iterable[str] | None = None,
    by: By = "datasets",
    test: Test = "sign-flip",
    n_resamples: int = 2_000,
    seed: int | np.random.Generator = 0,
) -> RankSets:
    """Find the ranks that each model may have, with confidence for all of them together.

    A model that s others surely beat, and that surely beats t others, has a rank from 1 + s to
    m - t. What is sure is decided for all differences together: the chance that any of these
    statements is wrong is at most 1 - `confidence_level`, as far as the `test` holds.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets. Models with missing scores are set aside, with a note. The rank is by
        mean score.
    confidence_level : float
    simultaneous : bool
        Whether all sets hold together, or each one on its own.
    stepwise : bool
        Whether what has been told apart makes the rest easier to tell apart.
    models : str or iterable of str, optional
        Find the sets of these models alone, which compares them with all others, and can give
        smaller sets. Choose them before looking at the scores: not the leader because it leads.
    by : {"datasets", "clusters", "task_type"}, mapping or Series
        What is independent: datasets; clusters of those that repeat each other, which then count
        once; or groups, such as dataset → corpus.
    test : {"sign-flip", "bootstrap-t"}
        How differences are judged. Flipping signs is exact, however few the datasets, if the
        differences of equal models are symmetric; where they are skewed the chance of an error can
        be several times as large, and a note says if that shows. The bootstrap-t allows for skewed
        differences, and tells little apart on fewer than about 60 datasets.
    n_resamples : int
        Draws of signs or resamples; all signs are taken where they are no more than that.
    seed : int or numpy.random.Generator

    Returns
    -------
    RankSets

    Raises
    ------
    InputError
        If a setting is out of range, a model is unknown, or fewer than two models are complete.

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm (2024), Inference for ranks with applications to mobility
    across neighbourhoods and academic achievement across countries, Review of Economic Studies
    91(1), 476-518. Romano & Wolf (2005), Exact and approximate stepdown methods for multiple
    hypothesis testing, Journal of the American Statistical Association 100, 94-108. Hall (1988),
    Theoretical comparison of bootstrap confidence intervals, Annals of Statistics 16(3), 927-953.

    Examples
    --------
    >>> import numpy as np, robustrank as rr
    >>> rng = np.random.default_rng(0)
    >>> board = np.array([[0.7], [0.68], [0.5], [0.3]]) + rng.normal(0, 0.05, (4, 20))
    >>> rr.rank_confidence_sets(board).table[["rank_low", "rank_high"]].T.to_dict("list")
    {'m1': [1, 2], 'm2': [1, 2], 'm3': [3, 3], 'm4': [4, 4]}
    """
    check_test(test)
    check_settings(confidence_level, n_resamples, seed)
    matrix = ScoreMatrix.coerce(scores).resolve_missing("drop-models")
    work = by_content(matrix)
    units = Units.of(work, by)
    described = describe_seed(seed)
    draws = units.draw(test, n_resamples, np.random.default_rng(seed))
    alpha = 1.0 - confidence_level
    return build(
        draws,
        names=list(map(str, work.scores.index)),
        given=list(map(str, matrix.scores.index)),
        estimates=row_means(work.scores.to_numpy()),
        models=models,
        settings={
            "confidence_level": confidence_level,
            "simultaneous": simultaneous,
            "stepwise": stepwise,
            "models": models,
            "by": dict(by) if not isinstance(by, str) else by,
            "n_units": units.totals.shape[1],
            "test": test,
            "n_resamples": n_resamples,
            "seed": described,
        },
        notes=(
            *matrix.notes,
            *units.notes(test, draws, alpha, sides=2),
            *repeat_notes(matrix, by),
        ),
    )
