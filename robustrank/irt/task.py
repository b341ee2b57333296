"""Task-level item response theory: each dataset is an item with a discrimination and a difficulty.

The two-parameter logistic model on scores, fitted by least squares, after *MTEB-PT* (2026), §8: the
predicted score of a model of ability θ on a dataset is 1 / (1 + exp(-a (θ - b))).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import correlation_matrix, row_means
from robustrank.errors import ParameterError, check_count, check_level, check_seed, unknown_label
from robustrank.irt._curves import Curves
from robustrank.irt._panel import select_panel
from robustrank.irt._refits import Draws, percentiles, refit
from robustrank.irt._solver import fit_once
from robustrank.irt._task_notes import fit_notes, panel_notes
from robustrank.irt._task_table import dataset_table
from robustrank.irt._wording import describe_tasks
from robustrank.irt.plots import IRTPlots
from robustrank.matrix import ScoreMatrix
from robustrank.notes import merge_notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from robustrank._numeric import FloatArray
    from robustrank.notes import Note


@dataclass(frozen=True, eq=False, repr=False)
class TaskIRT:
    """Abilities of models, and discriminations and difficulties of datasets.

    Abilities have mean 0 and population standard deviation 1 over the models fitted, and the
    other parameters are in these units: values from two boards cannot be compared.

    Attributes
    ----------
    ability : Series
        θ per model; NaN for a model without a score on any dataset used.
    discrimination : Series
        a > 0 per dataset: a unit of ability moves the score by up to a / 4. NaN for a dataset set
        aside.
    difficulty : Series
        b per dataset: the ability whose predicted score is halfway.
    ability_interval, discrimination_interval, difficulty_interval : DataFrame
        ``low`` and ``high``, percentiles over refits. NaN without refits, for an ability that fewer
        than three scores determine, and where fewer than half of the refits determine the value.
    table : DataFrame
        Per dataset: ``discrimination``, ``difficulty``, ``slope`` (discrimination by a straight
        line, without the ridge: compare small ones by this), ``residual`` (root mean square of
        score minus predicted score), ``correlation`` (Spearman's, of its scores with ability),
        ``variance`` (population, of its scores), ``n_models`` (with a score) and ``task_type``.
    residual : float
        Root mean square of score minus predicted score, over all cells.
    variance_correlation : float
        Spearman's correlation of discrimination with variance, over datasets: near 1 where
        discrimination restates which datasets spread the models widely.
    converged : bool
    refits : DataFrame, refit × dataset
        Discriminations in the refits on resampled models.
    confidence_level : float
        Of the intervals.
    notes : tuple of Note
    """

    ability: pd.Series
    discrimination: pd.Series
    difficulty: pd.Series
    ability_interval: pd.DataFrame
    discrimination_interval: pd.DataFrame
    difficulty_interval: pd.DataFrame
    table: pd.DataFrame
    residual: float
    variance_correlation: float
    converged: bool
    refits: pd.DataFrame
    confidence_level: float
    notes: tuple[Note, ...] = ()
    _curves: Curves | None = None

    def __repr__(self) -> str:
        return describe_tasks(self)

    @property
    def plot(self) -> IRTPlots:
        """Figures: ``fit.plot.items()``, ``fit.plot.information()``."""
        return IRTPlots(
            self.table[["discrimination", "difficulty"]],
            self.ability,
            information=None if self._curves is None else self._curves.total_information,
            information_label="information Σ (dp/dθ)² / σ²",
            discrimination_interval=self.discrimination_interval,
            difficulty_interval=self.difficulty_interval,
            groups=self.table["task_type"],
            noun="dataset",
        )

    def mean_discrimination(
        self, groups: Mapping[str, object] | pd.Series | None = None
    ) -> pd.DataFrame:
        """Average the discrimination over groups of datasets.

        Parameters
        ----------
        groups : mapping or Series of dataset to group, optional
            The datasets' task types by default. Datasets without a group are left out.

        Returns
        -------
        DataFrame
            Per group, most discriminating first: ``n_datasets`` (with a discrimination),
            ``discrimination`` (their mean), and ``low`` and ``high``, percentiles of the mean over
            refits.

        Raises
        ------
        ParameterError
            If `groups` is left out and no dataset has a task type.
        UnknownLabelError
            If `groups` names a dataset that was not given.
        """
        of = self.table["task_type"] if groups is None else pd.Series(dict(groups), dtype=object)
        if of.isna().all():
            raise ParameterError(
                "There are no groups of datasets to average over; pass groups={dataset: group}, or "
                "give the matrix task_type metadata."
            )
        for name in of.index:
            if name not in self.table.index:
                raise unknown_label("dataset", name, self.table.index)
        known = self.discrimination.dropna()
        of = of.reindex(known.index).dropna()
        rows = {}
        for group in of.unique():
            names = list(of.index[of == group])
            means = row_means(self.refits[names].to_numpy())[:, None]
            low, high = percentiles(means, self.confidence_level)[:, 0]
            rows[group] = (len(names), row_means(known[names].to_numpy()[None])[0], low, high)
        columns = ["n_datasets", "discrimination", *_ENDS]
        result = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
        result.index.name = "task_type" if groups is None else "group"
        return result.sort_values("discrimination", ascending=False, kind="stable")

    def score_new(self, scores: ScoreMatrix | pd.DataFrame | pd.Series) -> pd.DataFrame:
        """Estimate the ability of models that were not fitted, the datasets staying as they are.

        Parameters
        ----------
        scores : ScoreMatrix, DataFrame or Series
            Models × datasets, or the scores of one model by dataset, on 0..1 or in percent and
            higher being better. Scores may be missing, and datasets left out.

        Returns
        -------
        DataFrame
            Per model: ``ability``, ``standard_error`` and ``n_datasets`` (scores used). The error
            takes the datasets' residuals to be independent, and their parameters to be known; it is
            that of least squares with each dataset's best weight, while the ability, as in the fit,
            is by equal weights, whose error is the larger where residual variances differ.

        Raises
        ------
        UnknownLabelError
            If a dataset was not among those given to the fit.
        ParameterError
            If the fit itself is undefined.
        """
        if self._curves is None:
            raise ParameterError("No dataset was fitted to score a model by; see the notes.")
        if isinstance(scores, pd.Series):
            scores = scores.to_frame("new" if scores.name is None else str(scores.name)).T
        table = ScoreMatrix.coerce(scores).scores
        for name in table.columns:
            if name not in self.discrimination.index:
                raise unknown_label("dataset", name, self.discrimination.index)
        used = table.reindex(columns=self._curves.panel.datasets)
        ability, error = self._curves.abilities(used.to_numpy())
        result = pd.DataFrame({"ability": ability, "standard_error": error}, index=table.index)
        return result.assign(n_datasets=used.notna().sum(axis=1))

    def information(self, abilities: pd.Series) -> pd.DataFrame:
        """Return how much a score on each dataset says about abilities, (dp/dθ)² / σ².

        Parameters
        ----------
        abilities : Series
            Where, by name.

        Returns
        -------
        DataFrame
            Dataset × name. p is the predicted score and σ² the dataset's residual variance. The
            inverse of a sum over datasets is about the squared standard error that they leave of an
            ability, by least squares with the weights 1 / σ² and independent residuals. NaN for a
            dataset set aside.
        """
        if self._curves is None:
            return pd.DataFrame(np.nan, self.table.index, abilities.index)
        told = self._curves.information(abilities.to_numpy(np.float64)).T
        table = pd.DataFrame(told, self._curves.panel.datasets, abilities.index)
        return table.reindex(self.table.index)


def fit_2pl(
    scores: ScoreMatrix | pd.DataFrame | ArrayLike,
    *,
    n_refits: int = 200,
    confidence_level: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> TaskIRT:
    """Fit the two-parameter logistic model to scores, by penalised least squares.

    Parameters
    ----------
    scores : ScoreMatrix, DataFrame or array_like, shape (m, n)
        Models × datasets; missing scores are skipped. A dataset with scores outside 0..1 is first
        brought there by a linear map of the whole dataset, as a note says.
    n_refits : int
        Refits for the intervals: as many on resampled models, for discrimination and difficulty, as
        on resampled datasets, for ability. 0 for none.
    confidence_level : float
        Of the intervals; between 0 and 1.
    seed : int or numpy.random.Generator

    Returns
    -------
    TaskIRT
        All NaN, with a note that says why, where fewer than three models, or fewer than three
        datasets that tell models apart, are left.

    Notes
    -----
    Minimises ½ Σ (score - predicted)² + ½ (.01 Σ (log a)² + .001 Σ (ab)² + .001 Σ θ²) over the
    cells with a score. The weak ridge fixes the origin and the unit of θ, which are then replaced
    by mean 0 and standard deviation 1, and keeps perfect scores finite.
    """
    check_count("n_refits", n_refits, 0)
    check_level(confidence_level)
    check_seed(seed)
    matrix = ScoreMatrix.coerce(scores)
    panel = select_panel(matrix.scores)
    curves, draws = None, Draws.none(n_refits, 0, 0)
    if not panel.too_small:
        fit = fit_once(panel.values)
        curves = Curves.from_fit(panel, fit)
        draws = refit(curves, fit, n_refits, np.random.default_rng(seed))
    table = dataset_table(matrix, curves)
    notes = panel_notes(panel, matrix.scores)
    if curves is not None:
        notes += fit_notes(curves, table, matrix.scores.index, n_refits, draws.unfinished)
    merged = merge_notes(matrix.notes, notes)
    return _collect(matrix, curves, table, draws, float(confidence_level), merged)


_ENDS = ["low", "high"]


def _collect(
    matrix: ScoreMatrix,
    curves: Curves | None,
    table: pd.DataFrame,
    draws: Draws,
    confidence_level: float,
    notes: tuple[Note, ...],
) -> TaskIRT:
    """Label everything in the order given; NaN for what was not fitted."""
    labels, names = matrix.scores.index, matrix.scores.columns
    models, datasets = ([], []) if curves is None else (curves.panel.models, curves.panel.datasets)

    def interval(values: FloatArray, fitted: list[str], wanted: pd.Index) -> pd.DataFrame:
        ends = percentiles(values, confidence_level).T
        return pd.DataFrame(ends, index=fitted, columns=_ENDS).reindex(wanted)

    theta = np.empty(0) if curves is None else curves.theta
    restated = np.nan
    if curves is not None:
        pairs = table[["discrimination", "variance"]].dropna().to_numpy()
        restated = float(correlation_matrix(pairs, "spearman")[0, 1])
    return TaskIRT(
        ability=pd.Series(theta, index=models, name="ability").reindex(labels),
        discrimination=table["discrimination"],
        difficulty=table["difficulty"],
        ability_interval=interval(draws.ability, models, labels),
        discrimination_interval=interval(draws.discrimination, datasets, names),
        difficulty_interval=interval(draws.difficulty, datasets, names),
        table=table,
        residual=np.nan if curves is None else float(np.sqrt(np.nanmean(curves.residuals**2))),
        variance_correlation=restated,
        converged=curves is not None and curves.converged,
        refits=pd.DataFrame(draws.discrimination, columns=datasets).reindex(columns=names),
        confidence_level=confidence_level,
        notes=notes,
        _curves=curves,
    )
