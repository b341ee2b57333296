"""Errors per text, generator and transformation: what rates and resamples are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import MissingScoresError
from robustrank.evaluators.hteb.error_analysis.finding import TOTAL
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Counts:
    """Outputs and those with an error, per text.

    Attributes
    ----------
    outputs, errors : ndarray of int, shape (u, g, t)
        By text, generator and transformation. A text has several outputs where there are runs with
        several seeds, or where a dataset holds it several times.
    generators, transformations : list of str
        Transformations that all generators have, in HTEB's order.
    """

    outputs: NDArray[np.int64]
    errors: NDArray[np.int64]
    generators: list[str]
    transformations: list[str]


def rates_by_transformation(table: pd.DataFrame) -> pd.DataFrame:
    """Return the share of outputs with each error.

    Parameters
    ----------
    table : DataFrame
        As `find_all` returns it.

    Returns
    -------
    DataFrame, (generator, transformation) × types and total
        ``wrong_language`` is NaN where no output of the generator had its language checked.
    """
    cells = table.groupby(["generator", "transformation"], sort=False)
    rates = cells[[*ERROR_TYPES, TOTAL]].mean()
    checked = set(table.loc[table["checked"], "generator"])
    looked = rates.index.get_level_values("generator").isin(checked)
    rates["wrong_language"] = rates["wrong_language"].where(looked)
    pairs = [
        (generator, name)
        for generator in dict.fromkeys(table["generator"])
        for name in TRANSFORMATIONS
        if (generator, name) in rates.index
    ]
    return rates.loc[pairs].rename_axis(columns=None)


def shared_transformations(rates: pd.DataFrame) -> tuple[list[str], list[Note]]:
    """Return the transformations that all generators have, without which means do not compare."""
    there = rates[TOTAL].unstack("generator").notna()  # noqa: PD010 - of a series
    shared = [name for name in TRANSFORMATIONS if name in there.index and there.loc[name].all()]
    if not shared:
        raise MissingScoresError(
            f"The generators {name_some(there.columns)} have no transformation in common, so that "
            "their rates do not compare. Look at each alone.",
            there.columns,
        )
    left_out = tuple(name for name in TRANSFORMATIONS if name in there.index.difference(shared))
    if not left_out:
        return shared, []
    sentence = (
        f"Not all generators have {name_some(left_out, 8)}: rates are means over the other "
        "transformations."
    )
    return shared, [Note("unequal-transformations", sentence, left_out)]


def count_per_text(
    table: pd.DataFrame, generators: list[str], transformations: list[str]
) -> tuple[Counts, list[Note]]:
    """Count outputs and errors per text; the same text of a dataset is one, wherever it occurs."""
    table = table[table["transformation"].isin(transformations)]
    text = table.groupby(["dataset", "original"], sort=False).ngroup().to_numpy()
    column = pd.Index(generators).get_indexer(pd.Index(table["generator"])) * len(transformations)
    column += pd.Index(transformations).get_indexer(pd.Index(table["transformation"]))
    shape = (int(text.max()) + 1, len(generators), len(transformations))
    place = text * (shape[1] * shape[2]) + column
    size = int(np.prod(shape))
    outputs = np.bincount(place, minlength=size).reshape(shape)
    wrong = table[TOTAL].to_numpy(dtype=bool)
    errors = np.bincount(place[wrong], minlength=size).reshape(shape)
    notes = []
    if ((outputs > 0) != (outputs[:, :1] > 0)).any():
        sentence = (
            "The generators did not rewrite the same texts, so that differences are also those "
            "between texts."
        )
        notes.append(Note("different-texts", sentence, tuple(generators)))
    return Counts(outputs, errors, generators, transformations), notes
