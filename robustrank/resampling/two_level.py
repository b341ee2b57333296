"""Noise within datasets, added to resamples of the datasets: the second level of the bootstrap."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from robustrank.errors import InputError, ParameterError
from robustrank.instances import (
    check_instances,
    find_designs,
    parametric_means,
    resampled_means,
)
from robustrank.notes import Note, name_some

#: Means of instances further than this from the board's scores are of something else.
_FAR = 0.05

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robustrank._numeric import FloatArray
    from robustrank.aggregation.kernels import LinearKernel
    from robustrank.instances import InstanceScores
    from robustrank.matrix import ScoreMatrix


def within_noise(
    matrix: ScoreMatrix,
    kernel: LinearKernel,
    counts: FloatArray,
    instances: InstanceScores,
    rng: np.random.Generator,
) -> tuple[FloatArray, set[str]]:
    """Draw what the noise within datasets adds to the aggregate in each resample.

    Every copy of a dataset in a resample draws its instances anew, the same ones for all models.
    A dataset without instances whose metric is a proportion or a correlation over a known number
    of instances gets the analytic equivalent, drawn independently for each model.

    Parameters
    ----------
    matrix : ScoreMatrix
        Of m models and n datasets.
    kernel : LinearKernel
        With a slope.
    counts : ndarray, shape (B, n)
        Of the datasets in each resample.
    instances : InstanceScores
    rng : numpy.random.Generator

    Returns
    -------
    noise : ndarray, shape (m, B)
    known : set of str
        The datasets that it comes from.
    """
    if kernel.slope is None:
        raise ParameterError(
            "Noise within datasets can be added to means of scores (mean, task-type-mean, "
            "z-score-mean, discrimination-weighted-mean); on other aggregates the effect of one "
            "score depends on those of the other models."
        )
    n_resamples, m = len(counts), len(matrix.scores)
    weights = kernel.weights(counts)
    held = ~np.isnan(kernel.contributions)
    noise = np.zeros((m, n_resamples))
    known: set[str] = set()
    for j, deviations in _deviations(matrix, instances, n_resamples, rng):
        known.add(str(matrix.scores.columns[j]))
        total = np.zeros((n_resamples, m))
        # Copy by copy: the resamples that hold the dataset at least k times draw a k-th row.
        for copy in range(1, int(counts[:, j].max()) + 1):
            holding = np.flatnonzero(counts[:, j] >= copy)
            total[holding] += deviations[rng.integers(n_resamples, size=len(holding))]
        each = weights[:, j] / counts[:, j].clip(min=1.0) * kernel.slope[j]
        noise += np.where(held[:, j, None], total.T * each, 0.0)
    if not held.all():
        noise /= (held.astype(np.float64) @ weights.T).clip(min=1e-12)
    return noise, known


def check_overlap(matrix: ScoreMatrix, instances: InstanceScores) -> None:
    """Raise if there are no scores per instance of the board's models and datasets."""
    check_instances(instances)
    for kind, ours, theirs in (
        ("dataset", matrix.scores.columns, instances.datasets),
        ("model", matrix.scores.index, instances.models),
    ):
        if not set(map(str, ours)) & set(map(str, theirs)):
            close = get_close_matches(str(theirs[0]), [str(name) for name in ours], n=1, cutoff=0.3)
            hint = f"; {str(theirs[0])!r} is perhaps {close[0]!r}" if close else ""
            raise InputError(
                f"The scores per instance share no {kind} with the board: they are of "
                f"{name_some(theirs, 3)}, the board has {name_some(ours, 3)}{hint}. Give both the "
                "same names.",
                theirs,
            )


def _deviations(
    matrix: ScoreMatrix, instances: InstanceScores, n_draws: int, rng: np.random.Generator
) -> Iterator[tuple[int, FloatArray]]:
    """Yield datasets with draws of their scores about the mean, shape (n_draws, m)."""
    models = [str(model) for model in matrix.scores.index]
    scored = set(instances.models)
    rows = [i for i, model in enumerate(models) if model in scored]
    observed = instances.scores()
    designs, _ = find_designs(matrix)
    for j, dataset in enumerate(map(str, matrix.scores.columns)):
        sign = -1.0 if matrix.datasets.loc[dataset, "direction"] == "min" else 1.0
        if rows and dataset in observed.columns:
            named = [models[i] for i in rows]
            drawn = resampled_means(instances, [dataset], named, n_draws, rng)[dataset]
            deviations = np.zeros((n_draws, len(models)))
            about = observed.loc[named, dataset].to_numpy()
            deviations[:, rows] = sign * np.nan_to_num(drawn - about)
            yield j, deviations
            continue
        if dataset in designs:
            scores = matrix.scores[dataset].to_numpy()
            design = designs[dataset]
            drawn = parametric_means(scores, design.n_instances, design.kind, n_draws, rng)
            yield j, np.nan_to_num(drawn - scores)


def instance_notes(matrix: ScoreMatrix, instances: InstanceScores, known: set[str]) -> list[Note]:
    """Say what the scores per instance do not cover, and where they contradict the board.

    `known` holds the datasets that `within_noise` drew for.
    """
    notes = _differing(matrix, instances)
    unknown = [str(name) for name in matrix.scores.columns if str(name) not in known]
    if unknown:
        message = (
            f"No noise within {len(unknown)} of {matrix.shape[1]} datasets, for want of scores per "
            f"instance: {name_some(unknown)}."
        )
        notes.append(Note("no-instances", message, tuple(unknown)))
    covered = [name for name in matrix.scores.columns if name in instances.datasets]
    observed = instances.scores().reindex(index=matrix.scores.index, columns=covered)
    lacking = observed.isna() & matrix.scores[covered].notna()
    absent = [str(model) for model in matrix.scores.index[lacking.any(axis=1)]]
    if absent:
        message = (
            "Without scores per instance on datasets that have them for other models: "
            f"{name_some(absent)}. Their noise within these is not counted."
        )
        notes.append(Note("models-without-instances", message, tuple(absent)))
    unused = [name for name in instances.datasets if name not in matrix.scores.columns]
    unused += [name for name in instances.models if name not in matrix.scores.index]
    if unused:
        message = (
            f"Scores per instance of what is not on the board are not used: {name_some(unused)}."
        )
        notes.append(Note("unused-instances", message, tuple(unused)))
    if not matrix.is_complete:
        message = (
            "Pairs with missing scores are compared over the datasets that both ran, without the "
            "noise within these."
        )
        notes.append(Note("within-noise-partial", message))
    return notes


def _differing(matrix: ScoreMatrix, instances: InstanceScores) -> list[Note]:
    """Name the datasets whose instances do not average to the scores of the board."""
    observed = instances.scores().reindex(index=matrix.scores.index)
    differing = []
    for dataset in matrix.scores.columns:
        if dataset not in observed.columns:
            continue
        means = observed[dataset]
        if matrix.datasets.loc[dataset, "direction"] == "min":
            means = 1.0 - means
        if (means - matrix.scores[dataset]).abs().median() > _FAR:
            differing.append(str(dataset))
    if not differing:
        return []
    message = (
        f"The scores per instance do not average to the board's on {name_some(differing)}: half of "
        f"the models are more than {_FAR:g} away. Are they of the same dataset and metric, with "
        "the same direction?"
    )
    return [Note("instances-differ", message, tuple(differing))]
