"""What to do about missing scores: which models and datasets stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from robustrank._checks import describe_cells
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
    if policy in ("drop-models", "drop-datasets"):
        kept, more = _drop(kept, policy.removeprefix("drop-"), any_hole=True)
        notes += more
    if kept.shape[0] < 2 or kept.shape[1] == 0:
        raise EmptyMatrixError(_too_few(scores, policy, *kept.shape))
    return kept, notes


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
