"""Which cohort each model of a comparison is in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd

from robustrank._checks import check_unique
from robustrank.errors import DuplicateError, EmptyMatrixError, ParameterError
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable


def assign_cohorts(
    table: pd.DataFrame, cohorts: Mapping[str, object] | pd.Series
) -> tuple[pd.Series, list[Note]]:
    """Return the cohort of each model compared, as text.

    Parameters
    ----------
    table : DataFrame
        Of a `Comparison`.
    cohorts : mapping or Series
        Model (its name on A, or else on B) → cohort.

    Returns
    -------
    tuple of Series and of list of Note
        None for a model without a cohort.
    """
    given = _as_text(cohorts)
    chosen = {
        model: model if model in given else name_b
        for model, name_b in table["name_b"].items()
        if model in given or name_b in given
    }
    if not chosen:
        raise EmptyMatrixError(
            f"None of the {count(len(table), 'model')} compared has a cohort: cohorts names "
            f"{name_some(given, 3)}; the boards, {name_some(table.index, 3)}.",
            given,
        )
    notes = []
    without = tuple(str(model) for model in table.index if model not in chosen)
    if without:
        message = (
            f"{count(len(without), 'model')} of {len(table)} without a cohort count in the ranks, "
            f"but in no mean: {name_some(without)}."
        )
        notes.append(Note("no-cohort", message, without))
    used = set(chosen.values())
    unused = tuple(name for name in given if name not in used)
    if unused:
        message = (
            f"cohorts names {count(len(unused), 'model')} that the comparison lacks: "
            f"{name_some(unused)}."
        )
        notes.append(Note("unused-cohorts", message, unused))
    values = {model: given[name] for model, name in chosen.items()}
    return pd.Series(values, dtype="object").reindex(table.index), notes


def _as_text(cohorts: Mapping[str, object] | pd.Series) -> dict[str, str]:
    """Return models and cohorts as text, without those that are missing."""
    if not isinstance(cohorts, Mapping | pd.Series):
        raise ParameterError(
            f"cohorts must be a mapping or Series of model to cohort; got {type(cohorts).__name__}."
        )
    items = [(str(model), cohort) for model, cohort in cohorts.items()]
    check_unique([model for model, _ in items], "model", "row")
    held = pd.Series([cohort for _, cohort in items], dtype="object").notna()
    known = {model: cohort for (model, cohort), given in zip(items, held, strict=True) if given}
    if not known:
        raise EmptyMatrixError(
            "cohorts is empty: it gives no model a cohort. Give a mapping or Series of model to "
            "cohort."
        )
    _check_distinct(known.values())
    return {model: str(cohort) for model, cohort in known.items()}


def _check_distinct(labels: Iterable[object]) -> None:
    """Raise if two cohorts that differ, such as 1 and "1", are the same text."""
    by_text: dict[str, object] = {}
    for label in labels:
        other = by_text.setdefault(str(label), label)
        if other != label:
            raise DuplicateError(
                f"Cohorts {other!r} and {label!r} would both be called {str(label)!r}. Rename one, "
                "or write both alike if they are one cohort.",
                [label],
            )
