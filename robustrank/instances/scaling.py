"""Scale of scores per instance: percent or 0..1, judged for all datasets together."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from robustrank._scale import Scale
from robustrank.errors import ParameterError, ScaleError
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank._numeric import FloatArray


def to_unit(
    tables: Mapping[str, FloatArray], scale: Scale
) -> tuple[dict[str, FloatArray], list[Note]]:
    """Bring all tables to 0..1 alike, by the rule of `ScoreMatrix`; never one of them alone."""
    if scale not in get_args(Scale):
        raise ParameterError(f"scale must be one of {', '.join(get_args(Scale))}; got {scale!r}.")
    largest = {name: float(np.nanmax(np.abs(table), initial=0.0)) for name, table in tables.items()}
    beyond_one = [name for name, value in largest.items() if value > 1.0]
    if scale == "unit" or (scale == "auto" and not beyond_one):
        return dict(tables), _check_range(tables)
    notes = [Note("scale", "Scores per instance were on 0..100 and have been divided by 100.")]
    within_one = [name for name, value in largest.items() if 0.0 < value <= 1.0]
    if beyond_one and within_one:
        few, fact = (
            (beyond_one, "exceed 1 while most others do not")
            if len(beyond_one) < len(within_one)
            else (within_one, "do not exceed 1 while the others do")
        )
        message = (
            f"The scores per instance of {name_some(few)} {fact}: they may be on another scale. No "
            "dataset was rescaled on its own; if they are, multiply or divide them by 100."
        )
        notes.append(Note("mixed-scale", message, tuple(few)))
    scaled = {name: table / 100.0 for name, table in tables.items()}
    return scaled, notes + _check_range(scaled)


def _check_range(tables: Mapping[str, FloatArray]) -> list[Note]:
    for name, table in tables.items():
        lowest = float(np.nanmin(table, initial=0.0))
        if lowest < -1.0:
            raise ScaleError(
                f"A score on an instance of {name!r} is {lowest:g} on the 0..1 scale; scores lie "
                "in -1..1 (or -100..100). Rescale the dataset, or leave it out.",
                [name],
            )
    above = tuple(n for n, table in tables.items() if np.nanmax(table, initial=0.0) > 1.0)
    if not above:
        return []
    message = (
        f"{count(len(above), 'dataset')} {'has' if len(above) == 1 else 'have'} scores per "
        f"instance above the top of the scale: {name_some(above)}. Rescale to 0..1."
    )
    return [Note("out-of-range", message, above)]
