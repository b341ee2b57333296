"""`read`: any source of scores into a `ScoreMatrix`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import pandas as pd

from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.matrix import ScoreMatrix
from robustrank.readers import results
from robustrank.readers.board import Summary
from robustrank.readers.duplicates import OnDuplicate
from robustrank.readers.hteb import is_hteb, read_hteb
from robustrank.readers.long import find_roles, read_long
from robustrank.readers.metadata import Kind, align, load_metadata
from robustrank.readers.partial import Partial
from robustrank.readers.records import json_table
from robustrank.readers.tables import Source, existing, flat, load_file
from robustrank.readers.wide import read_wide

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from robustrank._scale import Direction, Scale
    from robustrank.notes import Note


def read(
    source: Source | ScoreMatrix | ArrayLike,
    *,
    tasks: Source | None = None,
    models: Source | None = None,
    on_duplicate: OnDuplicate = "error",
    partial: Partial = "keep",
    summary: Summary = "error",
    direction: Direction | None = None,
    scale: Scale = "auto",
    progress: Callable[[str], None] | None = None,
) -> ScoreMatrix:
    """Read scores from a leaderboard export, result files or a table.

    The format is recognised by content, never by file name: MTEB board exports, folders of MTEB
    result files, long tables (one row per score), wide tables (models × datasets, or datasets ×
    models as mteb's ``to_dataframe`` gives them) as CSV, TSV, parquet or JSON.

    Parameters
    ----------
    source : path, DataFrame, ScoreMatrix or array_like
        A file, a folder, a table, a matrix (returned as it is, but for `direction`), or an array
        of models × datasets, which then are ``m1, m2, …`` and ``d1, d2, …``.
    tasks, models : path or DataFrame, optional
        Metadata with one row per dataset or model. Of datasets: ``task_type``, ``languages``,
        ``metric``, ``n_instances``, and for long tables ``eval_splits`` and ``n_subsets``. Of
        models: ``n_parameters``, ``open_weights``, ``zero_shot``, ``price``, and for long tables
        ``revision``. The names that MTEB's tables use for these are understood.
    on_duplicate : {"error", "latest", "mean"}
        What to do when a (model, dataset) occurs twice and no revision, split or subset tells the
        rows apart: refuse, take the newest mteb version (else the last row), or average. Scores per
        instance, told by a column such as ``query_id``, have no latest: they can be averaged only.
    partial : {"keep", "drop"}
        Whether a score that averages only a part of its dataset's splits and subsets is kept or
        becomes missing. Either way a note names such scores, and
        ``matrix.models["partial_scores"]`` lists them.
    summary : {"error", "task-types"}
        Whether a board's *Summary* table, which holds means instead of scores per dataset, is
        refused, or its task types are taken for datasets.
    direction : mapping, optional
        ``{"WER": "min"}`` for a dataset on which lower is better, `None` to leave one out.
    scale : {"auto", "unit", "percent"}
        Whether scores are on 0..1 or 0..100; see `ScoreMatrix`.
    progress : callable, optional
        Called with a short text before each step that may take a while.

    Returns
    -------
    ScoreMatrix
        Its notes say what a reader of any result must know.

    Raises
    ------
    InputError
        A subclass that names the file, row and column, and the remedy.
    """
    return load(
        source,
        tasks=tasks,
        models=models,
        on_duplicate=on_duplicate,
        partial=partial,
        summary=summary,
        direction=direction,
        scale=scale,
        progress=progress,
    ).matrix


@dataclass(frozen=True, eq=False)
class Loaded:
    """A matrix with what it was made from.

    Attributes
    ----------
    matrix : ScoreMatrix
    rows : DataFrame or None
        What was averaged, if the source was a long table: one row per model, dataset, split and
        subset, with the columns ``model``, ``dataset``, ``languages`` and ``score``, among others.
    tasks : DataFrame or None
        The metadata of datasets as given, those without a score included.
    """

    matrix: ScoreMatrix
    rows: pd.DataFrame | None
    tasks: pd.DataFrame | None


def load(
    source: Source | ScoreMatrix | ArrayLike,
    *,
    tasks: Source | None,
    models: Source | None,
    on_duplicate: OnDuplicate,
    partial: Partial,
    summary: Summary,
    direction: Direction | None,
    scale: Scale,
    progress: Callable[[str], None] | None,
) -> Loaded:
    """Read scores as `read` does, and keep what they were made from."""
    _check_choices(
        on_duplicate=(on_duplicate, OnDuplicate),
        partial=(partial, Partial),
        summary=(summary, Summary),
    )
    if not isinstance(source, str | os.PathLike | pd.DataFrame):
        has_metadata = tasks is not None or models is not None
        return Loaded(_read_array(source, has_metadata, direction, scale), None, None)
    dataset_table = load_metadata(tasks, "dataset")
    model_table = load_metadata(models, "model")

    opened = _open(source, progress)
    if opened.table.empty:
        raise EmptyMatrixError(f"{opened.name} has no rows of scores. Export it again.")
    roles = results.ROLES if opened.is_results else find_roles(opened.table)
    if roles is None:
        parsed = read_wide(opened.table, opened.name, summary=summary, scale=scale)
    else:
        if progress is not None:
            progress(f"Averaging {len(opened.table):,} rows")
        parsed = read_long(
            opened.table,
            roles,
            opened.name,
            tasks=dataset_table,
            main_revisions=_main_revisions(model_table),
            on_duplicate=on_duplicate,
            partial=partial,
            scale=scale,
        )
    labels, columns = parsed.scores.index, parsed.scores.columns
    known_models, model_notes = _combine(labels, "model", model_table, opened.models, parsed.models)
    known_datasets, dataset_notes = _combine(columns, "dataset", dataset_table, parsed.datasets)
    matrix = ScoreMatrix(
        parsed.scores,
        known_datasets,
        known_models,
        direction=direction,
        scale=opened.scale if scale == "auto" else scale,
        notes=[*opened.notes, *parsed.notes, *model_notes, *dataset_notes],
    )
    return Loaded(matrix, parsed.rows, dataset_table)


def _read_array(
    source: ScoreMatrix | ArrayLike, has_metadata: bool, direction: Direction | None, scale: Scale
) -> ScoreMatrix:
    """Take a matrix as it is, or build one from an array."""
    if has_metadata:
        raise ParameterError(
            "Metadata cannot be added to a ScoreMatrix or an array. Pass tasks= and models= where "
            "a file or table is read, or build ScoreMatrix(scores, datasets, models)."
        )
    if isinstance(source, ScoreMatrix):
        if scale != "auto":
            raise ParameterError(
                f"A ScoreMatrix is on 0..1 already; pass scale={scale!r} where it is built."
            )
        return source.with_direction(direction) if direction else source
    return ScoreMatrix(source, direction=direction, scale=scale)


def _check_choices(**choices: tuple[str, object]) -> None:
    for name, (value, allowed) in choices.items():
        if value not in get_args(allowed):
            raise ParameterError(
                f"{name} must be one of {', '.join(get_args(allowed))}; got {value!r}.", [value]
            )


@dataclass(frozen=True)
class _Opened:
    """A source as a table, with what its files say about scale and models."""

    table: pd.DataFrame
    name: str
    is_results: bool = False
    scale: Scale = "auto"
    models: pd.DataFrame | None = None
    notes: tuple[Note, ...] = ()


def _open(
    source: str | os.PathLike[str] | pd.DataFrame, progress: Callable[[str], None] | None
) -> _Opened:
    if isinstance(source, pd.DataFrame):
        return _Opened(flat(source), "the table")
    path = existing(source)
    if path.is_dir():
        table, models, notes = results.read_folder(path, progress)
        return _Opened(
            table, path.name, is_results=True, scale="unit", models=models, notes=tuple(notes)
        )
    if progress is not None:
        progress(f"Reading {path.name}")
    content = load_file(path)
    if isinstance(content, pd.DataFrame):
        return _Opened(content, path.name)
    if results.is_result(content) or results.is_saved(content):
        table, models = results.read_file(path, content)
        return _Opened(table, path.name, is_results=True, scale="unit", models=models)
    if is_hteb(content):
        table, notes = read_hteb(content, path.name)
        return _Opened(table, path.name, scale="percent", notes=tuple(notes))
    return _Opened(json_table(content, path.name), path.name)


def _main_revisions(models: pd.DataFrame | None) -> dict[str, str]:
    """Return the revision that the metadata name for each model."""
    if models is None or "revision" not in models.columns:
        return {}
    return {str(model): str(revision) for model, revision in models["revision"].dropna().items()}


def _combine(
    labels: pd.Index, kind: Kind, given: pd.DataFrame | None, *found: pd.DataFrame | None
) -> tuple[pd.DataFrame, list[Note]]:
    """Return one row per label from the user's metadata first, then from what the source says."""
    tables: list[pd.DataFrame] = []
    notes: list[Note] = []
    if given is not None:
        aligned, notes = align(given, labels, kind)
        tables.append(aligned)
    tables += [table.reindex(labels) for table in found if table is not None]
    if not tables:
        return pd.DataFrame(index=labels), notes
    combined = tables[0].copy()
    for table in tables[1:]:
        for name in table.columns:
            if name not in combined:
                combined[name] = table[name]
                continue
            gaps = combined[name].isna() | combined[name].map(lambda cell: cell == ())
            if bool((gaps & table[name].notna()).any()):
                filled = combined[name].astype(object).mask(gaps, table[name].astype(object))
                combined[name] = filled.infer_objects()
    return combined, notes
