"""Which texts people rate: a draw from those of a run, spread over its datasets."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import EmptyMatrixError, ParameterError, check_count, check_seed
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.long_tables import load_long, storable
from robustrank.evaluators.hteb.ratings.questions import choose
from robustrank.evaluators.hteb.run_texts import read_texts
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

#: What is known of an item besides its texts, in the order of the key's columns.
FACTS = ("transformation", "axis", "dataset", "source", "target", "generator")
TEXTS = ("original", "text")
#: What an item is named after.
IDENTITY = ("transformation", *TEXTS)
_NO_GENERATOR = "there is no column generator."


def all_texts(source: str | Path | pd.DataFrame) -> pd.DataFrame:
    """Return the texts of a run's folder, or of a table of one row per text, with `FACTS`.

    What a table does not say is None; a text that may not be used is None in any case.
    """
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):  # noqa: PTH112 - of either kind
        table = read_texts(source)
    else:
        table = load_long(source, "text", labels=["transformation"], others=TEXTS)
    for name in FACTS:
        table[name] = table[name].map(_known) if name in table.columns else None
    for name in TEXTS:  # what the key can hold, so that its items are named alike
        table[name] = table[name].map(readable)
    axes = {name: each.axis for name, each in TRANSFORMATIONS.items()}
    known = table["transformation"].map(axes)
    table["axis"] = np.where(table["axis"].isna(), known, table["axis"])
    return table[[*FACTS, *TEXTS]]


def draw_items(
    table: pd.DataFrame,
    *,
    per_transformation: int,
    seed: int,
    generator: str | None = None,
    datasets: str | Iterable[str] | None = None,
    languages: str | Iterable[str] | None = None,
) -> tuple[pd.DataFrame, list[Note]]:
    """Draw texts to rate.

    Datasets take turns, each with a text at random, until there are enough or none is left. No
    original is drawn twice under one transformation.

    Parameters
    ----------
    table : DataFrame
        As `all_texts` returns it.
    per_transformation : int
    seed : int
    generator : str, optional
        Whose texts are drawn; needed where there are several.
    datasets, languages : str or iterable of str, optional
        Which to draw from, all by default; languages are those of the originals.

    Returns
    -------
    items : DataFrame
        ``item``, `FACTS` and `TEXTS`, in a random order. The name of an item is a hash of it.
    notes : list of Note
    """
    wanted = check_count("per_transformation", per_transformation, 1)
    check_seed(seed)
    table = of_generator(table, generator)
    for column, parameter, kind, names in (
        ("dataset", "datasets", "dataset", datasets),
        ("source", "languages", "language of originals", languages),
    ):
        if names is not None:
            known = list(table[column].dropna().unique())
            none_known = f"there is no column {column}."
            chosen = choose(parameter, kind, names, known, none_known=none_known)
            table = table[table[column].isin(chosen)]
    usable = table["original"].map(_says_something) & table["text"].map(_says_something)
    notes = []
    if not usable.all():
        sentence = f"{count(int((~usable).sum()), 'failed text')} cannot be drawn."
        notes.append(Note("failed-texts", sentence))
    table = table[usable]
    if table.empty:
        raise EmptyMatrixError("There is no text to rate: all transformations failed.")
    rng = np.random.default_rng(seed)
    drawn, few = [], []
    for name in dict.fromkeys(table["transformation"]):
        own = _take_turns(table[table["transformation"] == name], wanted, rng)
        drawn.append(own)
        if len(own) < wanted:
            few.append(f"{name} ({len(own)})")
    if few:
        sentence = f"Fewer than {wanted} different texts to rate of {name_some(few, 8)}."
        notes.append(Note("few-texts", sentence, tuple(few)))
    items = with_none(pd.concat(drawn))
    items = items.iloc[rng.permutation(len(items))].reset_index(drop=True)
    items.insert(0, "item", name_items(items, IDENTITY))
    return items, notes


def of_generator(table: pd.DataFrame, generator: str | None) -> pd.DataFrame:
    """Return the rows of one generator: people are to rate its texts, not a mixture."""
    if "generator" not in table.columns:
        table = table.assign(generator=None)
    known = [str(name) for name in table["generator"].dropna().unique()]
    if generator is not None:
        name = choose("generator", "generator", generator, known, none_known=_NO_GENERATOR)[0]
        return table[table["generator"] == name]
    if len(known) > 1:
        raise ParameterError(
            f"There are texts of {name_some(known, 12)}. Choose whose are rated: generator=NAME.",
            known,
        )
    return table


def name_items(items: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Name rows after what they hold, so that answers to another survey are found out.

    A letter is in front: spreadsheets take ``12e45678`` for a number.
    """
    rows = items[list(columns)].itertuples(index=False, name=None)
    return [f"t{digest(row)[:11]}" for row in rows]


def with_none(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of objects with None for what is missing."""
    columns = {
        name: pd.Series([None if pd.isna(cell) else cell for cell in table[name]], dtype=object)
        for name in table.columns
    }
    return pd.DataFrame(columns)


def _known(value: object) -> str | None:
    return None if pd.isna(value) or value == "" else str(value)  # type: ignore[call-overload]


def readable(text: object) -> object:
    """Return a text as a file can hold it, and anything else as it is."""
    return storable(text) if isinstance(text, str) else text


def _says_something(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())


def _take_turns(table: pd.DataFrame, wanted: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw so many rows, different in their originals and as even over datasets as can be."""
    shuffled = table.iloc[rng.permutation(len(table))].drop_duplicates("original")
    place = rng.permutation(len(shuffled))  # which dataset is first in a round
    turn = shuffled.groupby("dataset", dropna=False, sort=False).cumcount().to_numpy()
    return shuffled.iloc[np.lexsort((place, turn))[:wanted]]
