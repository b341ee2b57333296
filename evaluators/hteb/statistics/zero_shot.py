"""Only scores of models on datasets that they were not trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robustrank.errors import DuplicateError, EmptyMatrixError, FormatError
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import Scores
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

_CELL = ["model", "dataset"]
_MARK = "zero_shot"
_SPELLINGS = {
    **dict.fromkeys(("true", "t", "yes", "y", "1", "1.0"), 1.0),
    **dict.fromkeys(("false", "f", "no", "n", "0", "0.0"), 0.0),
    **dict.fromkeys(("", "nan", "none", "<na>", "na", "n/a", "unknown", "?"), np.nan),
}


def zero_shot(source: Source, table: pd.DataFrame | str | Path) -> Scores:
    """Keep the pairs of model and dataset that a table marks as zero-shot.

    Parameters
    ----------
    source : Scores, or what `read_scores` reads
    table : DataFrame, str or Path
        With the columns ``model``, ``dataset`` and ``zero_shot``: ``true`` or ``false``, in any
        usual spelling, or empty where it is not known.

    Returns
    -------
    Scores
        Means of models are then over different datasets. Pairs that the table lacks, or does not
        know, are left out. Every statistic takes these scores as they are.

    Raises
    ------
    InputError
        If a column is missing, a mark is neither true nor false, two rows contradict each other,
        or no pair is left; the message names it.

    References
    ----------
    *HTEB* §5.1, with the marks of MTEB's metadata.
    """
    marks = _marks(table)
    # What a path holds is not completed first: that a pair is missing is no fault here.
    is_read = isinstance(source, Scores)
    scores = read_scores(source, missing=None if is_read else "keep")
    cells = scores.transformed.index
    known = marks.reindex(cells).to_numpy()
    kept, trained, unknown = cells[known == 1.0], cells[known == 0.0], cells[np.isnan(known)]
    if kept.empty:
        raise EmptyMatrixError(
            "No pair of model and dataset of the scores is marked as zero-shot: "
            f"{len(trained):,} are marked as not, {len(unknown):,} are not known"
            f"{f', such as {_name(unknown[:1])}' if len(unknown) else ''}. Write the names as the "
            "scores have them.",
            list(scores.models),
        )
    return scores.keep(kept, _accounts(kept, trained, unknown, marks.index.difference(cells)))


def _marks(table: pd.DataFrame | str | Path) -> pd.Series:
    """Return 1 for zero-shot, 0 for not, NaN for unknown, per model and dataset."""
    given = load_long(table, "zero-shot mark", labels=_CELL, others=[_MARK])
    spelt = given[_MARK].map(lambda mark: str(mark).strip().casefold())
    given[_MARK] = spelt.map(_SPELLINGS)
    strange = ~spelt.isin(_SPELLINGS)
    if strange.any():
        row = int(strange.to_numpy().argmax())
        raise FormatError(
            f"{_MARK} in row {row + 1} is {spelt.iloc[row]!r}, which is neither true nor false. "
            "Write true or false, or leave the cell empty where it is not known.",
            [f"row {row + 1}"],
        )
    given = given[[*_CELL, _MARK]].drop_duplicates()
    twice = given.duplicated(_CELL)
    if twice.any():
        cell = given.loc[twice, _CELL].iloc[0]
        raise DuplicateError(
            f"{cell['model']} on {cell['dataset']} has marks that contradict each other. Keep one.",
            list(cell),
        )
    return given.set_index(_CELL)[_MARK]


def _accounts(kept: pd.Index, trained: pd.Index, unknown: pd.Index, unused: pd.Index) -> list[Note]:
    """Say what is kept, what is left out and why."""
    pairs = "pair of model and dataset", "pairs of model and dataset"
    all_pairs = len(kept) + len(trained) + len(unknown)
    sentence = (
        f"Kept {len(kept):,} of {all_pairs:,} {pairs[all_pairs != 1]}, marked as zero-shot; means "
        "of models are over the datasets that each has."
    )
    notes = [Note("zero-shot", sentence)]
    if len(unknown):
        sentence = f"Left out, as it is not known whether they are zero-shot: {_name(unknown)}."
        notes.append(Note("zero-shot-unknown", sentence, tuple(_names(unknown))))
    if len(unused):
        sentence = f"Marks of pairs without scores are not used: {_name(unused)}."
        notes.append(Note("zero-shot-unused", sentence, tuple(_names(unused))))
    return notes


def _names(cells: pd.Index) -> list[str]:
    return [f"{model} on {dataset}" for model, dataset in cells]


def _name(cells: pd.Index) -> str:
    return name_some(_names(cells))
