"""What a reader of a bootstrap must know about what was drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank.aggregation.kernels import LinearKernel
from robustrank.notes import Note, count, name_some
from robustrank.redundancy import FEW_MODELS
from robustrank.resampling.sign_flip import sign_flip_floor

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.aggregation import Kernel
    from robustrank.matrix import ScoreMatrix
    from robustrank.resampling.bootstrap import Bootstrap


def bootstrap_notes(
    board: ScoreMatrix,
    kernel: Kernel,
    settings: dict[str, Any],
    clusters: pd.Series,
    found: Bootstrap,
) -> list[Note]:
    """Return the notes of a bootstrap, with names in the board's order.

    Parameters
    ----------
    board : ScoreMatrix
        What was resampled.
    kernel : Kernel
    settings : dict
        See `Bootstrap`.
    clusters : Series
        Dataset → cluster.
    found : Bootstrap
    """
    units, alpha = settings["n_units"], 1.0 - settings["confidence_level"]
    kind = "cluster" if settings["resampling"] == "clusters" else "dataset"
    notes = []
    if np.isnan(found.resolved) and len(found.order) > 1:
        remedy = "" if units == 1 else " Draw more resamples."
        message = (
            f"All {count(settings['n_resamples'], 'resample')} hold the same datasets "
            f"({count(units, kind)}): resampling says nothing about how far the ranking depends "
            f"on them.{remedy}"
        )
        notes.append(Note("nothing-to-resample", message))
    elif sign_flip_floor(units) > alpha:
        message = (
            f"{count(units, kind)} cannot show a difference at {alpha:g}: the exact sign-flip test "
            f"gives at least {sign_flip_floor(units):.2g}. Intervals and tiers from so few are "
            "too narrow."
        )
        notes.append(Note("few-datasets", message))
    # Over a handful of models any two datasets may correlate.
    if len(board.scores) >= FEW_MODELS and kind == "dataset":
        notes += _repeats(clusters)
    if settings["resampling"] == "balanced":
        notes += _lone_types(board.datasets["task_type"])
    return notes + _incomplete(board.scores.notna(), kernel, kind, found)


def _repeats(clusters: pd.Series) -> list[Note]:
    names = tuple(map(str, clusters.index[clusters.duplicated(keep=False)]))
    if not names:
        return []
    message = (
        f"{count(len(names), 'dataset')} repeat others ({len(clusters)} datasets, "
        f"{clusters.nunique()} clusters), but were drawn as if they were independent, which makes "
        f"intervals too narrow; resampling='clusters' draws clusters: {name_some(names)}."
    )
    return [Note("repeated-datasets", message, names)]


def _lone_types(task_types: pd.Series) -> list[Note]:
    names = tuple(map(str, task_types.index[~task_types.duplicated(keep=False)]))
    if not names:
        return []
    message = (
        "The only datasets of their task types are in every resample, so that their part in the "
        f"uncertainty is not counted: {name_some(names)}."
    )
    return [Note("lone-task-types", message, names)]


def _incomplete(present: pd.DataFrame, kernel: Kernel, kind: str, found: Bootstrap) -> list[Note]:
    models, unranked = present.index, found.rank.reindex(present.index).isna()
    empty = ~present.any(axis=1)
    notes = []
    if empty.any():
        names = tuple(map(str, models[empty.to_numpy()]))
        message = f"{count(len(names), 'model')} without any score: {name_some(names)}."
        notes.append(Note("unscored-models", message, names))
    left_out = tuple(map(str, models[(unranked & ~empty).to_numpy()]))
    if left_out:
        if kernel.partial:
            reason = f"having scores on a single {kind}, which resampling cannot vary"
        elif isinstance(kernel, LinearKernel):
            reason = (
                "for missing scores: means are over the datasets that they ran, and pairs are "
                "compared over those that both ran"
            )
        else:
            reason = "for missing scores: the aggregate needs every one"
        message = (
            f"{count(len(left_out), 'model')} not ranked, {reason}. These are "
            f"{name_some(left_out)}."
        )
        notes.append(Note("incomplete-models", message, left_out))
    partly = present.sum(axis=1)[~unranked & ~present.all(axis=1)]
    if len(partly):
        fewest = partly.sort_values(kind="stable")
        shown = [f"{name} ({number})" for name, number in fewest.items()]
        message = (
            f"{count(len(partly), 'model')} ranked on some of {present.shape[1]} datasets, fewest "
            f"first: {name_some(shown)}."
        )
        notes.append(Note("partly-ranked-models", message, tuple(map(str, partly.index))))
    return notes
