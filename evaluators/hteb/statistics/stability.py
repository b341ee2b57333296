"""Whether transformed texts rank models as the original texts do (*HTEB* §4.2.4, Table 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank import figures, presenting
from robustrank._numeric import kendall_tau
from robustrank.errors import check_level
from robustrank.evaluators.hteb.statistics.cubes import as_cube, run_cube
from robustrank.evaluators.hteb.statistics.means import mean_interval
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.figures.accessor import Plots
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray
    from robustrank.evaluators.hteb.statistics.scores import Scores

_LABEL = "Kendall's τ of models, original against transformed"


class StabilityPlots(Plots[Literal["datasets", "intervals"]]):
    """Figures of the stability of rankings: ``stability.plot.datasets()``.

    Every method takes `ax`, axes to draw on, and returns the axes; without them, it makes a figure
    of a fitting size.

    Parameters
    ----------
    by_dataset : DataFrame, dataset × part
    table : DataFrame, part × column
    """

    def __init__(self, by_dataset: pd.DataFrame, table: pd.DataFrame) -> None:
        self._by_dataset = by_dataset
        self._table = table

    def datasets(self, ax: Axes | None = None, *, top: int | None = 30) -> Axes:
        """Draw τ of each dataset and part as colours."""
        return figures.heatmap(
            self._by_dataset,
            ax,
            label=_LABEL,
            center=0.0,
            limits=(-1.0, 1.0),
            noun="dataset",
            top=top,
        )

    def intervals(self, ax: Axes | None = None) -> Axes:
        """Draw the mean τ of each part with its interval."""
        shown = self._table.rename(columns={"mean": "estimate"})
        return figures.intervals(shown, ax, label=_LABEL, noun="part", top=None)


@dataclass(frozen=True, eq=False)
class RankingStability(presenting.Result):
    """How alike original and transformed texts rank the models within a dataset.

    Attributes
    ----------
    by_dataset : DataFrame, dataset × part
        Kendall's τ-b over models between original and transformed scores. Those of an axis or the
        total are of its scores, and are no means of τ.
    within : DataFrame, dataset × part
        Mean τ-b between the rankings of two runs, over all pairs of runs: what chance in the
        generation of texts alone does to a ranking. Where models have seeds of their own, their
        runs are taken in the order of these.
    table : DataFrame, part × column
        Over datasets: ``mean`` and ``sd`` (ddof = 1) of τ, Student's interval of the mean, ``low``
        and ``high``, no wider than -1..1; ``n_datasets``; ``within`` and ``within_sd``, the same
        of the runs.
    confidence_level : float
    notes : tuple of Note
    """

    by_dataset: pd.DataFrame
    within: pd.DataFrame
    table: pd.DataFrame
    confidence_level: float

    @property
    def plot(self) -> StabilityPlots:
        """The figures: ``plot.datasets()``, ``plot.intervals()``."""
        return StabilityPlots(self.by_dataset, self.table)

    def __repr__(self) -> str:
        return (
            f"RankingStability({count(len(self.by_dataset), 'dataset')} × "
            f"{count(len(self.table), 'part')})"
        )

    def summary(self) -> str:
        """Return the table as text."""
        heading = "Kendall's τ between the rankings of models on original and transformed texts"
        return f"{heading}\n{presenting.to_text(self.table, 2)}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the means over datasets, and τ of each dataset and of its runs."""
        return {"stability": self.table, "taus": self.by_dataset, "taus_of_runs": self.within}

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return the figures."""
        return {"stability": self.plot.intervals, "taus": self.plot.datasets}


def ranking_stability(source: Source, *, confidence_level: float = 0.95) -> RankingStability:
    """Correlate the rankings of models by original and by transformed scores, per dataset.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As of `read_scores`. Scores are means over runs; rankings are of the models that have them.
    confidence_level : float
        Of the intervals of means over datasets.

    Returns
    -------
    RankingStability
        τ is NaN where fewer than two models have scores and where all tie.

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.

    References
    ----------
    M. G. Kendall, *The treatment of ties in ranking problems*, Biometrika 33 (1945).
    """
    level = check_level(confidence_level)
    scores = read_scores(source)
    transformed = with_axes(scores.transformed, scores.axes)
    parts = pd.Index(transformed.columns, name="part")
    both = np.stack(
        [
            as_cube(scores, with_axes(scores.baseline, scores.axes)),
            as_cube(scores, transformed),
        ],
        axis=-1,
    )
    of_runs, unlike = run_cube(scores)
    datasets = pd.Index(scores.datasets, name="dataset")
    by_dataset = pd.DataFrame(_mean_taus(both), index=datasets, columns=parts)
    within = pd.DataFrame(_mean_taus(of_runs), index=datasets, columns=parts)
    across = mean_interval(by_dataset.to_numpy(), level)
    between_runs = mean_interval(within.to_numpy(), level)
    table = pd.DataFrame(
        {
            "mean": across.mean,
            "sd": across.sd,
            "low": across.low.clip(-1.0, 1.0),
            "high": across.high.clip(-1.0, 1.0),
            "n_datasets": across.n,
            "within": between_runs.mean,
            "within_sd": between_runs.sd,
        },
        index=parts,
    )
    own = _notes(scores, by_dataset) + _run_notes(by_dataset, within, of_runs.shape[-1], unlike)
    return RankingStability(by_dataset, within, table, level, notes=merge_notes(scores.notes, own))


def _mean_taus(cube: FloatArray) -> FloatArray:
    """Return the mean τ over pairs along the last axis, dataset × part; NaN without a pair."""
    n, _, parts, size = cube.shape
    pairs = np.triu_indices(size, k=1)
    means = np.full((n, parts), np.nan)
    for place in np.ndindex(n, parts):
        taus = kendall_tau(cube[place[0], :, place[1], :])[pairs]
        defined = taus[~np.isnan(taus)]
        if defined.size:
            means[place] = np.sort(defined).mean()
    return means


def _notes(scores: Scores, by_dataset: pd.DataFrame) -> list[Note]:
    notes = []
    if len(scores.models) < 2:
        sentence = "There is one model; a ranking needs at least two, so that no τ is defined."
        notes.append(Note("one-model", sentence, tuple(scores.models)))
    else:
        undefined = by_dataset.index[by_dataset.isna().any(axis="columns")]
        if len(undefined):
            sentence = (
                "Kendall's τ is undefined where all models tie or fewer than two have scores, of "
                f"at least one transformation on: {name_some(undefined)}."
            )
            notes.append(Note("undefined-tau", sentence, tuple(map(str, undefined))))
    if len(scores.datasets) < 2:
        sentence = "There is one dataset, so that means of τ over datasets have no interval."
        notes.append(Note("one-dataset", sentence, tuple(scores.datasets)))
    return notes


def _run_notes(
    by_dataset: pd.DataFrame, within: pd.DataFrame, n_runs: int, unlike: list[str]
) -> list[Note]:
    """Say what runs do not tell, and how they were paired."""
    if n_runs < 2:
        sentence = "There is one run, so that what chance does to rankings is unknown."
        return [Note("one-run", sentence)]
    notes = []
    unknown = within.index[(within.isna() & by_dataset.notna()).any(axis="columns")]
    if len(unknown):
        sentence = (
            "What chance does to rankings is unknown, for want of two runs in which two models "
            f"differ, of at least one transformation on: {name_some(unknown)}."
        )
        notes.append(Note("undefined-within", sentence, tuple(map(str, unknown))))
    if unlike:
        sentence = (
            "Models have runs of different labels, which were compared in the order of these, on: "
            f"{name_some(unlike)}."
        )
        notes.append(Note("unlike-runs", sentence, tuple(unlike)))
    return notes
