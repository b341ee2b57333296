"""`robustness`: every statistic of *HTEB* §4.2 on one set of scores, and what to conclude."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from robustrank import presenting
from robustrank._versions import library_versions
from robustrank.evaluators.hteb.statistics import wording
from robustrank.evaluators.hteb.statistics.conclusions import caveats, conclusions
from robustrank.evaluators.hteb.statistics.disruption import disruption
from robustrank.evaluators.hteb.statistics.plots import RobustnessPlots
from robustrank.evaluators.hteb.statistics.profiles import profiles
from robustrank.evaluators.hteb.statistics.reading import read_scores
from robustrank.evaluators.hteb.statistics.scale import scale_effect
from robustrank.evaluators.hteb.statistics.shifts import shifts
from robustrank.evaluators.hteb.statistics.split_half import split_half
from robustrank.evaluators.hteb.statistics.stability import ranking_stability
from robustrank.notes import merge_notes

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import pandas as pd

    from robustrank.evaluators.hteb.statistics.disruption import Disruption
    from robustrank.evaluators.hteb.statistics.profiles import Profiles
    from robustrank.evaluators.hteb.statistics.reading import Source
    from robustrank.evaluators.hteb.statistics.scale import ScaleEffect
    from robustrank.evaluators.hteb.statistics.scores import Scores
    from robustrank.evaluators.hteb.statistics.shifts import Observations, Shifts
    from robustrank.evaluators.hteb.statistics.split_half import SplitHalf
    from robustrank.evaluators.hteb.statistics.stability import RankingStability
    from robustrank.notes import Note


@dataclass(frozen=True, eq=False, repr=False)
class Robustness:
    """How far models hold their scores when texts are rewritten.

    Attributes
    ----------
    scores : Scores
        What everything is about, on 0..1.
    profiles : Profiles
        What each transformation and axis changes for each model.
    shifts : Shifts
        What each transformation changes over all models, with a test.
    disruption : Disruption
        Which axis disrupts each model most, and how sure that is.
    stability : RankingStability
        How far original and transformed texts rank the models alike.
    split_half : SplitHalf
        How far one half of the datasets ranks models as the other.
    scale : ScaleEffect or None
        What more parameters change; None without families.
    settings : dict
        The parameters, the models, datasets and axes that count, the pairs of model and dataset
        among them that do not, or not with every transformation, the families, and the versions of
        libraries: enough to compute this again, whatever was left out before.
    notes : tuple of Note
    """

    scores: Scores
    profiles: Profiles
    shifts: Shifts
    disruption: Disruption
    stability: RankingStability
    split_half: SplitHalf
    scale: ScaleEffect | None
    settings: dict[str, Any]
    notes: tuple[Note, ...] = ()

    @property
    def plot(self) -> RobustnessPlots:
        """Figures: ``plot("deltas")`` or ``plot.deltas()``; see `RobustnessPlots`."""
        return RobustnessPlots(self)

    @property
    def methods(self) -> str:
        """One paragraph saying what was done, ready for a paper."""
        return wording.methods(self)

    def summary(self, top: int = 10) -> str:
        """Return what to conclude, the findings, and tables of models and parts, as text.

        Parameters
        ----------
        top : int
            How many models are listed, from the highest total down.
        """
        return wording.full_summary(self, top)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values; an undefined number is None."""
        return {
            "conclusions": conclusions(self),
            "caveats": caveats(self),
            "n_models": len(self.scores.models),
            "n_datasets": len(self.scores.datasets),
            "axes": {axis: list(names) for axis, names in self.scores.axes.items()},
            "profiles": self.profiles.to_dict(),
            "shifts": self.shifts.to_dict(),
            "disruption": self.disruption.to_dict(),
            "stability": self.stability.to_dict(),
            "split_half": self.split_half.to_dict(),
            "scale": None if self.scale is None else self.scale.to_dict(),
            "methods": self.methods,
            "settings": self.settings,
            "notes": [note.to_dict() for note in self.notes],
        }

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the summary, all values, the tables and the figures into a folder.

        Parameters
        ----------
        folder : path
            Made if needed. Files of the same names are replaced.

        Returns
        -------
        list of Path
            ``summary.txt``, ``results.json`` (`to_dict`), a CSV per table, on 0..1, and
            ``figures/KIND.svg``; why a figure is left out is in ``results.json``.

        Raises
        ------
        InputError
            If a file cannot be written.
        """
        parts = [self.profiles, self.shifts, self.disruption, self.stability, self.split_half]
        tables: dict[str, pd.DataFrame | None] = {"scale": None, "slopes": None}
        for part in parts if self.scale is None else [*parts, self.scale]:
            tables |= part.tables()
        return presenting.save(
            folder,
            text=self.summary(top=len(self.scores.models)),
            content=self.to_dict(),
            tables=tables,
            plots={str(kind): partial(self.plot, kind) for kind in self.plot.kinds()},
        )

    def __repr__(self) -> str:
        return wording.short_summary(self)


def robustness(
    source: Source,
    *,
    observations: Observations = "datasets",
    n_splits: int = 1000,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    families: pd.DataFrame | str | Path | None = None,
    seed: int = 0,
) -> Robustness:
    """Say how robust models are, and how much of that would hold on other datasets.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As `read_scores` takes it.
    observations : {"datasets", "pairs"}
        What the tests of transformations take for independent: datasets, or pairs of model and
        dataset; see `shifts`.
    n_splits : int
        Random halves of the datasets; see `split_half`.
    n_resamples : int
        Draws of datasets; see `disruption`.
    confidence_level : float
        Of all intervals. A p-value below one minus this counts as a finding.
    families : DataFrame, str or Path, optional
        Family and number of parameters of models; see `scale_effect`.
    seed : int
        Of the halves and the draws.

    Returns
    -------
    Robustness

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.
    """
    scores = read_scores(source)
    shifted = shifts(scores, observations=observations, confidence_level=confidence_level)
    stability = ranking_stability(scores, confidence_level=confidence_level)
    scale = None
    if families is not None:
        scale = scale_effect(scores, families, confidence_level=confidence_level)
    return Robustness(
        scores=scores,
        profiles=profiles(scores, confidence_level=confidence_level),
        shifts=shifted,
        disruption=disruption(scores, n_resamples=n_resamples, seed=seed),
        stability=stability,
        split_half=split_half(scores, n_splits=n_splits, seed=seed),
        scale=scale,
        settings={
            "observations": observations,
            "n_splits": n_splits,
            "n_resamples": n_resamples,
            "confidence_level": confidence_level,
            "seed": seed,
            **_what_counts(scores),
            "families": _families(scale),
            "versions": library_versions(),
        },
        notes=merge_notes(
            scores.notes,
            shifted.notes,
            stability.notes,
            () if scale is None else scale.notes,
        ),
    )


def _what_counts(scores: Scores) -> dict[str, Any]:
    whole = scores.deltas().notna().all(axis="columns")
    pairs = set(whole.index[whole])
    return {
        "models": scores.models,
        "datasets": scores.datasets,
        "axes": {axis: list(names) for axis, names in scores.axes.items()},
        "incomplete_pairs": [
            [model, dataset]
            for model in scores.models
            for dataset in scores.datasets
            if (model, dataset) not in pairs
        ],
    }


def _families(scale: ScaleEffect | None) -> list[dict[str, Any]] | None:
    return None if scale is None else presenting.records(scale.table[["family", "n_parameters"]])
