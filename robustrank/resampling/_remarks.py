"""What a reader of a bootstrap must know about what was drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank.aggregation.kernels import LinearKernel
from robustrank.notes import Note, count, name_some
from robustrank.redundancy import FEW_MODELS
from robustrank.resampling.sign_flip import sign_flip_floor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustrank.aggregation import Kernel
    from robustrank.matrix import ScoreMatrix
    from robustrank.resampling.bootstrap import Bootstrap


def bootstrap_notes(
    matrix: ScoreMatrix,
    kernel: Kernel,
    settings: dict[str, Any],
    clusters: NDArray[np.intp],
    strata: NDArray[np.intp] | None,
    found: Bootstrap,
) -> list[Note]:
    """Return the notes of a bootstrap.

    Parameters
    ----------
    matrix : ScoreMatrix
        What was resampled.
    kernel : Kernel
    settings : dict
        See `Bootstrap`.
    clusters : ndarray of int, shape (n,)
        Which datasets repeat each other.
    strata : ndarray of int, shape (n,), optional
        Task types, if each was resampled within itself.
    found : Bootstrap
    """
    units, alpha = settings["n_units"], 1.0 - settings["confidence_level"]
    kind = "cluster" if settings["resampling"] == "clusters" else "dataset"
    notes = []
    if np.isnan(found.resolved) and len(found.order) > 1:
        message = (
            f"Every resample holds the same datasets ({count(units, kind)}): resampling says "
            "nothing about how far the ranking depends on them."
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
    if len(matrix.scores) >= FEW_MODELS and kind == "dataset":
        notes += _repeats(matrix, clusters)
    notes += _lone_types(matrix, strata) if strata is not None else []
    notes += _incomplete(matrix, kernel, found)
    return notes


def _repeats(matrix: ScoreMatrix, clusters: NDArray[np.intp]) -> list[Note]:
    sizes = np.bincount(clusters)
    repeated = sizes[clusters] > 1
    if not repeated.any():
        return []
    names = tuple(str(name) for name in matrix.scores.columns[repeated])
    message = (
        f"{count(len(names), 'dataset')} repeat others ({len(clusters)} datasets, {len(sizes)} "
        "clusters), but were drawn as if they were independent, which makes intervals too narrow; "
        f"resampling='clusters' draws clusters: {name_some(names)}."
    )
    return [Note("repeated-datasets", message, names)]


def _lone_types(matrix: ScoreMatrix, strata: NDArray[np.intp]) -> list[Note]:
    alone = np.bincount(strata)[strata] == 1
    names = tuple(str(name) for name in matrix.scores.columns[alone])
    if not names:
        return []
    message = (
        "The only datasets of their task types are in every resample, so that their part in the "
        f"uncertainty is not counted: {name_some(names)}."
    )
    return [Note("lone-task-types", message, names)]


def _incomplete(matrix: ScoreMatrix, kernel: Kernel, found: Bootstrap) -> list[Note]:
    holes = matrix.scores.isna().any(axis=1).to_numpy()
    unranked = found.rank.isna().to_numpy()
    names = tuple(str(name) for name in matrix.scores.index[unranked])
    notes = []
    if names:
        rest = (
            "means are over the datasets that they ran, and pairs are compared over those that "
            "both ran"
            if isinstance(kernel, LinearKernel)
            else "the aggregate needs every score"
        )
        message = f"{count(len(names), 'model')} not ranked for missing scores ({rest}): "
        notes.append(Note("incomplete-models", f"{message}{name_some(names)}.", names))
    ranked = tuple(str(name) for name in matrix.scores.index[holes & ~unranked])
    if ranked:
        message = (
            f"{count(len(ranked), 'model')} ranked on fewer datasets than others: "
            f"{name_some(ranked)}."
        )
        notes.append(Note("partly-ranked-models", message, ranked))
    return notes
