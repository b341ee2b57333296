"""What ratings are gathered by: names that must be there, and those that rows of results have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from robustrank.errors import DuplicateError, UnknownLabelError
from robustrank.evaluators.hteb.ratings.questions import JOINT
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

#: The name of the row over everything.
OVERALL = "overall"


def with_names(table: pd.DataFrame, columns: Sequence[str]) -> tuple[pd.DataFrame, list[Note]]:
    """Return the ratings of items that have a name in each of these columns, and leave out others.

    Raises
    ------
    UnknownLabelError
        If a column is missing, or nothing is left.
    """
    absent = [name for name in columns if name not in table.columns]
    named = table[[name for name in columns if name not in absent]]
    blank = named.isna() | (named == "")
    out = blank.any(axis="columns")
    if absent or out.all():
        missing = absent or [name for name in columns if blank[name].any()]
        raise UnknownLabelError(
            f"The ratings do not say the {name_some(missing)} of an item. Pass the survey's key to "
            f"read_ratings, or fill in the column{'s' if len(missing) > 1 else ''}.",
            missing,
        )
    if not out.any():
        return table, []
    missing = [name for name in columns if blank[name].any()]
    number = count(int(table["item"][out].nunique()), "item")
    sentence = f"{number} without a {name_some(missing)} are left out."
    return table[~out], [Note("unnamed-items", sentence, tuple(table["item"][out].unique()))]


def refuse_reserved(names: pd.Series, reserved: Collection[str]) -> None:
    """Raise if a transformation is called what another row of the results is called."""
    clash = [name for name in names.unique() if name in reserved]
    if clash:
        raise DuplicateError(
            f"A transformation is called {clash[0]!r}, as is another row of the results. Rename it "
            "in the key.",
            clash,
        )


def parts_of(table: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield axes, each followed by its transformations in *HTEB*'s order, and all ratings."""
    names = table["transformation"].astype(str)
    both = set(JOINT) <= set(names)
    joint = JOINT.values() if both else ()
    refuse_reserved(names, {OVERALL, *AXES, *joint, *_axes(table)})
    part = names.replace(JOINT) if both else names
    axes = {name: each.axis for name, each in TRANSFORMATIONS.items()}
    axis: pd.Series = names.map(axes)
    given = _axes(table)
    axis = given.where(given != "", axis)
    order = [name for members in AXES.values() for name in members]
    first = names.map(lambda name: order.index(name) if name in order else len(order))
    known = [*AXES, *dict.fromkeys(axis.dropna()[~axis.dropna().isin(list(AXES))])]
    for each in known:
        own = table[axis == each]
        if len(own):
            yield str(each), "axis", own
            ranked = first[own.index].sort_values(kind="stable").index
            for name in dict.fromkeys(part[ranked]):
                yield str(name), "transformation", own[part[own.index] == name]
    for name in dict.fromkeys(part[axis.isna()]):
        yield str(name), "transformation", table[axis.isna() & (part == name)]
    yield OVERALL, "overall", table


def _axes(table: pd.DataFrame) -> pd.Series:
    """Return the axis that the key names for each row, or nothing."""
    if "axis" not in table.columns:
        return pd.Series("", table.index, dtype=object)
    return table["axis"].astype(object).where(table["axis"].notna(), "")
