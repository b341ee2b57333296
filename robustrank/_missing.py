"""What to do about missing scores: which models and datasets stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from robustrank._checks import describe_cells
from robustrank._numeric import TIE_DECIMALS
from robustrank.errors import EmptyMatrixError, MissingScoresError, ParameterError
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

Missing = Literal["drop-models", "drop-datasets", "error", "keep"]


def apply_policy(scores: pd.DataFrame, policy: Missing) -> tuple[pd.DataFrame, list[Note]]:
    """Return the scores that stay under `policy`, and notes naming what was dropped.

    Models and datasets without a single score go first: under any policy they say nothing, and
    one empty column would otherwise cost every model.
    """
    if policy not in get_args(Missing):
        raise ParameterError(
            f"missing must be one of {', '.join(get_args(Missing))}; got {policy!r}."
        )
    holes = scores.isna().to_numpy()
    if policy == "error" and holes.any():
        raise MissingScoresError(
            f"{count(int(holes.sum()), 'score')} missing: {describe_cells(scores, holes)}. "
            "Fill them in, or choose missing='drop-models', 'drop-datasets' or 'keep'.",
            scores.index[scores.isna().any(axis=1)],
        )
    kept, notes = _drop(scores, "datasets", any_hole=False)
    kept, more = _drop(kept, "models", any_hole=False)
    notes += more
    scored = kept
    if policy in ("drop-models", "drop-datasets"):
        kept, more = _drop(kept, policy.removeprefix("drop-"), any_hole=True)
        notes += more
    if kept.shape[0] < 2 or kept.shape[1] == 0:
        raise EmptyMatrixError(_too_few(scores, policy, *kept.shape))
    if policy == "drop-models":
        notes += _dropped_leaders(scored, kept)
    return kept, notes


def lost_task_types(task_types: pd.Series, kept: pd.Index) -> list[Note]:
    """Name the task types of which no dataset is kept; `task_types` has all datasets as index."""
    left = set(task_types[kept].dropna())
    lost = tuple(dict.fromkeys(str(kind) for kind in task_types.dropna() if kind not in left))
    if not lost:
        return []
    message = f"Task types of which missing scores leave no dataset: {name_some(lost)}."
    return [Note("lost-task-types", message, lost)]


def _dropped_leaders(scores: pd.DataFrame, kept: pd.DataFrame) -> list[Note]:
    """Name dropped models whose mean is the best on the datasets that they ran, half at least."""
    n = scores.shape[1]
    gone = scores.drop(index=kept.index)
    values, rivals = gone.to_numpy(), kept.to_numpy()
    ahead = {}
    for name, row, ran in zip(gone.index, values, ~np.isnan(values), strict=True):
        if 2 * ran.sum() >= n:
            lead = row[ran].mean() - rivals[:, ran].mean(axis=1).max()
            if round(lead, TIE_DECIMALS) > 0.0:
                ahead[str(name)] = f"{name} ({ran.sum()} of {n})"
    if not ahead:
        return []
    message = (
        "Dropped, although the mean over the datasets that it ran is above that of every model "
        f"kept: {name_some(ahead.values())}."
    )
    return [Note("dropped-leaders", message, tuple(ahead))]


def _drop(scores: pd.DataFrame, kind: str, *, any_hole: bool) -> tuple[pd.DataFrame, list[Note]]:
    missing = scores.isna()
    by_dataset = kind == "datasets"
    lines = missing if by_dataset else missing.T
    gone = lines.any() if any_hole else lines.all()
    names = tuple(map(str, gone.index[gone.to_numpy()]))
    if not names:
        return scores, []
    kept = scores.drop(columns=list(names)) if by_dataset else scores.drop(index=list(names))
    if any_hole:
        message = f"{len(names)} of {len(gone)} {kind} dropped for missing scores: "
        return kept, [Note(f"dropped-{kind}", f"{message}{name_some(names)}.", names)]
    message = f"Dropped for having no score at all: {name_some(names)}."
    return kept, [Note(f"empty-{kind}", message, names)]


def _too_few(scores: pd.DataFrame, policy: Missing, models: int, datasets: int) -> str:
    left = f"{count(models, 'model')} and {count(datasets, 'dataset')} are left"
    if policy in ("error", "keep") or not scores.isna().to_numpy().any():
        return f"{left}; a ranking needs at least two models and a dataset with scores."
    rarest = scores.notna().sum().sort_values(kind="stable").index
    return (
        f"With missing={policy!r} {left}, but a ranking needs two models and a dataset. Leave out "
        f"the datasets with the fewest scores ({name_some(rarest, 3)}), select a task type or some "
        "models, or choose another policy."
    )
