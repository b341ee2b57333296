"""Whether transformed texts rank models as the original texts do (*HTEB* §4.2.4, Table 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank._numeric import kendall_tau
from robustrank.errors import check_level
from robustrank.evaluators.hteb import presenting
from robustrank.evaluators.hteb.statistics.cubes import as_cube
from robustrank.evaluators.hteb.statistics.means import mean_interval
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.figures.accessor import Plots
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from pathlib import Path

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
class RankingStability:
    """How alike original and transformed texts rank the models within a dataset.

    Attributes
    ----------
    by_dataset : DataFrame, dataset × part
        Kendall's τ-b over models between original and transformed scores. Those of an axis or the
        total are of its scores, and are no means of τ.
    within : DataFrame, dataset × part
        Mean τ-b between the rankings of two runs, over all pairs of runs: what chance in the
        generation of texts alone does to a ranking.
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
    notes: tuple[Note, ...] = ()

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
        """Return the table as text, with the notes."""
        heading = "Kendall's τ between the rankings of models on original and transformed texts"
        text = presenting.to_text(self.table, {"n_datasets": 0} | dict.fromkeys(_NUMBERS, 2))
        return "\n".join([heading, text, *map(str, self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values."""
        return {
            "table": presenting.records(self.table),
            "by_dataset": presenting.records(self.by_dataset),
            "within": presenting.records(self.within),
            "confidence_level": self.confidence_level,
            "notes": [note.to_dict() for note in self.notes],
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write summary, values, tables and, where there is a τ, figures into a folder."""
        drawn = {"datasets": self.plot.datasets, "intervals": self.plot.intervals}
        return presenting.save(
            folder,
            text=self.summary(),
            content=self.to_dict(),
            tables={"table": self.table, "by_dataset": self.by_dataset, "within": self.within},
            plots=drawn if self.table["mean"].notna().any() else {},
        )


_NUMBERS = ("mean", "sd", "low", "high", "within", "within_sd")


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
    of_runs = _run_cube(scores)
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
    own = _notes(scores, by_dataset, of_runs.shape[-1])
    return RankingStability(by_dataset, within, table, level, merge_notes(scores.notes, own))


def _run_cube(scores: Scores) -> FloatArray:
    """Return scores of runs, datasets × models × parts × runs."""
    keys = ["model", "dataset", "run", "transformation"]
    wide = scores.runs.set_index(keys)["score"].unstack("transformation")  # noqa: PD010 - of a series
    table = with_axes(wide.reindex(columns=scores.transformations), scores.axes)
    of_row = table.index.get_level_values("run")
    tables = [table[of_row == run].droplevel("run") for run in dict.fromkeys(scores.runs["run"])]
    return np.stack([as_cube(scores, of_run) for of_run in tables], axis=-1)


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


def _notes(scores: Scores, by_dataset: pd.DataFrame, n_runs: int) -> list[Note]:
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
    if n_runs < 2:
        sentence = "There is one run, so that what chance does to rankings is unknown."
        notes.append(Note("one-run", sentence))
    return notes
