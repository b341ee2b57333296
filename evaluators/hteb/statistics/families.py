"""Families of models of several sizes, from a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from robustrank.errors import DuplicateError, NonNumericError, UnknownLabelError
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.notes import Note, name_some
from robustrank.readers.cells import parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

_UNITS: Final = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def read_families(
    source: pd.DataFrame | str | Path, models: Sequence[str]
) -> tuple[pd.DataFrame, list[Note]]:
    """Return the family and the number of parameters of those models that have one.

    Parameters
    ----------
    source : DataFrame or path
        Columns ``model``, ``family`` and ``n_parameters``: a number, or text such as ``"4B"``.
    models : sequence of str
        Those with scores.

    Returns
    -------
    DataFrame, model × (family, n_parameters)
        In the order of the families in the table, sizes ascending.
    list of Note
        Which models were left out.

    Raises
    ------
    DuplicateError
        If a model is there twice.
    NonNumericError
        If a number of parameters is none, or not above 0.
    UnknownLabelError
        If a column is missing, or none of the models has scores.
    """
    table = load_long(source, "model", labels=["model", "family"], others=["n_parameters"])
    twice = table["model"].duplicated()
    if twice.any():
        model = table["model"][twice].iloc[0]
        raise DuplicateError(f"{model!r} is in the table of families twice; keep one row.", [model])
    sizes = [
        _size(cell, model)
        for cell, model in zip(table["n_parameters"], table["model"], strict=True)
    ]
    found = table[["model", "family"]].assign(n_parameters=sizes).set_index("model")
    strangers = tuple(name for name in found.index if name not in set(models))
    if len(strangers) == len(found):
        raise UnknownLabelError(
            f"None of the models in the table of families has scores: {name_some(strangers)}. "
            f"Write their names as in the scores: {name_some(models)}.",
            strangers,
        )
    notes = []
    if strangers:
        sentence = f"In the table of families but without scores: {name_some(strangers)}."
        notes.append(Note("models-without-scores", sentence, strangers))
    without = tuple(name for name in models if name not in found.index)
    if without:
        sentence = f"Left out, as the table of families lacks them: {name_some(without)}."
        notes.append(Note("models-without-family", sentence, without))
    found = found.drop(index=list(strangers))
    places = {family: place for place, family in enumerate(dict.fromkeys(found["family"]))}
    keys = found.assign(place=found["family"].map(places))
    order = keys.sort_values(["place", "n_parameters"], kind="stable").index
    return found.loc[order], notes


def _size(cell: object, model: str) -> float:
    text = str(cell).strip()
    factor = _UNITS.get(text[-1:].upper())
    parsed = parse_number(text if factor is None else text[:-1], counts=True)
    number = math.nan if parsed is None or parsed[1] else parsed[0] * (factor or 1.0)
    if not 0.0 < number < math.inf:
        raise NonNumericError(
            f"The n_parameters of {model!r} is {cell!r}. Write a number above 0, such as "
            "600000000, 600M or 4B, or drop the row.",
            [model],
        )
    return number
