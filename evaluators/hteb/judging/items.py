"""Which texts are judged: the same originals for every generator, drawn evenly over datasets."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    InputError,
    ParameterError,
    check_count,
    check_seed,
)
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.run_texts import read_texts
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.notes import Note, count, name_some

#: Columns of the texts that are judged.
COLUMNS = ("generator", "transformation", "item", "original", "text", "target")

#: What the mean over transformations is called, and that over generators.
TOTAL = "total"
#: What tables of results have beside columns of generators, and beside rows of transformations.
_TAKEN = {"generator": ("judge", "transformation", TOTAL), "transformation": (TOTAL,)}

#: A table of rewritten texts, or the folders that runs left, one per generator.
Items = (
    pd.DataFrame | str | Path | Sequence[str | Path | dict[str, object]] | Mapping[str, str | Path]
)


def choose_items(
    source: Items, *, per_transformation: int | None, seed: int | np.random.Generator
) -> tuple[pd.DataFrame, list[Note]]:
    """Read rewritten texts and draw those that are judged.

    Parameters
    ----------
    source : Items
    per_transformation : int or None
        How many originals of each transformation; None for all that every generator has rewritten.
    seed : int or numpy.random.Generator
        Decides on the order in which originals are taken. It is the same for every transformation,
        so that their texts have the same originals as far as possible.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per text; every (transformation, item) has all generators.
    list of Note
        On texts that are left out.
    """
    check_seed(seed)
    if per_transformation is not None:
        check_count("per_transformation", per_transformation, 1)
    table, notes = _read(source)
    check_names(table)
    _check_unique(table)
    _check_originals(table)
    kept, left_out = _shared(table)
    place = _places(kept, np.random.default_rng(seed))
    kept = kept.assign(place=kept["item"].map(place))
    drawn = kept.groupby("transformation")["place"].rank(method="dense")
    kept = kept[drawn <= (per_transformation or len(kept))].copy()
    order = {name: place for place, name in enumerate(TRANSFORMATIONS)}
    kept["stage"] = [order.get(name, len(order)) for name in kept["transformation"]]
    kept = kept.sort_values(["stage", "transformation", "place", "generator"])
    return kept[list(COLUMNS)].reset_index(drop=True), [*notes, *left_out]


def _read(source: Any) -> tuple[pd.DataFrame, list[Note]]:
    """Return a table of texts with a dataset each, whatever they come from."""
    if isinstance(source, str | os.PathLike) and Path(source).expanduser().is_dir():
        source = [source]
    if isinstance(source, Mapping):
        return _from_runs([(str(name), folder) for name, folder in source.items()])
    if isinstance(source, list | tuple) and all(
        isinstance(each, str | os.PathLike) for each in source
    ):
        return _from_runs([(None, folder) for folder in source])
    table = load_long(source, "text", labels=COLUMNS[:3], others=COLUMNS[3:5])
    table["dataset"] = table["dataset"].astype(str) if "dataset" in table.columns else ""
    if (table["dataset"] != "").any():
        table["item"] = table["dataset"] + "/" + table["item"]
    if "target" not in table.columns:
        table["target"] = None
    return table, []


def _from_runs(folders: list[tuple[str | None, Any]]) -> tuple[pd.DataFrame, list[Note]]:
    if not folders:
        raise EmptyMatrixError("There are no texts to judge: name the folder of a run at least.")
    parts = []
    for name, folder in folders:
        part = read_texts(folder)
        parts.append(part if name is None else part.assign(generator=name))
    names = [str(part["generator"].iloc[0]) for part in parts]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DuplicateError(
            f"Two runs have texts of {name_some(twice)}. Name one folder per generator, or give "
            "each a name of its own, as in {name: folder}.",
            twice,
        )
    table = pd.concat(parts, ignore_index=True)
    seeds = set.intersection(*(set(part["seed"]) for part in parts))
    if not seeds:
        raise InputError(
            "The runs have no seed in common, so that their texts cannot be paired. Transform with "
            "the same seeds.",
            names,
        )
    table = table[table["seed"] == min(seeds)]
    table["item"] = table["dataset"] + "/" + table["ordinal"].astype(str)
    several = max(part["seed"].nunique() for part in parts) > 1
    sentence = f"The texts are those of seed {min(seeds)}, the first that all runs have."
    return table, [Note("one-seed", sentence)] if several else []


def check_names(table: pd.DataFrame) -> None:
    """Refuse a generator or transformation whose name the tables of results need themselves."""
    for column, taken in _TAKEN.items():
        found = [name for name in taken if (table[column] == name).any()]
        if found:
            raise ParameterError(
                f"A {column} is called {found[0]!r}, which in tables of results is the name of "
                "something else. Rename it.",
                found,
            )


def _check_unique(table: pd.DataFrame) -> None:
    twice = table.duplicated(["generator", "transformation", "item"])
    if twice.any():
        row = table[twice].iloc[0]
        place = f"{row['item']} ({row['transformation']}, {row['generator']})"
        raise DuplicateError(
            f"There are {count(int(twice.sum()), 'text')} too many, the first for {place}. Give "
            "each original an item of its own.",
            [place],
        )


def _check_originals(table: pd.DataFrame) -> None:
    numbers = table.groupby("item", sort=False)["original"].nunique(dropna=False)
    if numbers.max() > 1:
        item = numbers.idxmax()
        raise InputError(
            f"The item {item} has {numbers.max()} different originals: the generators did not "
            "rewrite the same texts. Use runs with the same datasets and limits.",
            [item],
        )


def _shared(table: pd.DataFrame) -> tuple[pd.DataFrame, list[Note]]:
    """Keep the originals that every generator has rewritten, by transformation."""
    n_generators = table["generator"].nunique()
    usable = table[_says_something(table["text"]) & _says_something(table["original"])]
    cell = ["transformation", "item"]
    number = usable.groupby(cell)["generator"].transform("nunique")
    kept = usable[number == n_generators]
    n_all = len(table[cell].drop_duplicates())
    n_kept = len(kept[cell].drop_duplicates())
    if kept.empty:
        raise EmptyMatrixError(
            "There are no texts to judge: no original was rewritten by every generator "
            f"({name_some(table['generator'].unique())}). Leave out one that lacks texts.",
            table["generator"].unique(),
        )
    if n_kept == n_all:
        return kept, []
    lacking = usable.groupby("generator").size().reindex(table["generator"].unique())
    sentence = (
        f"{count(n_all - n_kept, 'text')} of {n_all:,} left out: not every generator has a usable "
        f"rewriting of them; {lacking.fillna(0).idxmin()} has the fewest."
    )
    return kept, [Note("unshared-texts", sentence, (str(lacking.fillna(0).idxmin()),))]


def _says_something(texts: pd.Series) -> pd.Series:
    """Tell texts from failures, which files may write as nothing or as blanks."""
    return texts.map(lambda text: isinstance(text, str) and bool(text.strip())).astype(bool)


def _places(table: pd.DataFrame, rng: np.random.Generator) -> dict[str, int]:
    """Return an order of the items in which the datasets take turns."""
    items = table[["dataset", "item"]].drop_duplicates().sort_values(["dataset", "item"])
    items["chance"] = rng.permutation(len(items))
    items["turn"] = items.groupby("dataset")["chance"].rank()
    items = items.sort_values(["turn", "chance"])
    return {item: place for place, item in enumerate(items["item"])}
