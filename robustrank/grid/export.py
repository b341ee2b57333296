"""A study as files and for other programs: CSV, parquet, LaTeX, Markdown, JSON-safe values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import pandas as pd

from robustrank._atomic import replacing, write_text
from robustrank._json import json_safe
from robustrank._select import listed
from robustrank.consistency import count_tasks
from robustrank.errors import ParameterError
from robustrank.grid.baseline import compare_with_baseline
from robustrank.grid.cells import standings
from robustrank.grid.layout import block_of
from robustrank.grid.tables import label_fields, readable_table, text_columns
from robustrank.report.export import escape_latex, pipe_table, tabular

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

    from robustrank.grid.block import Block
    from robustrank.grid.study import Study
    from robustrank.notes import Note

Format = Literal["csv", "parquet", "latex", "markdown"]
TableName = Literal["cells", "languages", "tasks"]
#: What the names of the files of a format end in.
_ENDINGS: dict[Format, str] = {
    "csv": "csv",
    "parquet": "parquet",
    "latex": "tex",
    "markdown": "md",
}
#: Headings that are formulas in LaTeX.
_FORMULAS = {name: f"${name}$" for name in ("n", "q", "U", "CW")}


def save_study(
    study: Study, folder: str | os.PathLike[str], formats: Iterable[Format] = ("csv",)
) -> list[Path]:
    """Write the page of a study and all its tables into a folder.

    Parameters
    ----------
    study : Study
    folder : path
        Made if needed. Files of the same names are replaced, each when its successor is whole.
    formats : iterable of {"csv", "parquet", "latex", "markdown"}
        CSV is UTF-8 with all digits. Since ``nan`` is a language, read it with
        ``pd.read_csv(path, keep_default_na=False, na_values=[""])``. LaTeX and Markdown are
        written of the cells, languages and tasks only.

    Returns
    -------
    list of Path
        ``report.html``, whatever the formats; ``settings.json``; and the tables of `study_tables`
        as ``cells.csv``, ….

    Raises
    ------
    InputError
        For an unknown format, before anything is written, or a folder that cannot be written to.
    """
    chosen = check_formats(formats)
    target = Path(folder)
    settings = json.dumps(json_safe(study.settings), indent=2, ensure_ascii=False)
    paths = [
        study.to_html(target / "report.html"),
        write_text(target / "settings.json", settings),
    ]
    if {"csv", "parquet"} & {*chosen}:
        for name, table in study_tables(study).items():
            if "csv" in chosen:
                text = table.to_csv(index=False, lineterminator="\n")
                paths.append(write_text(target / f"{name}.csv", text))
            if "parquet" in chosen:
                paths.append(_write_parquet(target / f"{name}.parquet", table))
    for name in get_args(TableName):
        if "latex" in chosen:
            paths.append(write_text(target / f"{name}.tex", study_to_latex(study, name)))
        if "markdown" in chosen:
            paths.append(write_text(target / f"{name}.md", study_to_markdown(study, name)))
    return paths


def check_formats(formats: Iterable[str]) -> list[Format]:
    """Return each format once; raise for an unknown one."""
    by_name = {str(name): name for name in _ENDINGS}
    names = list(dict.fromkeys(listed(formats)))
    for name in names:
        if name not in by_name:
            known = ", ".join(map(repr, by_name))
            raise ParameterError(f"Unknown format {name!r}; choose among {known}.", [name])
    return [by_name[name] for name in names]


def _write_parquet(path: Path, table: pd.DataFrame) -> Path:
    texts = [name for name in table if table[name].dtype == object]
    with replacing(path) as file:
        table.astype(dict.fromkeys(texts, "string")).to_parquet(file, index=False)
    return path


def study_tables(study: Study) -> dict[str, pd.DataFrame]:
    """Return every table of a study by name, labels in the first columns.

    Returns
    -------
    dict of str to DataFrame
        ``cells``, ``languages``, ``tasks`` and ``coverage_weighted`` are those of the study.
        ``standings`` has a row per cell and model. ``cross_task`` has a row per language, model
        and scheme, with CT(η). ``eligibility`` counts models by condition, and ``conditions`` has a
        row per task type and model. ``baseline`` has the correlations of
        `robustrank.grid.baseline.compare_with_baseline`. ``notes`` has those of the study, of its
        baseline and of its cells, their labels as a JSON list. With resamples, ``bootstrap`` has a
        row per cell, scheme and model.
    """
    first, second = study.plan.by
    baseline = compare_with_baseline(study)
    return {
        **main_tables(study),
        "coverage_weighted": flat(study.coverage_weighted, "model"),
        "standings": flat(_standings(study), first, second, "model"),
        "cross_task": flat(_cross_task(study), first, "model", "scheme"),
        "eligibility": flat(study.eligibility.report, second, "condition"),
        "conditions": flat(study.eligibility.conditions, second, "model"),
        "baseline": baseline.correlations,
        "notes": _notes(study, baseline.notes),
        **_bootstrap(study),
    }


def main_tables(study: Study) -> dict[str, pd.DataFrame]:
    """Return the cells, languages and tasks, labels in the first columns."""
    names: tuple[TableName, ...] = get_args(TableName)
    return {name: flat(getattr(study, name), *label_fields(study, name)) for name in names}


def flat(table: pd.DataFrame, *labels: str) -> pd.DataFrame:
    """Return a table with its labels as first columns; ``by_`` tells one from a column."""
    names = [f"by_{name}" if name in table.columns else name for name in labels]
    return table.rename_axis(columns=None).reset_index(names=names)


def _standings(study: Study) -> pd.DataFrame:
    """Return the standings of every cell under each other."""
    top_k, kind = study.settings["top_k"], study.settings["consistency"]
    return _by_cell(study, lambda block: standings(block, top_k, kind))


def _cross_task(study: Study) -> pd.DataFrame:
    """Return CT(η) of every language, which sums what its task types add."""
    top_k = study.settings["top_k"]
    added = _by_cell(study, lambda block: count_tasks({"": block.ranks}, top_k))
    summed = added.groupby(level=[0, 2], sort=False).sum()
    once = summed[summed.max(axis=1) > 0]
    long = once.melt(var_name="scheme", value_name="cross_task_consistency", ignore_index=False)
    return long.set_index("scheme", append=True)


def _bootstrap(study: Study) -> dict[str, pd.DataFrame]:
    """Return what resampling says of every cell, scheme and model, if there are resamples."""

    def by_scheme(block: Block) -> pd.DataFrame | None:
        table = block.bootstrap
        parts = {} if table is None else {s: table.xs(s, axis=1) for s in study.settings["schemes"]}
        return pd.concat(parts) if parts else None

    if all(block.bootstrap is None for block in study.blocks.values()):
        return {}
    return {"bootstrap": flat(_by_cell(study, by_scheme), *study.plan.by, "scheme", "model")}


def _by_cell(study: Study, describe: Callable[[Block], pd.DataFrame | None]) -> pd.DataFrame:
    """Describe every block once, and put that of every cell under each other."""
    level = study.settings["level"]
    described = {name: describe(block) for name, block in study.blocks.items()}
    found = {name: table for name, table in described.items() if table is not None}
    names = {(cell.language, cell.task_type): block_of(cell, level) for cell in study.plan.cells}
    return pd.concat({cell: found[name] for cell, name in names.items() if name in found})


def _notes(study: Study, more: Iterable[Note]) -> pd.DataFrame:
    level = study.settings["level"]
    rows = [_note(note, (pd.NA, pd.NA)) for note in (*study.notes, *more)]
    for cell in study.plan.cells:
        block = study.blocks.get(block_of(cell, level))
        if block is not None:
            rows += [_note(note, (cell.language, cell.task_type)) for note in block.notes]
    columns = [*study.plan.by, "code", "message", "labels"]
    return pd.DataFrame(rows, columns=columns, dtype=object)


def _note(note: Note, where: tuple[object, object]) -> tuple[object, ...]:
    return (*where, note.code, note.message, json.dumps(note.labels, ensure_ascii=False))


def study_to_markdown(study: Study, table: TableName) -> str:
    """Return the cells, languages or tasks as a pipe table; see `readable_table`."""
    cells = readable_table(study, table)
    return pipe_table(cells, text_columns(cells, table))


def study_to_latex(study: Study, table: TableName) -> str:
    """Return the cells, languages or tasks as a tabular for booktabs, as the papers print them."""
    cells = readable_table(study, table)
    escaped = cells.map(escape_latex)
    if table == "cells":
        escaped["Level"] = cells["Level"].map(_level)
    headings = {name: _FORMULAS.get(name, escape_latex(name)) for name in cells.columns}
    left = [headings[name] for name in text_columns(cells, table) if name in headings]
    return tabular(escaped.rename(columns=headings), left)


def _level(level: str) -> str:
    """Write an evidence level as the papers do: ``E_RS+DS`` is E with an index."""
    return f"$E_{{{level.removeprefix('E').removeprefix('_')}}}$"


def study_to_dict(study: Study) -> dict[str, Any]:
    """Return cells, languages, tasks, eligibility, notes, methods and settings, JSON-safe."""
    eligibility = flat(study.eligibility.report, study.plan.by[1], "condition")
    tables = {**main_tables(study), "eligibility": eligibility}
    content = {name: table.to_dict("records") for name, table in tables.items()}
    safe: dict[str, Any] = json_safe(
        {
            **content,
            "notes": [note.to_dict() for note in study.notes],
            "methods": study.methods,
            "settings": study.settings,
        }
    )
    return safe
