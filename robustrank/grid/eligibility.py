"""Which models meet a filter, task type by task type, and why the others do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from robustrank.errors import ParameterError
from robustrank.grid.filters import read_days
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robustrank.grid.filters import ModelFilter
    from robustrank.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False)
class Eligibility:
    """Which models take part, and why the others do not.

    Attributes
    ----------
    models : DataFrame of bool
        Model × task type.
    conditions : DataFrame
        One row per (task type, model); a column per condition with True, False or NA for unknown,
        and ``eligible``.
    report : DataFrame
        One row per (task type, condition): numbers of models that ``passed``, ``failed``, are
        ``unknown``, and are ``left`` once this condition and those above it are applied.
    """

    models: pd.DataFrame
    conditions: pd.DataFrame
    report: pd.DataFrame


def apply_filter(
    chosen: ModelFilter, matrix: ScoreMatrix, groups: Mapping[str, Sequence[str]], field: str
) -> Eligibility:
    """Judge every model on every group of datasets.

    Parameters
    ----------
    chosen : ModelFilter
    matrix : ScoreMatrix
        Scores per dataset, with the metadata of the models.
    groups : mapping
        Task type → its datasets that have results.
    field : str
        What the groups are, for the index of the tables.
    """
    if chosen.unknown_training_data is not None and chosen.zero_shot is None:
        raise ParameterError(
            "unknown_training_data says what zero_shot does with a model: set zero_shot, too."
        )
    tables = {group: _judge(chosen, matrix, group, names) for group, names in groups.items()}
    conditions = pd.concat(tables, names=[field, "model"])
    names = [name for name in conditions.columns if name != "eligible"]
    for name in names:
        if name != "complete" and bool(conditions[name].isna().all()):
            fields_of = ", ".join(f"zs_{group}" for group in list(groups)[:2])
            needed = f"fields such as {fields_of}" if name == "zero_shot" else "it"
            raise ParameterError(
                f"The filter asks for {name}, which is unknown for every model. Pass a table of "
                f"model metadata that has {needed} as models= (--model-metadata).",
                [name],
            )
    rows = {
        (group, name): _counts(table, _met(chosen, table)[names[: place + 1]])
        for group, table in tables.items()
        for place, name in enumerate(names)
    }
    index = pd.MultiIndex.from_tuples(rows, names=[field, "condition"])
    report = pd.DataFrame(list(rows.values()), index=index)
    models = pd.DataFrame({group: table["eligible"] for group, table in tables.items()})
    return Eligibility(models.rename_axis(index="model", columns=field), conditions, report)


def _judge(
    chosen: ModelFilter, matrix: ScoreMatrix, group: str, datasets: Sequence[str]
) -> pd.DataFrame:
    models = matrix.models
    columns: dict[str, pd.Series] = {}
    if chosen.open_weights is not None:
        columns["open_weights"] = _compare(models["open_weights"], chosen.open_weights)
    if chosen.zero_shot is not None:
        columns["zero_shot"] = _compare(_zero_shot(models, group), chosen.zero_shot)
    for name in chosen.known:
        if name not in models:
            raise ParameterError(
                f"The filter asks for known {name!r}, which the model metadata do not have. "
                f"Fields: {name_some(models.columns, 12)}.",
                [name],
            )
        columns[f"known {name}"] = models[name].notna().astype("boolean")
    if chosen.released_from is not None or chosen.released_until is not None:
        columns["released"] = _released(models, chosen)
    if chosen.min_parameters is not None or chosen.max_parameters is not None:
        size = pd.to_numeric(models["n_parameters"], errors="coerce")
        low = -float("inf") if chosen.min_parameters is None else chosen.min_parameters
        high = float("inf") if chosen.max_parameters is None else chosen.max_parameters
        columns["parameters"] = size.between(low, high).astype("boolean").mask(size.isna())
    if chosen.complete == "task-type":
        held = matrix.scores[list(datasets)].notna().all(axis=1)
        columns["complete"] = held.astype("boolean")
    table = pd.DataFrame(columns, index=matrix.scores.index)
    table["eligible"] = _met(chosen, table).all(axis=1)
    return table


def _met(chosen: ModelFilter, table: pd.DataFrame) -> pd.DataFrame:
    """Return which conditions count as met, with what is unknown decided."""
    met = table.drop(columns="eligible", errors="ignore")
    if chosen.unknown_training_data == "keep" and "zero_shot" in met:
        met = met.assign(zero_shot=met["zero_shot"].fillna(value=True))
    return met.fillna(value=False).astype(bool)


def _compare(values: pd.Series, wanted: bool) -> pd.Series:
    known = values.notna()
    equal = values.where(known, other=False).astype(bool) == wanted
    return equal.astype("boolean").mask(~known)


def _zero_shot(models: pd.DataFrame, group: str) -> pd.Series:
    """Return True where a model was trained on nothing of the group, NA where that is unknown."""
    name = f"zs_{group}"
    if name in models:
        share = pd.to_numeric(models[name], errors="coerce") / 100.0
    elif any(str(column).startswith("zs_") for column in models.columns):
        share = pd.Series(float("nan"), index=models.index)
    else:
        share = pd.to_numeric(models["zero_shot"], errors="coerce")
    return (share >= 1.0).astype("boolean").mask(share.isna())


def _released(models: pd.DataFrame, chosen: ModelFilter) -> pd.Series:
    if "release_date" not in models:
        return pd.Series(pd.NA, index=models.index, dtype="boolean")
    dates = read_days(models["release_date"])
    inside = pd.Series(True, index=models.index)
    if chosen.released_from is not None:
        inside &= dates >= pd.Timestamp(chosen.released_from, tz="UTC")
    if chosen.released_until is not None:
        inside &= dates <= pd.Timestamp(chosen.released_until, tz="UTC")
    return inside.astype("boolean").mask(dates.isna())


def _counts(table: pd.DataFrame, met: pd.DataFrame) -> dict[str, int]:
    column = table[met.columns[-1]]
    return {
        "passed": int(column.sum()),
        "failed": int((~column).sum()),
        "unknown": int(column.isna().sum()),
        "left": int(met.all(axis=1).sum()),
    }


def filter_notes(found: Eligibility) -> list[Note]:
    """Say, per task type, how many models take part, and of how many nobody knows."""
    parts = []
    for group, table in found.conditions.groupby(level=0, sort=False):
        unknown = {name: int(table[name].isna().sum()) for name in table if name != "eligible"}
        doubts = ", ".join(f"{name} unknown for {n}" for name, n in unknown.items() if n)
        parts.append(f"{group} {table['eligible'].sum()}" + (f" ({doubts})" if doubts else ""))
    total = count(len(found.models), "model")
    message = (
        f"Models that meet the filter, of {total}, by {found.models.columns.name}: "
        f"{'; '.join(parts)}."
    )
    return [Note("filtered-models", message)]
