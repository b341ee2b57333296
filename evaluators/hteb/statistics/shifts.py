"""What each transformation does to scores in general: shifts over datasets, and a test of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from robustrank import figures, presenting
from robustrank.errors import ParameterError, check_level
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.evaluators.hteb.statistics.signed_ranks import signed_ranks
from robustrank.figures.accessor import Plots
from robustrank.notes import Note, merge_notes

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from matplotlib.axes import Axes

Observations = Literal["datasets", "pairs"]
By = Literal["transformation", "axis"]

_IN_POINTS = ["estimate", "low", "high", "median_difference", "mean"]
_DEPENDENT = Note(
    "dependent-observations",
    "The pairs of model and dataset are not independent, since all models share the texts of a "
    "dataset: p-values are too small and intervals too narrow. observations='datasets' allows for "
    "that.",
)


class ShiftPlots(Plots[Literal["forest"]]):
    """The figure of shifts: ``shifts.plot.forest()``.

    Parameters
    ----------
    shifts : Shifts
    """

    def __init__(self, shifts: Shifts) -> None:
        self._shifts = shifts

    def forest(self, ax: Axes | None = None) -> Axes:
        """Draw the shifts in points, their intervals and p-values, as *HTEB*, Figure 7."""
        found = self._shifts
        return figures.shifts(
            found.in_points(),
            ax,
            alpha=1.0 - found.confidence_level,
            label="Hodges–Lehmann shift of the score, in points",
            noun="transformation" if found.by == "transformation" else "row",
        )


@dataclass(frozen=True, eq=False, repr=False)
class Shifts(presenting.Result):
    """By how much transformations shift scores, over all models.

    Attributes
    ----------
    table : DataFrame
        Index ``part``: the transformations or axes, in order. ``estimate`` is Hodges and Lehmann's
        shift of transformed minus original, on 0..1, with the interval ``low`` to ``high``, which
        is not adjusted for the number of rows; ``p_value`` is of Wilcoxon's signed-rank test, after
        Holm over the rows, and ``p_unadjusted`` before; ``median_difference`` is the median of the
        sizes of the observed differences, ``mean`` their mean, ``n`` their number.
    by : {"transformation", "axis"}
    observations : {"datasets", "pairs"}
        What an observed difference is of.
    confidence_level : float
    notes : tuple of Note
    """

    table: pd.DataFrame
    by: By
    observations: Observations
    confidence_level: float

    @property
    def plot(self) -> ShiftPlots:
        """The figure."""
        return ShiftPlots(self)

    def in_points(self) -> pd.DataFrame:
        """Return the table with its differences in points (×100)."""
        table = self.table.copy()
        table[_IN_POINTS] = 100.0 * table[_IN_POINTS]
        return table

    def summary(self) -> str:
        """Return the shifts in points, for a terminal."""
        return f"{self!r}, in points\n{presenting.to_text(self.in_points())}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table."""
        return {"shifts": self.table}

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return the figure."""
        return {"shifts": self.plot.forest}

    def __repr__(self) -> str:
        p_values = self.table["p_value"].to_numpy(dtype=np.float64)
        found = int((p_values < 1.0 - self.confidence_level).sum())
        noun = "transformations" if self.by == "transformation" else "axes"
        return f"Shifts over {self.observations}: {found} of {len(self.table)} {noun} differ from 0"


def shifts(
    source: Source,
    *,
    observations: Observations = "datasets",
    by: By = "transformation",
    confidence_level: float = 0.95,
) -> Shifts:
    """Test per transformation whether scores shift, and estimate by how much.

    Parameters
    ----------
    source : Scores, or what `read_scores` reads
    observations : {"datasets", "pairs"}
        ``"datasets"``: the mean difference of a dataset over the models that have it; the result
        is about these models on other datasets. ``"pairs"``: that of each pair of model and
        dataset. These are not independent, since all models share the texts of a dataset, which
        makes p-values too small and intervals too narrow. *HTEB* §2.3 tests "dataset-level paired
        score deltas" of "per-dataset averages", which can be read either way.
    by : {"transformation", "axis"}
    confidence_level : float
        Of the intervals. A p-value below one minus this counts as a finding.

    Returns
    -------
    Shifts

    Raises
    ------
    InputError
        If a setting is out of its range, or `source` cannot be read.

    References
    ----------
    *HTEB* §2.3 and Figure 7; S. Holm, *A simple sequentially rejective multiple test procedure*,
    Scandinavian Journal of Statistics 6 (1979).
    """
    if observations not in get_args(Observations):
        raise ParameterError(f"observations must be 'datasets' or 'pairs'; got {observations!r}.")
    if by not in get_args(By):
        raise ParameterError(f"by must be 'transformation' or 'axis'; got {by!r}.")
    level = check_level(confidence_level)
    scores = read_scores(source)
    parts = scores.transformations if by == "transformation" else list(scores.axes)
    differences = with_axes(scores.deltas(), scores.axes)[parts]
    if observations == "datasets":
        differences = differences.groupby(level="dataset", sort=False).mean()
    noun = "dataset" if observations == "datasets" else "pair"
    table, limits = signed_ranks(differences, level, noun)
    table.insert(5, "median_difference", differences.abs().median())
    table.insert(6, "mean", differences.mean())
    if observations == "pairs":
        limits.insert(0, _DEPENDENT)
    return Shifts(
        table=table,
        by=by,
        observations=observations,
        confidence_level=level,
        notes=merge_notes(scores.notes, limits),
    )
