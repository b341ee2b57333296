"""The notes of a ranking: one of each kind, however many schemes and compositions there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.mcdm.schemes import METHODS, WEIGHTINGS
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from numpy.typing import NDArray

    from robustrank.mcdm.decision import Decision
    from robustrank.mcdm.schemes import Scheme

_UNDEFINED = {
    "merec": "a score is -1 or less",
    "critic": "no two datasets disagree",
}


def decision_notes(
    decision: Decision,
    members: pd.DataFrame,
    schemes: tuple[Scheme, ...],
    undefined: Mapping[str, list[str]],
) -> list[Note]:
    """Say what was done to the datasets and the weightings.

    Parameters
    ----------
    decision : Decision
    members : DataFrame of bool, composition × dataset
    schemes : tuple of Scheme
    undefined : mapping
        Weighting → compositions on which it is undefined.
    """
    names = np.asarray(decision.datasets, dtype=object)
    used = members.to_numpy().any(axis=0)

    def named(which: NDArray[np.bool_]) -> tuple[str, ...]:
        return tuple(str(name) for name in names[which & used])

    notes = []
    constant = named(~decision.varying)
    if constant:
        message = (
            f"{count(len(constant), 'dataset')} set aside, weight 0, for not telling any two of "
            f"the models ranked apart: {name_some(constant)}."
        )
        notes.append(Note("constant-datasets", message, constant))
    not_positive = named(decision.not_positive)
    methods = {scheme.method for scheme in schemes}
    if not_positive and "wsm" in methods and decision.normalization("wsm") == "sum":
        message = (
            "Scores of 0 or less make a column's sum meaningless, so WSM takes the min-max "
            f"values of {name_some(not_positive)} before dividing by the sum."
        )
        notes.append(Note("wsm-minmax", message, not_positive))
    if not_positive and any(scheme.weighting == "merec" for scheme in schemes):
        message = (
            "MEREC needs positive scores, so it sees (x + 1) / 2 instead of x on "
            f"{name_some(not_positive)}."
        )
        notes.append(Note("merec-shift", message, not_positive))
    if undefined:
        labels = named(np.logical_or.reduce([members.loc[w].any() for w in undefined.values()]))
        message = " ".join(
            f"{WEIGHTINGS[weighting].name} are undefined on {name_some(where)} "
            f"({_UNDEFINED[weighting]}): equal weights are used there."
            for weighting, where in undefined.items()
        )
        notes.append(Note("weights-undefined", message, labels))
    if decision.fell_back:
        fell_back = [
            entry.name for method, entry in METHODS.items() if method in decision.fell_back
        ]
        message = f"Computed by the numpy engine where pymcdm is undefined: {', '.join(fell_back)}."
        notes.append(Note("engine-fallback", message))
    return notes
