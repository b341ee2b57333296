"""What more parameters change within a family: scores or their robustness (*HTEB* §5.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import pandas as pd

from robustrank import figures, presenting
from robustrank.errors import check_level
from robustrank.evaluators.hteb.statistics.cubes import as_cube
from robustrank.evaluators.hteb.statistics.families import read_families
from robustrank.evaluators.hteb.statistics.means import mean_interval
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import TOTAL, with_axes
from robustrank.figures.accessor import Plots
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.resampling import adjust_p_values
from robustrank.signed_rank import signed_rank_test

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray
    from robustrank.evaluators.hteb.statistics.scores import Scores

_ORIGINAL: Final = "original"
_GAP: Final = "gap"


class ScalePlots(Plots[Literal["slopes"]]):
    """The figure of a scale effect: ``effect.plot.slopes()``.

    Parameters
    ----------
    effect : ScaleEffect
    """

    def __init__(self, effect: ScaleEffect) -> None:
        self._effect = effect

    def slopes(self, ax: Axes | None = None) -> Axes:
        """Draw what doubling the parameters changes, in points, with intervals and p-values."""
        found = self._effect
        table = found.slopes[["estimate", "low", "high"]] * 100.0
        table["p_value"] = found.slopes["p_value"]
        table.index = table.index.map(" · ".join)
        return figures.shifts(
            table,
            ax,
            alpha=1.0 - found.confidence_level,
            label="change per doubling of parameters, in points",
            noun="slope",
        )


@dataclass(frozen=True, eq=False, repr=False)
class ScaleEffect(presenting.Result):
    """How scores and their drops change with the size of models of a family.

    Attributes
    ----------
    table : DataFrame, model × column
        ``family``, ``n_parameters``; means over datasets on 0..1: ``original``, ``total`` and
        ``gap``, total minus original (negative: a drop); ``delta of …`` per axis.
    slopes : DataFrame, (family, value) × column
        Values: ``original``, ``total``, ``gap`` and the deltas. ``estimate``: the change per
        doubling of the parameters, 0..1, least squares over the family's models on each dataset,
        mean over datasets; ``low`` and ``high``, Student's interval; ``p_value`` of the signed-rank
        test over datasets, after Holm within the family, and ``p_unadjusted`` before;
        ``n_models``, ``n_datasets``. It is about these models on other datasets: other models of
        the family, or other families, may differ.
    confidence_level : float
    notes : tuple of Note
    """

    table: pd.DataFrame
    slopes: pd.DataFrame
    confidence_level: float

    @property
    def plot(self) -> ScalePlots:
        """The figure."""
        return ScalePlots(self)

    def __repr__(self) -> str:
        names = list(dict.fromkeys(self.table["family"]))
        return f"ScaleEffect: {count(len(self.table), 'model')} of {name_some(names)}"

    def summary(self) -> str:
        """Return both tables in points, for a terminal."""
        table, slopes = self.table.copy(), self.slopes.copy()
        points = [name for name in table.columns if name not in ("family", "n_parameters")]
        table[points] *= 100.0
        slopes[["estimate", "low", "high"]] *= 100.0
        return "\n".join(
            [
                "Scores in points",
                presenting.to_text(table, {"n_parameters": 0}),
                "Change per doubling of parameters, in points",
                presenting.to_text(slopes),
            ]
        )

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the scores of models and the slopes of families."""
        return {"scale": self.table, "slopes": self.slopes}

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return the figure."""
        return {"scale": self.plot.slopes}


def scale_effect(
    source: Source, families: pd.DataFrame | str | Path, *, confidence_level: float = 0.95
) -> ScaleEffect:
    """Regress scores and drops on the number of parameters, within families of models.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As of `read_scores`.
    families : DataFrame or path
        One row per model: ``model``, ``family``, ``n_parameters``, a number or text such as
        ``"4B"``. Models that it lacks are left out.
    confidence_level : float

    Returns
    -------
    ScaleEffect

    Raises
    ------
    DuplicateError
        If a model is there twice.
    NonNumericError
        If a number of parameters is none, or not above 0.
    InputError
        Another subclass that names what is wrong and the remedy.
    """
    level = check_level(confidence_level)
    scores = read_scores(source)
    members, notes = read_families(families, scores.models)
    scores = scores.select(models=list(members.index))
    values = _values(scores)
    cube = as_cube(scores, values)
    means = mean_interval(cube, level).mean
    table = members.join(pd.DataFrame(means, index=members.index, columns=values.columns))
    doublings = np.log2(members["n_parameters"].to_numpy(dtype=np.float64))
    blocks = {}
    for family in dict.fromkeys(members["family"]):
        inside = (members["family"] == family).to_numpy()
        by_dataset = _slopes(cube[:, inside], doublings[inside])
        blocks[family] = _summarise(by_dataset, level, list(values.columns), int(inside.sum()))
    slopes = pd.concat(blocks, names=["family", "value"])
    unknown = [str(family) for family in blocks if slopes.loc[family, "estimate"].isna().all()]
    if unknown:
        sentence = f"No slope, for want of two sizes with scores: {name_some(unknown)}."
        notes.append(Note("one-size", sentence, tuple(unknown)))
    return ScaleEffect(table, slopes, level, notes=merge_notes(scores.notes, notes))


def _values(scores: Scores) -> pd.DataFrame:
    deltas = with_axes(scores.deltas(), scores.axes)
    baseline, transformed = scores.paired()
    columns = {
        _ORIGINAL: with_axes(baseline, scores.axes)[TOTAL],
        TOTAL: with_axes(transformed, scores.axes)[TOTAL],
        _GAP: deltas[TOTAL],
    }
    return pd.DataFrame(columns | {f"delta of {axis}": deltas[axis] for axis in scores.axes})


def _slopes(cube: FloatArray, doublings: FloatArray) -> FloatArray:
    """Fit a line per dataset and value over the models that are there; NaN with one size."""
    held = ~np.isnan(cube)
    x = np.where(held, doublings[:, None], np.nan)
    number = held.sum(axis=1, keepdims=True).clip(min=1)
    x, y = (
        np.where(held, each - np.where(held, each, 0.0).sum(axis=1, keepdims=True) / number, 0.0)
        for each in (x, cube)
    )
    spread = (x**2).sum(axis=1)
    # Sizes are told apart from 0.1% on: less is noise of logarithms.
    return np.asarray((x * y).sum(axis=1) / np.where(spread > 1e-6, spread, np.nan))


def _summarise(by_dataset: FloatArray, level: float, names: list[str], models: int) -> pd.DataFrame:
    found = mean_interval(by_dataset, level)
    p = np.array([signed_rank_test(column).p_value for column in by_dataset.T])
    return pd.DataFrame(
        {
            "estimate": found.mean,
            "low": found.low,
            "high": found.high,
            "p_value": adjust_p_values(p, "holm"),
            "p_unadjusted": p,
            "n_models": models,
            "n_datasets": found.n,
        },
        index=names,
    )
