"""What a reader of the influence of datasets must know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._groups import repeated_datasets
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

    from robustrank._groups import Groups
    from robustrank.aggregation import Kernel
    from robustrank.influence.rankings import Rankings
    from robustrank.matrix import ScoreMatrix

#: With fewer groups, a jackknife standard error is rough.
FEW_GROUPS = 6


def influence_notes(
    matrix: ScoreMatrix,
    found: Rankings,
    table: pd.DataFrame,
    groups: Groups,
    settings: dict[str, Any],
    kernel: Kernel,
) -> list[Note]:
    """Return the notes of `dataset_influence`, with names in the order of the matrix."""
    notes = list(groups.notes)
    if len(groups.names) == 1:
        message = (
            f"There is a single {groups.noun}: without it nothing is left to rank by, so that its "
            "influence is not defined."
        )
        notes.append(Note("nothing-to-leave-out", message, groups.names))
    elif len(groups.names) < FEW_GROUPS:
        message = (
            f"Jackknife standard errors rest on {count(len(groups.names), groups.noun)}, and are "
            "rough; who leads without each is exact."
        )
        notes.append(Note("few-groups", message))
    if found.contributions is None:
        message = (
            f"{settings['aggregate']} is no sum over datasets, so that no share of the lead is "
            f"due to a {groups.noun}; what leaving it out does is exact."
        )
        notes.append(Note("not-additive", message))
    if settings["aggregate"].startswith("vikor/"):
        message = (
            "VIKOR takes a maximum over datasets and sets the best model to 1 and the worst to 0: "
            "jackknife standard errors of it are not to be relied on."
        )
        notes.append(Note("not-smooth", message))
    if settings["aggregate"] == "discrimination-weighted-mean":
        message = "Discriminations are those fitted with every dataset, also where one is left out."
        notes.append(Note("fixed-weights", message))
    if groups.noun == "dataset":
        notes += _repeats(matrix)
    if settings["top_k"] >= len(found.models):
        message = (
            f"The top {settings['top_k']} holds all {count(len(found.models), 'ranked model')}: "
            "nothing can enter or leave it; choose a smaller top_k."
        )
        notes.append(Note("top-k", message))
    return notes + _incomplete(matrix, found, table, groups, kernel)


def _repeats(matrix: ScoreMatrix) -> list[Note]:
    """Name datasets whose copies stay when one is left out."""
    names, _ = repeated_datasets(matrix)
    if not names:
        return []
    message = (
        f"{count(len(names), 'dataset')} repeat others, which stay when one is left out and hide "
        f"its influence; by='clusters' leaves them out together: {name_some(names)}."
    )
    return [Note("repeated-datasets", message, names)]


def _incomplete(
    matrix: ScoreMatrix, found: Rankings, table: pd.DataFrame, groups: Groups, kernel: Kernel
) -> list[Note]:
    notes = []
    present = matrix.scores.notna()
    unranked = tuple(map(str, present.index.difference(found.models, sort=False)))
    if unranked:
        message = (
            f"{count(len(unranked), 'model')} not ranked, having no score that compares them with "
            f"another model: {name_some(unranked)}."
        )
        notes.append(Note("incomplete-models", message, unranked))
    ran = present.sum(axis=1)
    partly = ran[present.index.isin(found.models) & (ran < matrix.shape[1])]
    if kernel.partial and len(partly):
        shown = [f"{name} ({number})" for name, number in partly.sort_values(kind="stable").items()]
        message = (
            f"{count(len(partly), 'model')} ranked on some of {matrix.shape[1]} datasets, fewest "
            f"first: {name_some(shown)}."
        )
        notes.append(Note("partly-ranked-models", message, tuple(map(str, partly.index))))
    lost = np.flatnonzero(np.isnan(found.without).any(axis=1))
    if len(lost) and len(groups.names) > 1:
        names = tuple(found.models[lost])
        message = (
            f"{count(len(names), 'model')} without any score when a {groups.noun} is left out, "
            "and then without a rank; a jackknife standard error of theirs is not defined: "
            f"{name_some(names)}."
        )
        notes.append(Note("unranked-without", message, names))
    flat = table["tau"].isna() & table["distance"].notna()
    if flat.any():
        names = tuple(map(str, table.index[flat]))
        message = (
            f"Kendall's τ-b is not defined without {name_some(names)}: a ranking ties all models."
        )
        notes.append(Note("undefined-tau", message, names))
    return notes
