"""Friedman's test with Nemenyi's: which mean ranks over datasets differ by more than chance.

As in J. Demšar, *Statistical Comparisons of Classifiers over Multiple Data Sets*, JMLR 7 (2006).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import chdtrc

from robustrank import figures
from robustrank._cliques import runs
from robustrank._numeric import TIE_DECIMALS, average_ranks
from robustrank.agreement import kendalls_w
from robustrank.errors import (
    EmptyMatrixError,
    MissingScoresError,
    check_alpha,
    check_count,
)
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

#: The critical difference informs if it would separate this share of the pairs of models, were all
#: datasets to order the models alike.
INFORMATIVE_SHARE = 0.5


@dataclass(frozen=True, eq=False)
class Nemenyi:
    """Mean ranks of models over datasets, and which of them a test tells apart.

    Attributes
    ----------
    mean_rank : Series
        Mean over datasets of the rank of each model within a dataset, best (lowest) first.
    statistic, p_value : float
        Friedman's χ² with k - 1 degrees of freedom, corrected for ties, for the hypothesis that
        all models are equal; NaN where nothing can be tested.
    critical_difference : float
        Two mean ranks that differ by at least this are told apart; NaN with one dataset.
    groups : list of list of str
        The largest sets of models within which no pair is different, best first.
    n_datasets : int
    alpha : float
    informative : bool
        Whether the critical difference would separate at least half of the pairs if all datasets
        ordered the models alike. At 93 models and 22 datasets it would not.
    notes : tuple of Note
        What limits the test.
    """

    mean_rank: pd.Series
    statistic: float
    p_value: float
    critical_difference: float
    groups: list[list[str]]
    n_datasets: int
    alpha: float
    informative: bool
    notes: tuple[Note, ...] = ()

    @property
    def n_separated(self) -> int:
        """How many pairs of models differ by at least the critical difference."""
        places = self.mean_rank.to_numpy(dtype=np.float64)
        return _n_apart(places, self.critical_difference)

    def plot(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw the mean ranks, the critical difference, and bars that join the groups.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure of a fitting size by default.
        top : int or None
            How many models to draw, best first; None for all.

        Returns
        -------
        Axes
        """
        return figures.critical_difference(
            self.mean_rank,
            self.groups,
            ax,
            distance=None if math.isnan(self.critical_difference) else self.critical_difference,
            label=f"mean rank over {count(self.n_datasets, 'dataset')}",
            remark=" ".join(note.message for note in self.notes),
            top=top,
        )

    def __repr__(self) -> str:
        m = len(self.mean_rank)
        return (
            f"Nemenyi({count(m, 'model')} × {count(self.n_datasets, 'dataset')}: "
            f"Friedman p = {self.p_value:.3g}, critical difference {self.critical_difference:.4g}, "
            f"{self.n_separated:,} of {count(m * (m - 1) // 2, 'pair')} separated)"
        )


def nemenyi_test(scores: ScoreMatrix | pd.DataFrame | ArrayLike, alpha: float = 0.05) -> Nemenyi:
    """Test whether models differ in their ranks over datasets, and which pairs do.

    Each dataset ranks the models, ties sharing their average rank. Friedman's test is for all
    models at once, Nemenyi's for all pairs: if all models are equal, it finds any difference with
    a chance of about `alpha`. If only some are, there is no such guarantee, and whether it
    tells two models apart depends on which others are in the table (Benavoli, Corani and Mangili
    2016). Both use the order within datasets only, so that scales do not matter; both grow weak
    with many models. `Bootstrap.compare` tests differences of means instead.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (k, n)
        Models × datasets, without missing scores.
    alpha : float
        Chance, about, of any difference where all models are equal, 0..1.

    Returns
    -------
    Nemenyi

    Raises
    ------
    MissingScoresError
        If a score is missing.
    EmptyMatrixError
        If there is only one model.
    ParameterError
        If `alpha` is not between 0 and 1.

    References
    ----------
    M. Friedman, *The use of ranks to avoid the assumption of normality implicit in the analysis of
    variance*, JASA 32 (1937). P. B. Nemenyi, *Distribution-free multiple comparisons* (1963).
    J. Demšar, *Statistical Comparisons of Classifiers over Multiple Data Sets*, JMLR 7 (2006).
    A. Benavoli, G. Corani and F. Mangili, *Should We Really Use Post-Hoc Tests Based on
    Mean-Ranks?*, JMLR 17 (2016).

    Examples
    --------
    >>> import robustrank as rr
    >>> board = [[0.9, 0.8, 0.9, 0.7], [0.8, 0.7, 0.9, 0.6], [0.1, 0.2, 0.3, 0.1]]
    >>> found = rr.nemenyi_test(board)
    >>> found.mean_rank.to_dict()
    {'m1': 1.125, 'm2': 1.875, 'm3': 3.0}
    >>> found.groups
    [['m1', 'm2'], ['m2', 'm3']]
    """
    matrix = ScoreMatrix.coerce(scores)
    level = check_alpha(alpha)
    k, n = matrix.shape
    _check_complete(matrix)
    ranks = average_ranks(matrix.scores.to_numpy())
    means = pd.Series(
        ranks.mean(axis=1).round(TIE_DECIMALS), index=matrix.scores.index, name="mean_rank"
    )
    # Equal mean ranks in the order of names, which no arrangement of the input changes.
    means = means.sort_index().sort_values(kind="stable")
    distance = critical_difference(k, n, level) if n > 1 else math.nan
    statistic = n * (k - 1) * kendalls_w(ranks)
    places = means.to_numpy(dtype=np.float64)
    joined = runs(places, distance) if n > 1 else [list(range(k))]
    names = [str(name) for name in means.index]
    p_value = float(chdtrc(k - 1, statistic))
    could = _n_apart(np.arange(k, dtype=np.float64), distance)  # were all datasets to agree
    informative = could >= INFORMATIVE_SHARE * math.comb(k, 2)
    notes = [*_untested(n, statistic), *_unrejected(p_value, level)]
    if n > 1 and not informative:
        notes.append(_uninformative(distance, could, _n_apart(places, distance), k, n))
    return Nemenyi(
        mean_rank=means,
        statistic=statistic,
        p_value=p_value,
        critical_difference=distance,
        groups=[[names[i] for i in members] for members in joined],
        n_datasets=n,
        alpha=level,
        informative=informative,
        notes=tuple(notes),
    )


