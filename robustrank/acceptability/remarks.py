"""Notes on what weights over the datasets say, and on what was set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from robustrank.acceptability.evaluation import Evaluation

#: Groups from which on uniform weights even out.
_MANY_GROUPS = 20


def remarks(evaluation: Evaluation) -> list[Note]:
    """Say what a reader must know of the groups and the scores."""
    notes = []
    q, noun = evaluation.q, evaluation.groups.noun
    if q >= _MANY_GROUPS:
        remedy = "" if noun == "task type" else ", such as by='task_type',"
        message = (
            f"Weights of {count(q, noun)} that vary on their own even out: uniform ones stay close "
            "to equal weights in what they say of a model, much as if the datasets were resampled "
            f"(a Bayesian bootstrap). Groups{remedy} show what emphasis on one kind changes."
        )
        notes.append(Note("many-groups", message))
    names = np.asarray(evaluation.datasets, dtype=object)
    constant = tuple(sorted(map(str, names[~evaluation.decision.varying])))
    if constant:
        message = (
            f"{count(len(constant), 'dataset')} on which all models tie: their weight moves none "
            f"of them: {name_some(constant)}."
        )
        notes.append(Note("constant-datasets", message, constant))
    shifted = tuple(sorted(map(str, names[evaluation.decision.not_positive])))
    if shifted and evaluation.normalization == "sum":
        message = (
            "Scores of 0 or less make a column's sum meaningless, so WSM takes the min-max "
            f"values of {name_some(shifted)} before dividing by the sum."
        )
        notes.append(Note("wsm-minmax", message, shifted))
    return notes
