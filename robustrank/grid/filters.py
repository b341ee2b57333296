"""Which models take part: conditions on their metadata and results, task type by task type."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

import pandas as pd

from robustrank.errors import ParameterError
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from robustrank.matrix import ScoreMatrix

Complete = Literal["cell", "task-type"]
UnknownTraining = Literal["drop", "keep"]


@dataclass(frozen=True, kw_only=True)
class ModelFilter:
    """Conditions that a model must meet to be ranked; all that are set must hold.

    Combine two with ``&``.

    Parameters
    ----------
    open_weights : bool, optional
        Whether the weights are open.
    zero_shot : bool, optional
        Whether the model was trained on none (or on some) of the datasets of the task type: its
        metadata field ``zs_<task type>``, in percent, is (or is not) 100. Without such fields,
        ``zero_shot`` speaks for the whole benchmark.
    unknown_training_data : {"drop", "keep"}, optional
        What to do under `zero_shot` with a model whose training data are not known. Either way the
        report counts them apart. Drop by default.
    known : iterable of str
        Metadata fields that must not be empty, such as ``"n_parameters"``.
    complete : {"cell", "task-type"}, optional
        Whether a model needs scores on the datasets of a cell (the default: no ranking is possible
        without) or on all datasets of the task type, in whatever language.
    released_from, released_until : str, optional
        First and last release date, such as ``"2025-01-01"``.
    min_parameters, max_parameters : float, optional
        Fewest and most parameters.
    """

    open_weights: bool | None = None
    zero_shot: bool | None = None
    unknown_training_data: UnknownTraining | None = None
    known: Iterable[str] = ()
    complete: Complete | None = None
    released_from: str | None = None
    released_until: str | None = None
    min_parameters: float | None = None
    max_parameters: float | None = None

    def __post_init__(self) -> None:
        names = (self.known,) if isinstance(self.known, str) else tuple(self.known)
        object.__setattr__(self, "known", tuple(map(str, names)))
        for name, allowed in (("complete", Complete), ("unknown_training_data", UnknownTraining)):
            value = getattr(self, name)
            if value is not None and value not in get_args(allowed):
                choices = " or ".join(map(repr, get_args(allowed)))
                raise ParameterError(f"{name} must be {choices}; got {value!r}.", [value])
        for name in ("released_from", "released_until"):
            value = getattr(self, name)
            if value is not None and pd.isna(pd.to_datetime(value, errors="coerce")):
                raise ParameterError(
                    f"{name} must be a date such as '2025-01-01'; got {value!r}.", [value]
                )

    def __and__(self, other: ModelFilter) -> ModelFilter:
        """Return the filter that sets what either sets."""
        merged: dict[str, Any] = {}
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if field.name == "known":
                merged["known"] = tuple(dict.fromkeys([*mine, *theirs]))
            elif mine is not None and theirs is not None and mine != theirs:
                raise ParameterError(
                    f"Two filters disagree on {field.name}: {mine!r} and {theirs!r}. Set it once.",
                    [field.name],
                )
            else:
                merged[field.name] = theirs if mine is None else mine
        return ModelFilter(**merged)

    def to_dict(self) -> dict[str, Any]:
        """Return the conditions that are set, JSON-safe."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value is not None and value != ()
        }


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
    tables = {group: _judge(chosen, matrix, group, names) for group, names in groups.items()}
    conditions = pd.concat(tables, names=[field, "model"])
    names = [name for name in conditions.columns if name != "eligible"]
    for name in names:
        if name != "complete" and bool(conditions[name].isna().all()):
            raise ParameterError(
                f"The filter asks for {name}, which is unknown for every model. Pass a table of "
                "model metadata that has it as models= (--model-metadata).",
                [name],
            )
    rows = {
        (group, name): _counts(table, names[: place + 1])
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
    met = table.copy()
    if chosen.unknown_training_data == "keep" and "zero_shot" in met:
        met["zero_shot"] = met["zero_shot"].fillna(value=True)
    table["eligible"] = met.fillna(value=False).astype(bool).all(axis=1)
    return table


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
    dates = pd.to_datetime(models["release_date"], errors="coerce")
    inside = pd.Series(True, index=models.index)
    if chosen.released_from is not None:
        inside &= dates >= pd.to_datetime(chosen.released_from)
    if chosen.released_until is not None:
        inside &= dates <= pd.to_datetime(chosen.released_until)
    return inside.astype("boolean").mask(dates.isna())


def _counts(table: pd.DataFrame, names: list[str]) -> dict[str, int]:
    column = table[names[-1]]
    return {
        "passed": int(column.sum()),
        "failed": int((~column).sum()),
        "unknown": int(column.isna().sum()),
        "left": int(table[names].fillna(value=False).all(axis=1).sum()),
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