def critical_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """Return by how much two mean ranks must differ to be different by Nemenyi's test.

    Parameters
    ----------
    k : int
        Number of models, at least 2.
    n : int
        Number of datasets, at least 1.
    alpha : float
        Chance, about, of any difference where all models are equal, 0..1.

    Returns
    -------
    float
        ``q √(k (k + 1) / (6 n))``, in ranks; q is the upper `alpha` point of the Studentised range
        of k groups with infinite degrees of freedom, divided by √2. Not limited to the k - 1
        ranks that there are.

    Raises
    ------
    ParameterError
        If a number is out of its range.

    Examples
    --------
    >>> import robustrank as rr
    >>> round(rr.critical_difference(4, 10), 4)
    1.4832
    """
    from scipy.stats import studentized_range  # noqa: PLC0415 - scipy.stats is slow to import

    models, datasets = check_count("k", k, 2), check_count("n", n, 1)
    point = studentized_range.ppf(1.0 - check_alpha(alpha), models, np.inf) / math.sqrt(2.0)
    return float(point * math.sqrt(models * (models + 1) / (6.0 * datasets)))


def _check_complete(matrix: ScoreMatrix) -> None:
    k = matrix.shape[0]
    if k < 2:
        raise EmptyMatrixError(f"A test of models needs at least two; got {count(k, 'model')}.")
    holes = matrix.scores.isna().any(axis=1)
    lacking = list(holes.index[holes])
    if lacking:
        raise MissingScoresError(
            f"Ranks within datasets need all scores; {name_some(lacking)} "
            f"{'lacks' if len(lacking) == 1 else 'lack'} some. Drop models or datasets first, as "
            "ScoreMatrix.resolve_missing() does.",
            lacking,
        )


def _n_apart(places: np.ndarray, distance: float) -> int:
    """Return how many pairs of rising values are at least `distance` apart."""
    if math.isnan(distance):
        return 0
    return int((len(places) - np.searchsorted(places, places + distance)).sum())


def _untested(n: int, statistic: float) -> list[Note]:
    if n == 1:
        message = "One dataset cannot show whether models differ by more than chance: no test."
    elif math.isnan(statistic):
        message = "Every dataset ties all models: there is nothing to test."
    else:
        return []
    return [Note("no-test", message)]


def _unrejected(p_value: float, alpha: float) -> list[Note]:
    if not p_value > alpha:
        return []
    message = (
        f"Friedman's test finds no difference among the models (p = {p_value:.2g}): any two that "
        "the critical difference separates are to be read with care."
    )
    return [Note("friedman-not-rejected", message)]


def _uninformative(distance: float, could: int, does: int, k: int, n: int) -> Note:
    pairs = math.comb(k, 2)
    message = (
        f"The critical difference of {distance:.1f} ranks says little at this size: with "
        f"{count(k, 'model')} and {count(n, 'dataset')} it separates {does:,} of "
        f"{count(pairs, 'pair')}, and {could:,} if all datasets ordered the models alike."
    )
    return Note("critical-difference-uninformative", message)
