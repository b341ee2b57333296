"""Which axis disrupts each model most, and how sure that is (*HTEB* §4.2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank import presenting
from robustrank._numeric import TIE_DECIMALS, single_threaded
from robustrank.errors import check_count, check_seed
from robustrank.evaluators.hteb.statistics.cubes import as_cube, dataset_order
from robustrank.evaluators.hteb.statistics.means import mean_interval
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.notes import count
from robustrank.resampling.draws import draw_counts

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Disruption(presenting.Result):
    """Which axis changes the scores of each model most.

    Attributes
    ----------
    table : DataFrame, model × column
        Models in the order of the scores. Columns:

        axis, delta
            The axis with the largest absolute mean delta, and that delta; missing where several
            axes tie for it.
        runner_up
            The axis after it; missing with one axis, and where several tie.
        probability
            Share of resamples of the datasets in which `axis` is the most disruptive. Axes that tie
            in a resample share it. NaN with one axis or where the model has fewer than two
            datasets: then nothing can be said.
        delta of …
            One column per axis, its mean delta: ``"delta of Length"``.
    n_resamples, seed : int
    notes : tuple of Note

    Examples
    --------
    "Eight of eleven models" is ``found.table["axis"].value_counts()``.
    """

    table: pd.DataFrame
    n_resamples: int
    seed: int

    def summary(self) -> str:
        """Return the table in points for a terminal."""
        deltas = [name for name in self.table.columns if name.startswith("delta")]
        shown = self.table.assign(**{name: 100.0 * self.table[name] for name in deltas})
        text = presenting.to_text(shown, {"probability": 2}, signed=deltas)
        return f"{self!r}, in points\n{text}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table."""
        return {"disruption": self.table}

    def __repr__(self) -> str:
        counts = self.table["axis"].value_counts()
        named = ", ".join(f"{axis} {number}" for axis, number in counts.items()) or "none"
        return f"Most disruptive axis: {named} of {count(len(self.table), 'model')}"


def disruption(source: Source, *, n_resamples: int = 2000, seed: int = 0) -> Disruption:
    """Rank the axes of each model by the size of their mean delta over datasets.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As of `read_scores`.
    n_resamples : int
        Draws of datasets with replacement, the same for all models.
    seed : int

    Returns
    -------
    Disruption

    Raises
    ------
    InputError
        A subclass that names what is wrong and the remedy.
    """
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    scores = read_scores(source)
    axes = list(scores.axes)
    cube = as_cube(scores, with_axes(scores.deltas(), scores.axes)[axes])
    cube = cube[dataset_order(cube)]
    means = mean_interval(cube, 0.95).mean
    sizes = np.nan_to_num(np.abs(means).round(TIE_DECIMALS), nan=-1.0)
    counts = draw_counts(np.random.default_rng(seed), n_resamples, len(cube))
    rows = []
    for place, model in enumerate(scores.models):
        first, second = _two_largest(sizes[place])
        row: dict[str, object] = {
            "model": model,
            "axis": None if first is None else axes[first],
            "delta": np.nan if first is None else means[place, first],
            "runner_up": None if second is None else axes[second],
            "probability": np.nan,
        }
        several = int((sizes[place] >= 0.0).sum()) > 1 and _n_complete(cube[:, place]) > 1
        if first is not None and several:
            row["probability"] = _share(cube[:, place], counts, first)
        rows.append(row)
    table = pd.DataFrame(rows).set_index("model").astype({"axis": object, "runner_up": object})
    names = [f"delta of {axis}" for axis in axes]
    table = table.join(pd.DataFrame(means, index=table.index, columns=names))
    return Disruption(table, n_resamples, seed, notes=scores.notes)


def _two_largest(sizes: FloatArray) -> tuple[int | None, int | None]:
    """Return where the largest size and that after it are; None where several tie, or none is.

    A negative size is unknown.
    """
    order = np.argsort(-sizes, kind="stable")
    ahead = [
        sizes[each] >= 0.0 and (after == len(order) or sizes[each] > sizes[order[after]])
        for after, each in enumerate(order[:2], start=1)
    ]
    first = int(order[0]) if ahead[0] else None
    second = int(order[1]) if all(ahead) and len(ahead) > 1 else None
    return first, second


def _n_complete(values: FloatArray) -> int:
    return int((~np.isnan(values)).any(axis=1).sum())


def _share(values: FloatArray, counts: FloatArray, axis: int) -> float:
    """Return how often an axis has the largest mean, of values of datasets × axes."""
    held = ~np.isnan(values)
    with single_threaded():
        sums, numbers = counts @ np.where(held, values, 0.0), counts @ held.astype(np.float64)
    sizes = np.abs(sums / np.where(numbers > 0.0, numbers, np.nan)).round(TIE_DECIMALS)
    sizes = np.nan_to_num(sizes, nan=-1.0)
    best = sizes.max(axis=1, keepdims=True)
    drawn = best[:, 0] >= 0.0
    leads = (sizes == best)[drawn]
    return float((leads[:, axis] / leads.sum(axis=1)).mean())
