"""Judgements from any table of them: checked, and spread out into texts × (judge, generator)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from robustrank.errors import DuplicateError, ParameterError
from robustrank.evaluators.hteb.judging.crossover import Judgements
from robustrank.evaluators.hteb.judging.items import check_names
from robustrank.evaluators.hteb.judging.parsing import HIGHEST, LOWEST
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS
from robustrank.notes import count

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_CELL = ["judge", "generator", "transformation", "item"]


def read_judgements(
    source: Judgements | pd.DataFrame | str | Path | Sequence[dict[str, object]],
) -> pd.DataFrame:
    """Return one row per judgement; transformations in HTEB's order.

    Returns
    -------
    DataFrame
        ``judge``, ``generator``, ``transformation``, ``item``, ``rating`` and ``failure``.
    """
    if isinstance(source, Judgements):
        source = source.table
    table = load_long(source, "judgement", labels=_CELL, numbers=["rating"])
    if "dataset" in table.columns:
        table["item"] = table["dataset"].astype(str) + "/" + table["item"]
    table["failure"] = _failures(table)
    check_names(table)
    _check_range(table["rating"])
    twice = table.duplicated(_CELL)
    if twice.any():
        row = table[twice].iloc[0]
        place = f"{row['item']} ({row['transformation']}, {row['generator']}) by {row['judge']}"
        raise DuplicateError(
            f"There are {count(int(twice.sum()), 'judgement')} too many, the first of {place}. "
            "Give each text an item of its own, or drop the copies.",
            [place],
        )
    order = {name: place for place, name in enumerate(TRANSFORMATIONS)}
    places = table["transformation"].map(order).fillna(len(order))
    return table.loc[places.sort_values(kind="stable").index, [*_CELL, "rating", "failure"]]


def spread(table: pd.DataFrame) -> pd.DataFrame:
    """Return ratings as (transformation, item) × (judge, generator), NaN where one is missing."""
    names = [table[name].unique() for name in ("judge", "generator")]
    wide = table.pivot(  # noqa: PD010 - columns of two levels are meant
        index=["transformation", "item"], columns=["judge", "generator"], values="rating"
    )
    wide = wide.reindex(columns=pd.MultiIndex.from_product(names, names=["judge", "generator"]))
    return wide.reindex(table["transformation"].unique(), level="transformation")


def count_invalid(table: pd.DataFrame) -> pd.DataFrame:
    """Count per judge and generator what was asked, and what has no rating and why."""
    answered = table["failure"].isna()
    parts = table.assign(
        asked=1, invalid=answered & table["rating"].isna(), unanswered=~answered
    ).groupby(["judge", "generator"], sort=False)
    counts = parts[["asked", "invalid", "unanswered"]].sum().astype("int64")
    counts.insert(2, "share", counts["invalid"] / counts["asked"])
    return counts


def _failures(table: pd.DataFrame) -> pd.Series:
    """Return why answers are missing; None where there is one, which in files is an empty cell."""
    if "failure" not in table.columns:
        return pd.Series(None, index=table.index, dtype=object)
    given = table["failure"].astype(object)
    said = given.notna() & (given.astype(str).str.strip() != "")
    return given.where(said, None)


def _check_range(ratings: pd.Series) -> None:
    beyond = (ratings < LOWEST) | (ratings > HIGHEST)
    if beyond.any():
        row = int(beyond.to_numpy().argmax())
        raise ParameterError(
            f"The rating in row {row + 1} is {ratings.iloc[row]:g}. Ratings are from {LOWEST} to "
            f"{HIGHEST}; leave the cell empty where the judge gave none.",
            [f"row {row + 1}"],
        )
