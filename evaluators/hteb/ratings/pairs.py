"""Pairs of texts, as they are and transformed, to see whether their similarity stays the same."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import EmptyMatrixError, FormatError, check_count, check_seed
from robustrank.evaluators.hteb.files.paths import generator_directory
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.ratings.items import (
    name_items,
    of_generator,
    readable,
    with_none,
)
from robustrank.evaluators.hteb.ratings.questions import choose
from robustrank.evaluators.hteb.run_texts import read_texts
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The types of datasets whose gold is how similar two texts are.
_GRADED = ("sts", "str")
#: The two texts of a pair, before and after.
_BEFORE, _AFTER = ("original_1", "original_2"), ("text_1", "text_2")
#: What is known of an item besides its texts, in the order of the key's columns.
FACTS = ("pair", "transformation", "version", "gold", "dataset", "source", "target", "generator")
TEXTS = ("text_1", "text_2")
#: The two versions of a pair.
ORIGINAL, TRANSFORMED = "original", "transformed"


def all_pairs(source: str | Path | pd.DataFrame) -> pd.DataFrame:
    """Return the pairs of a run's folder, or of a table of one row per transformed pair.

    A table has ``transformation``, ``original_1``, ``original_2``, ``text_1`` and ``text_2``; where
    it has them, ``gold``, ``dataset``, ``source`` and ``target`` are kept.
    """
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):  # noqa: PTH112 - of either kind
        return _of_run(Path(source).expanduser())
    table = load_long(source, "pair", labels=["transformation", *_BEFORE], others=_AFTER)
    for name in (*_BEFORE, *_AFTER):  # what the key can hold
        table[name] = table[name].map(readable)
    for name in ("gold", "dataset", "source", "target", "generator"):
        if name not in table.columns:
            table[name] = None
    return table


def draw_pairs(
    table: pd.DataFrame,
    *,
    per_transformation: int,
    seed: int,
    generator: str | None = None,
    transformations: str | Iterable[str] | None = None,
) -> tuple[pd.DataFrame, list[Note]]:
    """Draw pairs to rate, the same ones under every transformation where they can be.

    Parameters
    ----------
    table : DataFrame
        As `all_pairs` returns it.
    per_transformation : int
    seed : int
    generator : str, optional
        Whose texts are drawn; needed where there are several.
    transformations : str or iterable of str, optional
        All by default.

    Returns
    -------
    items : DataFrame
        ``item``, `FACTS` and `TEXTS`: two rows for each pair and transformation, one for each
        ``version``, in a random order.
    notes : list of Note
    """
    wanted = check_count("per_transformation", per_transformation, 1)
    check_seed(seed)
    table = of_generator(table, generator)
    if transformations is not None:
        known = list(table["transformation"].unique())
        chosen = choose("transformations", "transformation", transformations, known)
        table = table[table["transformation"].isin(chosen)]
    both = table[list(_AFTER)].map(lambda text: isinstance(text, str) and bool(text.strip()))
    usable = both.all(axis="columns")
    notes: list[Note] = []
    if not usable.all():
        sentence = f"{count(int((~usable).sum()), 'pair')} with a failed text cannot be drawn."
        notes.append(Note("failed-texts", sentence))
    table = table[usable]
    if table.empty:
        raise EmptyMatrixError("There is no pair to rate: none is whole under a transformation.")
    rng = np.random.default_rng(seed)
    table = table.iloc[rng.permutation(len(table))]
    table = table.drop_duplicates(["transformation", *_BEFORE])
    # One order of the pairs for all transformations: the first of it that each has are drawn.
    order = table.drop_duplicates(list(_BEFORE))[list(_BEFORE)].reset_index(drop=True)
    order["place"] = np.arange(len(order))
    order["pair"] = [f"p{name[1:]}" for name in name_items(order, _BEFORE)]
    table = table.merge(order, on=list(_BEFORE)).sort_values("place", kind="stable")
    taken = table.groupby("transformation", sort=False).head(wanted)
    counts = taken["transformation"].value_counts(sort=False)
    few = [f"{name} ({number})" for name, number in counts.items() if number < wanted]
    if few:
        sentence = f"Fewer than {wanted} pairs to rate of {name_some(few, 8)}."
        notes.append(Note("few-pairs", sentence, tuple(few)))
    versions = [
        taken.assign(version=TRANSFORMED),
        taken.assign(version=ORIGINAL, text_1=taken[_BEFORE[0]], text_2=taken[_BEFORE[1]]),
    ]
    items = with_none(pd.concat(versions)[[*FACTS, *TEXTS]])
    items = items.iloc[rng.permutation(len(items))].reset_index(drop=True)
    items.insert(0, "item", name_items(items, ("transformation", "version", *TEXTS)))
    return items, notes


def _of_run(root: Path) -> pd.DataFrame:
    """Return the pairs of a run's datasets of graded similarity, with their gold if it is there."""
    texts = read_texts(root)
    names = _graded(root)
    keys = ["dataset", "transformation", "seed"]
    parts = []
    for (dataset, *_), own in texts[texts["dataset"].isin(names)].groupby(keys, sort=False):
        half, odd = divmod(len(own), 2)
        gold = _gold(root, str(dataset))
        if odd or list(own["ordinal"]) != list(range(len(own))):
            raise FormatError(
                f"The texts of {dataset!r} do not make up pairs: there are {len(own)} of them. Run "
                "the study to its end, or pass a table of pairs.",
                [dataset],
            )
        # Left sides are numbered first; of a pair with a blank side, only one would be there.
        left, right = (part.reset_index(drop=True) for part in (own[:half], own[half:]))
        pairs = left[[*keys, "generator"]].copy()
        for name in ("source", "target"):  # cross-translation takes the sides apart
            pairs[name] = [
                " and ".join(dict.fromkeys(filter(None, both)))
                for both in zip(left[name], right[name], strict=True)
            ]
        for side, part in enumerate((left, right)):
            pairs[_BEFORE[side]] = part["original"].map(readable)
            pairs[_AFTER[side]] = part["text"].map(readable)
        pairs["gold"] = gold if gold is not None and len(gold) == half else None
        parts.append(pairs)
    if not parts:
        raise EmptyMatrixError(
            f"No dataset of {root} is of graded similarity (sts or str). Pass a table of pairs."
        )
    return pd.concat(parts, ignore_index=True)


def _graded(root: Path) -> list[str]:
    path = root / "settings.json"
    try:
        listed = json.loads(path.read_text("utf-8"))["datasets"]
        return [each["name"] for each in listed if each["task_type"] in _GRADED]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"{path} does not say of what type the datasets are ({error!r}). Name the folder that "
            "a run left, or pass a table of pairs.",
            [path],
        ) from error


def _gold(root: Path, dataset: str) -> list[float] | None:
    folder = root / "instances" / generator_directory(dataset) / ORIGINAL
    for path in sorted(folder.rglob("*.parquet")):
        found = pd.read_parquet(path)
        if "gold" in found.columns:
            return [float(value) for value in found["gold"]]
    return None
