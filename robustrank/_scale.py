"""Scale and direction of scores: everything becomes 0..1, higher is better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from robustrank.errors import ParameterError, ScaleError, unknown_label
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

Scale = Literal["auto", "unit", "percent"]
Direction = Mapping[str, Literal["min", "max"] | None]


def checked_direction(direction: Direction | None, datasets: Iterable[str]) -> Direction:
    """Return `direction` with names as text; raise for an unknown dataset or an unknown way."""
    if direction is not None and not isinstance(direction, Mapping):
        raise ParameterError(
            f"direction must map datasets to 'min', 'max' or None; got {direction!r}."
        )
    known = set(datasets)
    ways = {str(name): way for name, way in (direction or {}).items()}
    for name, way in ways.items():
        if name not in known:
            raise unknown_label("dataset", name, known)
        if way not in ("min", "max", None):
            raise ParameterError(
                f"direction[{name!r}] must be 'min', 'max' or None; got {way!r}.", [name]
            )
    return ways


def leave_out(scores: pd.DataFrame, direction: Direction) -> tuple[pd.DataFrame, list[Note]]:
    """Drop the columns whose direction is `None`: present in the table, not to be ranked by."""
    unranked = tuple(name for name, way in direction.items() if way is None)
    if not unranked:
        return scores, []
    message = f"Left out of the ranking, as direction=None asks: {name_some(unranked)}."
    return scores.drop(columns=list(unranked)), [Note("left-out", message, unranked)]


def rescale(
    scores: pd.DataFrame, scale: Scale, direction: Direction
) -> tuple[pd.DataFrame, list[Note]]:
    """Bring the whole matrix to 0..1; never one column alone.

    ``"auto"`` takes a matrix without any score beyond 1 (or -1) to be on 0..1 already, and any
    other to be in percent. Columns marked ``"min"``, which may hold errors or times, have no say
    while there are others. Columns that seem to be on the other scale are named in a note.
    """
    if scale not in get_args(Scale):
        raise ParameterError(f"scale must be one of {', '.join(get_args(Scale))}; got {scale!r}.")
    column_max = scores.abs().max()
    judged = [name for name in scores.columns if direction.get(name) != "min"] or scores.columns
    percent = scale == "percent" or (scale == "auto" and bool(column_max[list(judged)].max() > 1.0))
    if not percent:
        return scores, _check_range(scores)
    notes = [Note("scale", "Scores were on 0..100 and have been divided by 100.")]
    small = column_max.index[(column_max <= 1.0) & (column_max > 0.0)]
    large = column_max.index[column_max > 1.0]
    if len(small) and len(large):
        few, fact = (
            (large, "exceed 1 while most others do not")
            if len(large) < len(small)
            else (small, "do not exceed 1 while the others do")
        )
        notes.append(
            Note(
                "mixed-scale",
                f"The scores of {name_some(few)} {fact}: they may be on another scale than the "
                "rest. No column was rescaled on its own; if they are, multiply or divide them by "
                "100 before reading.",
                tuple(map(str, few)),
            )
        )
    scaled = scores / 100.0
    return scaled, notes + _check_range(scaled)


def _check_range(scores: pd.DataFrame) -> list[Note]:
    values = scores.to_numpy()
    for row, column in np.argwhere(values < -1.0)[:1]:
        model, dataset = scores.index[row], scores.columns[column]
        raise ScaleError(
            f"The score of {model!r} on {dataset!r} is {values[row, column]:g} on the 0..1 scale; "
            "scores lie in -1..1 (or -100..100). Rescale the dataset, or leave it out with "
            f"direction={{{str(dataset)!r}: None}}.",
            [model, dataset],
        )
    beyond = tuple(map(str, scores.columns[np.flatnonzero((values > 1.0).any(axis=0))]))
    if not beyond:
        return []
    message = (
        f"{count(len(beyond), 'dataset')} with scores above the top of the scale "
        f"({name_some(beyond)}): a mean over datasets mixes units there. Rescale such a column to "
        "0..1, or leave it out with direction={name: None}."
    )
    return [Note("out-of-range", message, beyond)]


def reverse(scores: pd.DataFrame, names: Iterable[str]) -> tuple[pd.DataFrame, list[Note]]:
    """Turn "lower is better" columns round: 1 - x, or smallest + largest - x if some x > 1."""
    names = tuple(names)
    if not names:
        return scores, []
    block = scores[list(names)]
    pivot = (block.min() + block.max()).where(block.max() > 1.0, 1.0)
    turned = scores.copy()
    turned[list(names)] = pivot - block
    message = (
        f"Lower is better on {name_some(names)}: scores were reversed to 1 - x "
        "(smallest + largest - x where they exceed 1)."
    )
    return turned, [Note("reversed", message, names)]
