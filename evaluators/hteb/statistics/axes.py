"""Which transformations make up which axis: as asked, as the table says, or as in *HTEB*."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from robustrank.errors import DuplicateError, EmptyMatrixError, ParameterError, unknown_label
from robustrank.evaluators.hteb.statistics.scores import TOTAL, TOTAL_WITHOUT_LANGUAGE
from robustrank.evaluators.hteb.texts.transformations import AXES, ORIGINAL
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

#: What no axis or transformation may be called: columns of results are.
_RESERVED: Final = (TOTAL, TOTAL_WITHOUT_LANGUAGE, ORIGINAL)


def axes_of(
    table: pd.DataFrame, axes: Mapping[str, Sequence[str]] | None
) -> dict[str, tuple[str, ...]]:
    """Return the transformations of each axis, of those that a table has.

    Parameters
    ----------
    table : DataFrame
        One row per score of transformed texts: ``transformation`` and perhaps ``axis``.
    axes : mapping of str to sequence of str, optional
        By default those that the table names, or those of *HTEB*.
    """
    present = list(dict.fromkeys(table["transformation"]))
    if axes is not None:
        wanted = _checked(axes)
    elif "axis" in table.columns and table["axis"].notna().all():
        wanted = _checked(_axes_in(table))
    else:
        wanted = {axis: list(names) for axis, names in AXES.items()}
    listed = [name for names in wanted.values() for name in names]
    if axes is None:
        for name in present:
            if name not in listed:
                hint = f"the axes have {name_some(listed, 8)}; pass axes={{'My axis': [{name!r}]}}."
                raise unknown_label("transformation", name, [], none_known=hint)
    found = {axis: tuple(n for n in names if n in present) for axis, names in wanted.items()}
    if not any(found.values()):
        raise EmptyMatrixError(
            f"There is no score of a transformation on the axes {name_some(wanted)}; the table has "
            f"{name_some(map(repr, present)) or 'only originals'}. Score one, or name other axes."
        )
    return {axis: names for axis, names in found.items() if names}


def _axes_in(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return the axes that a table names, in the order of HTEB where it has them."""
    pairs = table[["axis", "transformation"]].astype(str).drop_duplicates()
    order = [name for members in AXES.values() for name in members]
    axes = sorted(dict.fromkeys(pairs["axis"]), key=_place(AXES))
    return {
        axis: sorted(pairs["transformation"][pairs["axis"] == axis], key=_place(order))
        for axis in axes
    }


def _checked(axes: object) -> dict[str, list[str]]:
    if not isinstance(axes, Mapping) or not axes:
        raise ParameterError(
            "axes must map at least one axis to its transformations, as in "
            f"{{'My axis': ['expansion']}}; got {axes!r}."
        )
    wanted = {}
    for axis, names in axes.items():
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise ParameterError(
                f"The axis {axis!r} needs a list of transformations, as in ['expansion']; got "
                f"{names!r}.",
                [axis],
            )
        wanted[str(axis)] = [str(name) for name in names]
    listed = [name for names in wanted.values() for name in names]
    for name in listed:
        if listed.count(name) > 1:
            raise DuplicateError(f"{name!r} is on two axes; put it on one.", [name])
        if name in _RESERVED:
            raise DuplicateError(
                f"The transformation {name!r} is named like a total or the originals; give it a "
                "name of its own.",
                [name],
            )
    for axis in wanted:
        if axis in (*listed, *_RESERVED):
            raise DuplicateError(
                f"The axis {axis!r} is named like a transformation, a total or the originals; "
                "give it a name of its own.",
                [axis],
            )
    return wanted


def _place(order: Iterable[str]) -> Any:
    places = {name: place for place, name in enumerate(order)}
    return lambda name: places.get(name, len(places))


def left_out(present: pd.Series, names: list[str]) -> list[Note]:
    """Say which transformations no axis has."""
    others = tuple(name for name in dict.fromkeys(present) if name not in names)
    if not others:
        return []
    sentence = f"Left out, as no axis has them: {name_some(others)}."
    return [Note("left-out-transformations", sentence, others)]
