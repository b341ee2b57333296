"""Remarks on a matrix as a whole: copies, too little of something, models without a ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank._numeric import varies
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.matrix import ScoreMatrix


def remarks(matrix: ScoreMatrix, n_datasets: int, top_k: int) -> tuple[Note, ...]:
    """Return the notes that no single statistic is responsible for.

    Parameters
    ----------
    matrix : ScoreMatrix
        The matrix that is analysed.
    n_datasets : int
        How many of its datasets tell models apart.
    top_k : int
        How far down a ranking counts as the top.
    """
    scores = matrix.scores
    notes = [*_copies(scores, "models"), *_copies(scores.T, "datasets")]
    if n_datasets == 1:
        message = (
            "One dataset tells the models apart: every scheme gives its plain ranking, so their "
            "agreement is no sign of stability."
        )
        notes.append(Note("single-dataset", message))
    if top_k >= len(scores):
        message = (
            f"The top {top_k} holds all {count(len(scores), 'model')}: consistency is not "
            "selective; choose a smaller top_k."
        )
        notes.append(Note("top-k", message))
    notes += _partial(matrix)
    ran = scores.notna().sum(axis=1)
    incomplete = ran[ran < scores.shape[1]].sort_values(kind="stable")
    if len(incomplete):
        shown = [f"{model} ran {n}" for model, n in incomplete.items()]
        message = (
            f"{count(len(incomplete), 'model')} with missing scores have no mean and no rank under "
            f"the schemes, which need all {scores.shape[1]} datasets: {name_some(shown)}. Borda "
            "and the correlations between datasets use what is there."
        )
        notes.append(Note("unranked-models", message, tuple(map(str, incomplete.index))))
        idle = scores.columns[varies(scores.to_numpy()) & ~varies(scores.dropna().to_numpy())]
        if len(idle) and len(scores.dropna()) > 1:
            message = (
                f"The models with complete scores tie on {name_some(idle)}: the datasets count as "
                "evidence, but decide nothing in the rankings."
            )
            notes.append(Note("idle-datasets", message, tuple(map(str, idle))))
    return tuple(notes)


def _partial(matrix: ScoreMatrix) -> list[Note]:
    """Name models whose scores average a part of a dataset that is analysed, best mean first."""
    if "partial_scores" not in matrix.models:
        return []
    scores = matrix.scores
    held = scores.notna().to_numpy()
    found = {}
    for row, listed in enumerate(matrix.models["partial_scores"].tolist()):
        if not isinstance(listed, tuple) or not listed:
            continue
        present = set(scores.columns[held[row]])
        here = [part for part in listed if part.rpartition(": ")[0] in present]
        if here:
            found[str(scores.index[row])] = name_some(here, 2)
    if not found:
        return []
    best_first = scores.mean(axis=1).sort_values(ascending=False, kind="stable").index
    cases = {model: f"{model} ({found[model]})" for model in best_first if model in found}
    message = (
        f"{count(len(cases), 'model')} analysed with scores that average only a part of a dataset, "
        f"best first: {name_some(cases.values(), 3)}. Read with partial='drop' to leave them out."
    )
    return [Note("partial-models", message, tuple(cases))]


def _copies(lines: pd.DataFrame, kind: str) -> list[Note]:
    """Name rows that hold exactly the same scores, unless there is only one column to compare."""
    if lines.shape[1] < 2:
        return []
    same = lines.duplicated(keep=False)
    if not same.any():
        return []
    groups = lines[same].groupby(list(lines.columns), dropna=False, sort=False).groups
    sets = [list(map(str, members)) for members in groups.values()]
    shown = name_some([name_some(members, 4).replace(", ", " = ") for members in sets], 3)
    message = f"{kind.capitalize()} with the same scores throughout, copies perhaps: {shown}."
    return [Note(f"identical-{kind}", message, tuple(name for s in sets for name in s))]
