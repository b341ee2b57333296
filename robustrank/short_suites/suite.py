"""`ShortSuite`: the smallest suite that keeps a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustrank.errors import ParameterError
from robustrank.matrix import ScoreMatrix
from robustrank.presenting import Answer
from robustrank.short_suites import _wording
from robustrank.short_suites.plots import ShortSuitePlots
from robustrank.short_suites.transfer import Transfer, transfer

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import ArrayLike


@dataclass(frozen=True, eq=False, repr=False)
class ShortSuite(Answer):
    """The smallest suite that keeps a ranking, and what suites of every size come to.

    Attributes
    ----------
    size : int or None
        Number of datasets of the suite; None where none shorter than the full suite will do.
    cost : float or None
        What they cost together; their number where no costs were given.
    n_datasets : int
        Number of datasets of the full suite.
    datasets : tuple of str
        The suite, in the order in which its datasets were chosen; empty without one.
    curve : DataFrame
        Index ``size``. The suite of each size is the ``dataset`` of that row and of those above,
        at a ``cost`` in all. Kendall's τ-b with the ranking by all datasets: ``tau`` over all
        models, by which the datasets were chosen; ``held_out`` over models that had no part in the
        choice, with its standard error ``held_out_error``, NaN where there are too few to hold any
        out and where the search had ended; ``random``, the mean over random suites that cost no
        more, with the percentiles 5 and 95, ``random_low`` and ``random_high``, NaN where none is
        that cheap. ``leader_kept``: whether the leader of the full ranking is first;
        ``top_overlap``: share of its first ten that are among the first ten.
    comparison : DataFrame
        What it takes to reach τ: ``size``, ``cost`` and ``tau`` of the suite chosen by held-out
        models (``held out``), of the smallest by the models that it was chosen by (``in sample``),
        of random suites of which the mean (``random, mean``), or all but 5% (``random, 95%``),
        reach it, and the cheapest of all random ones (``random, cheapest``).
    ranks : DataFrame
        Per model, best first: ``full``, its rank by all datasets, and ``suite``, its rank by the
        suite, NaN without one; 1 is best, ties share their average rank.
    settings : dict
    notes : tuple of Note
    """

    size: int | None
    cost: float | None
    n_datasets: int
    datasets: tuple[str, ...]
    curve: pd.DataFrame
    comparison: pd.DataFrame
    ranks: pd.DataFrame
    settings: dict[str, Any]

    @property
    def headline(self) -> str:
        """How few datasets keep the ranking, what chance does, and who leads."""
        return _wording.headline(self)

    @property
    def plot(self) -> ShortSuitePlots:
        """The figure: ``plot.curve()``."""
        return ShortSuitePlots(self)

    def summary(self) -> str:
        """Return the answer, the comparison and the suite, for a terminal."""
        return _wording.summary(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return ``curve``, ``comparison`` and ``ranks``."""
        return {"curve": self.curve, "comparison": self.comparison, "ranks": self.ranks}

    def evaluate(
        self,
        scores: ScoreMatrix | pd.DataFrame | ArrayLike,
        *,
        n_random: int = 200,
        seed: int | np.random.Generator = 0,
    ) -> Transfer:
        """Try the suite on another board, such as a later snapshot.

        Parameters
        ----------
        scores : ScoreMatrix, DataFrame or array_like
            Models × datasets. Models with missing scores are set aside. Models and datasets are the
            same where their names are.
        n_random : int
            Random suites of the same size to compare with.
        seed : int or numpy.random.Generator

        Returns
        -------
        Transfer
            With τ-b between the ranking by the suite and the ranking by all datasets there, over
            all models and over those that are new.

        Raises
        ------
        ParameterError
            If there is no suite to try.
        InputError
            If the board has none of its datasets.
        """
        if not self.datasets:
            raise ParameterError(
                "There is no suite to try: none reached the tau asked for. Lower tau."
            )
        return transfer(
            ScoreMatrix.coerce(scores),
            self.datasets,
            set(self.ranks.index),
            self.settings["aggregate"],
            n_random=n_random,
            seed=seed,
        )
