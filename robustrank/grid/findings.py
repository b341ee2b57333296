"""The findings of a study, one fact a line, and what they owe to weak spots of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank._text import printable
from robustrank.evidence import ASSESSABLE, LEVELS
from robustrank.notes import count, name_some
from robustrank.report.findings import format_ess

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.grid.study import Study


def findings(study: Study) -> list[str]:
    """State what was found, one fact a line."""
    cells, (field, kind) = study.cells, study.plan.by
    ranked = cells[cells["n_models"] > 0]
    several = cells[(cells["level"].map(ASSESSABLE) > 0) & (cells["n_rankings"] > 1)]
    lines = [
        (
            f"{count_values(len(study.languages), field)} × {count_values(len(study.tasks), kind)}"
            f": {count(len(cells), 'cell')}, {int((cells['n'] > 0).sum()):,} with datasets"
        ),
        (
            f"Ranked     {_of(len(ranked), len(cells))}, on "
            f"{count(len(study.blocks), 'different table')} of scores with "
            f"{_range(ranked['n_models'])} models"
        ),
        f"Evidence   {_levels(cells['level'])}",
        (
            f"Stability  over ranking schemes can be assessed in {_of(len(several), len(cells))}, "
            f"over dataset compositions in {_of(int(cells['ds'].sum()), len(cells))}"
        ),
    ]
    if len(several):
        spans = {"schemes": several["w_schemes"], "compositions": several["w_compositions"]}
        shown = [f"over {over} {_span(w)}" for over, w in spans.items() if w.notna().any()]
        lines.append(f"Agreement  Kendall's W there, {', '.join(shown)}")
    lines += [
        f"Strength   of the evidence by {field_name(field)}: {_categories(study.languages)}",
        f"Leads      {_leaders(study)}",
    ]
    return [printable(line) for line in lines]


def caveats(study: Study) -> list[str]:
    """Say what the findings owe to weak spots of the data, one a line."""
    cells = study.cells
    lines = []
    single = int((cells["n_models"].gt(0) & cells["level"].eq("E1")).sum())
    if single:
        lines.append(
            f"{count(single, 'cell')} with a single dataset: its best model counts as consistent"
        )
    partial = cells["most_consistent_model"][cells["partial"].notna()]
    if len(partial):
        models = name_some(partial.str.split(" = ").explode().value_counts().index, 3)
        lines.append(
            f"{count(len(partial), 'cell')} where the most consistent model ({models}) may owe its "
            "place to a score that averages only a part of its dataset"
        )
    unscored = {name for cell in study.plan.cells for name in cell.unscored}
    if unscored:
        lines.append(
            f"{count(len(unscored), 'dataset')} without results, or with those of too few models, "
            "counted in n and in no ranking"
        )
    bare = int((cells["n_scored"].gt(0) & cells["n_models"].eq(0)).sum())
    if bare:
        lines.append(f"{count(bare, 'cell')} with results by which no two models could be ranked")
    return [printable(f"Caveat     {line}") for line in lines]


def field_name(field: str) -> str:
    """Return the name of a field of the metadata as words."""
    return printable(field.replace("_", " "))


def count_values(number: int, field: str) -> str:
    """Return ``"2 languages"``, ``"9 task types"``; of other fields, ``"4 values of domain"``."""
    if field in ("language", "task_type"):
        return count(number, field_name(field))
    return f"{count(number, 'value')} of {field_name(field)}"


def _of(some: int, cells: int) -> str:
    return f"{count(some, 'cell')} ({some / cells:.0%})"


def _range(values: pd.Series) -> str:
    low, high = values.min(), values.max()
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _span(values: pd.Series) -> str:
    low, high, middle = (format_ess(v) for v in (values.min(), values.max(), values.median()))
    return low if low == high else f"{low} to {high} (median {middle})"


def _levels(levels: pd.Series) -> str:
    counts = levels.value_counts()
    shown = [level for level in reversed(LEVELS) if level in counts]
    return ", ".join(f"{level} {_of(int(counts[level]), len(levels))}" for level in shown)


def _categories(languages: pd.DataFrame) -> str:
    groups = languages.groupby("category")["ess"].agg(["size", "max"])
    ordered = groups.sort_values("max", ascending=False)["size"]
    return ", ".join(f"{name} {number:,}" for name, number in ordered.items())


def _leaders(study: Study) -> str:
    leads = study.coverage(1)
    if leads.empty:
        return "no model: none is in the top anywhere"
    (first, most), *rest = leads.sum(axis=1).items()
    names = [f"{first} in {most:,} of {count_values(leads.shape[1], study.plan.by[0])}"]
    names += [f"{model} in {number:,}" for model, number in rest]
    return f"by coverage-weighted consistency: {name_some(names, 3)}"
