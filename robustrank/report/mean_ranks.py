"""The critical-difference figure of an analysis, by Nemenyi's test or by that of means."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank._cliques import cliques, neighbour_runs
from robustrank.errors import EmptyMatrixError, ParameterError, check_count
from robustrank.nemenyi import nemenyi_test
from robustrank.notes import Note, count
from robustrank.report.words import ranked_by

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from robustrank.result import Analysis

#: More bars than this nobody reads.
_MOST_SETS: Final = 40


def draw_critical_difference(
    analysis: Analysis, ax: Axes | None, *, test: Literal["nemenyi", "max-t"], top: int | None
) -> Axes:
    """Draw what `AnalysisPlots.critical_difference` documents."""
    if test == "nemenyi":
        return _by_ranks(analysis, ax, top)
    if test == "max-t":
        return _by_means(analysis, ax, top)
    raise ParameterError(f"test must be 'nemenyi' or 'max-t'; got {test!r}.", [test])


def _by_ranks(analysis: Analysis, ax: Axes | None, top: int | None) -> Axes:
    matrix = analysis.matrix
    complete = list(matrix.scores.dropna().index)
    if len(complete) < 2:
        raise EmptyMatrixError(
            "Fewer than two models have complete scores, so that mean ranks cannot be compared. "
            "Use test='max-t', which compares pairs over the datasets that both ran, or select "
            "datasets that more models ran."
        )
    held = matrix.arrange(models=complete, datasets=list(matrix.scores.columns))
    found = nemenyi_test(held, 1.0 - analysis.settings["confidence_level"])
    without = len(matrix.scores) - len(complete)
    if without:
        message = f"{count(without, 'model')} without complete scores not shown."
        found = replace(found, notes=(*found.notes, Note("dropped-models", message)))
    return found.plot(ax, top=top)


def _by_means(analysis: Analysis, ax: Axes | None, top: int | None) -> Axes:
    bootstrap = analysis.bootstrap
    found = bootstrap.compare("all", test="sign-flip")
    order = bootstrap.order
    apart = found.table[found.table["significant"]]
    places = pd.Index(order, dtype=object)
    a, b = (places.get_indexer(pd.Index(apart[side])) for side in ("model_a", "model_b"))
    alike = np.ones((len(order), len(order)), dtype=bool)
    alike[a, b] = alike[b, a] = False
    remark = (
        f"Bars join models that sign-flip tests of {count(len(found.table), 'pair')}, adjusted by "
        f"max-t, cannot tell apart at {found.alpha:.2g}."
    )
    shown = len(order) if top is None else min(len(order), check_count("top", top, 1))
    sets = _sets_among(alike, shown)
    if sets is None:
        sets = [tuple(run) for run in neighbour_runs(alike)]
        remark += " Only neighbours are joined: with gaps, there are too many sets to draw."
    return figures.critical_difference(
        bootstrap.estimate.loc[order].reindex(bootstrap.models),  # those not ranked are counted
        [[order[i] for i in members] for members in sets],
        ax,
        label=ranked_by(analysis),
        best="high",
        remark=remark,
        top=top,
    )


def _sets_among(alike: NDArray[np.bool_], shown: int) -> list[tuple[int, ...]] | None:
    """Return the largest sets of the first `shown` models, each with one beyond them if it can be.

    None if there are too many. Which sets there are among the rest does not show: one model of
    each kind stands for them.
    """
    kinds = np.unique(alike[shown:, :shown], axis=0, return_index=True)[1] + shown
    found: set[tuple[int, ...]] = set()
    for beyond in ([], *([int(kind)] for kind in kinds)):
        positions = [*range(shown), *beyond]
        sets = cliques(alike[np.ix_(positions, positions)], _MOST_SETS)
        if sets is None:
            return None
        found |= {tuple(positions[i] for i in members) for members in sets}
    return sorted(found)
