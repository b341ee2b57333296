"""What to do with pairs of model and dataset that lack scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.errors import EmptyMatrixError, MissingScoresError
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

    from robustrank._missing import Missing
    from robustrank.evaluators.hteb.statistics.scores import Scores


def complete(scores: Scores, missing: Missing) -> Scores:
    """Apply a policy on missing scores, of transformed and of original texts alike.

    A pair of model and dataset counts where it has the scores of all transformations. Datasets and
    models without such a pair go first: one empty dataset would otherwise cost every model.
    """
    held = _held(scores)
    holes = np.argwhere(~held.to_numpy())
    if not len(holes):
        return scores
    cells = tuple(f"{held.index[row]} on {held.columns[column]}" for row, column in holes)
    verb = "lacks" if len(cells) == 1 else "lack"
    what = f"{count(len(cells), 'pair')} of model and dataset {verb} a score: {name_some(cells)}"
    if missing == "error":
        raise MissingScoresError(
            f"{what}. Score them, or choose missing='drop-models', 'drop-datasets' or 'keep'.",
            cells,
        )
    if missing == "keep":
        sentence = f"{what}. Means of models are over the datasets that each has."
        return scores.keep(scores.transformed.index, [Note("missing-scores", sentence, cells)])
    notes: list[Note] = []
    for gone, code, reason in (
        (~held.any(axis="index"), "empty-datasets", "on which no model has all scores"),
        (~held.any(axis="columns"), "empty-models", "that have all scores on no dataset"),
    ):
        held = _drop(held, gone, code, reason, notes)
    full = held.all(axis="columns") if missing == "drop-models" else held.all(axis="index")
    code = missing.replace("drop", "dropped")
    held = _drop(held, ~full, code, "for which a score is missing", notes)
    if held.empty:
        raise EmptyMatrixError(
            f"{what}, which leaves nothing. Choose models, datasets and axes that have all scores, "
            "or missing='keep'.",
            cells,
        )
    index = scores.transformed.index
    stays = index.get_level_values("model").isin(held.index)
    stays &= index.get_level_values("dataset").isin(held.columns)
    return scores.keep(index[stays], notes)


def _held(scores: Scores) -> pd.DataFrame:
    """Tell which models have all scores on which datasets."""
    full = scores.deltas().notna().all(axis="columns")
    grid = full.unstack("dataset", fill_value=False)  # noqa: PD010 - of a series
    return grid.reindex(index=scores.models, columns=scores.datasets)


def _drop(
    held: pd.DataFrame, gone: pd.Series, code: str, reason: str, notes: list[Note]
) -> pd.DataFrame:
    """Leave out rows or columns, whichever `code` says, and note which."""
    names = tuple(map(str, gone.index[gone]))
    if not names:
        return held
    of_models = code.endswith("models")
    noun = "Models" if of_models else "Datasets"
    notes.append(Note(code, f"{noun} left out, {reason}: {name_some(names)}.", names))
    return held.drop(index=list(names)) if of_models else held.drop(columns=list(names))
