"""The two boards within each task type that both have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank.comparison.coefficients import NAMES, correlate
from robustrank.comparison.remarks import type_notes
from robustrank.comparison.sides import FEWEST
from robustrank.errors import InputError
from robustrank.notes import count

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.comparison.sides import Aggregate, Side
    from robustrank.notes import Note

_COUNTS = ["n_datasets_a", "n_datasets_b", "n_models"]


def compare_types(
    side_a: Side, side_b: Side, aggregate: Aggregate, settings: dict[str, Any]
) -> tuple[pd.DataFrame, tuple[Note, ...]]:
    """Correlate scores on A's datasets of a type with those on B's, over the models with both.

    What is undefined for a type is NaN in its row, and a note names the type; it stops nothing
    else.

    Parameters
    ----------
    side_a, side_b : Side
    aggregate : str or callable
    settings : dict
        Of `coefficients`.

    Returns
    -------
    tuple of DataFrame and of tuple of Note
        See `Comparison.by_task_type`.
    """
    types_a, types_b = side_a.task_types, side_b.task_types
    rows: dict[str, dict[str, float]] = {}
    undefined: dict[str, str] = {}
    for key in types_a:
        if key not in types_b:
            continue
        name, datasets = types_a[key].name, (types_a[key].datasets, types_b[key].datasets)
        x, y, reason = _scores((side_a, side_b), datasets, aggregate)
        counts = (len(datasets[0]), len(datasets[1]), len(x))
        rows[name] = dict(zip(_COUNTS, counts, strict=True))
        if len(x) >= FEWEST:
            found = correlate(x, y, settings)
            for coefficient, value in found.items():
                rows[name][coefficient] = value.estimate
                rows[name] |= {f"{coefficient}_low": value.low, f"{coefficient}_high": value.high}
            if np.isnan(found["spearman"].estimate):
                reason = f"one of the boards ties all {count(len(x), 'model')}"
        if reason:
            undefined[name] = reason
    columns = [*_COUNTS, *(f"{name}{suffix}" for name in NAMES for suffix in ("", "_low", "_high"))]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns).sort_index()
    table = table.astype({name: "int64" if name in _COUNTS else float for name in columns})
    return table.rename_axis("task_type"), type_notes(types_a, types_b, undefined)


def _scores(
    sides: tuple[Side, Side], datasets: tuple[list[str], list[str]], aggregate: Aggregate
) -> tuple[FloatArray, FloatArray, str]:
    """Return the scores of the models that both boards score; and if too few, why."""
    pairs = list(zip(sides, datasets, strict=True))
    # Models without a score of the type are no opponents in it either.
    held = np.logical_and(*[side.holds(names) for side, names in pairs])
    if held.sum() < FEWEST:
        return *np.empty((2, held.sum())), _too_few(int(held.sum()), "scores")
    try:
        x, y = [side.score_part(aggregate, names, held) for side, names in pairs]
    except Exception as error:  # a user's function may fail in any way on few datasets
        raised = str(error) if isinstance(error, InputError) else repr(error)
        return *np.empty((2, 0)), f"the aggregate fails on its datasets: {raised.rstrip('.')}"
    both = np.isfinite(x) & np.isfinite(y)
    reason = _too_few(int(both.sum()), "a finite aggregate") if both.sum() < FEWEST else ""
    return x[both], y[both], reason


def _too_few(number: int, what: str) -> str:
    verb = "has" if number == 1 else "have"
    return (
        f"{count(number, 'model')} {verb} {what} on both boards, and a correlation needs {FEWEST}"
    )
