"""Scores as HTEB 1.1 writes them: ``scores.JSON``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from robustrank._atomic import replacing
from robustrank.errors import (
    DuplicateError,
    FormatError,
    InputError,
    MissingScoresError,
    ScaleError,
    unknown_label,
)
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS
from robustrank.notes import Note, name_some

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    import pandas as pd

    _Record = tuple[str, str, int, int]

_ORIGINAL = "original"
_CELL = ["model", "dataset", "transformation", "seed_transform", "seed_evaluation"]
_RECORD = ["model", "dataset", "seed_transform", "seed_evaluation"]


def write_scores(
    path: str | os.PathLike[str],
    table: pd.DataFrame,
    *,
    filtering: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[Note, ...]:
    """Write a long table of scores in the form of HTEB 1.1.

    An axis is the mean of those of its transformations that the table has. A record that lacks one
    of them has no such axis, as a mean over fewer would not be comparable.

    Parameters
    ----------
    path : str or path-like
    table : DataFrame
        One row per score in 0..1 (-1..1 for correlations), with the columns ``model``,
        ``dataset``, ``transformation`` (also ``"original"``), ``seed_transform``,
        ``seed_evaluation``, ``score`` and, where languages were drawn, ``languages``. The original
        may have no ``seed_transform``: it then stands beside every one.
    filtering : mapping of str to mapping, optional
        Dataset → what was filtered out of it on loading.

    Returns
    -------
    tuple of Note
        The records with missing transformations.
    """
    _check_table(table)
    names = _short_names(table["model"].unique())
    is_original = table["transformation"] == _ORIGINAL
    originals = _originals(table[is_original])
    rewritten = table[~is_original]
    present = set(rewritten["transformation"])
    selected = {
        axis: [name for name in members if name in present] for axis, members in AXES.items()
    }
    records, lacking = [], []
    for cell, rows in rewritten.groupby(_RECORD, sort=False):
        record = cast("_Record", cell)
        model, dataset, seed_transform, seed_evaluation = record
        scores = dict(zip(rows["transformation"], rows["score"] * 100.0, strict=True))
        ordered = [name for name in TRANSFORMATIONS if name in scores]
        axes = {
            axis: float(np.mean([scores[name] for name in members]))
            for axis, members in selected.items()
            if members and all(name in scores for name in members)
        }
        if len(scores) < len(present):
            lacking.append(f"{model} on {dataset}, seed {seed_transform}")
        report = (filtering or {}).get(dataset)
        records.append(
            {
                "model": names[model],
                "dataset": dataset,
                "seed_transform": int(seed_transform),
                "seed_evaluation": int(seed_evaluation),
                "original": _original_of(record, originals),
                "axes": axes,
                "data_filtering": dict.fromkeys(ordered, report) if report else {},
                "transformations": _entries(rows, ordered),
            }
        )
    with replacing(Path(path).expanduser()) as file:
        text = json.dumps(records, indent=2, ensure_ascii=False, allow_nan=False)
        file.write(f"{text}\n".encode())
    if not lacking:
        return ()
    message = (
        f"{name_some(lacking)} lack transformations that others have. Their axes with these "
        "transformations are left out of the file, and so are their totals when it is read."
    )
    return (Note("incomplete-axes", message, tuple(lacking)),)


def _entries(rows: pd.DataFrame, ordered: list[str]) -> dict[str, Any]:
    """Return the score per transformation, with its languages where texts get a new one."""
    by_name = {row["transformation"]: row for row in rows.to_dict("records")}
    entries: dict[str, Any] = {}
    for name in ordered:
        row = by_name[name]
        entries[name] = score = float(row["score"]) * 100.0
        if not TRANSFORMATIONS[name].keeps_language:
            languages = row.get("languages")
            listed = list(languages) if isinstance(languages, list | tuple) else []
            entries[name] = {"score": score, "languages": listed}
    return entries


def _originals(rows: pd.DataFrame) -> dict[tuple[Any, ...], float]:
    """Return the scores on original texts in percent, by record; the seed of none is None."""
    keys = rows[_RECORD].astype(object)
    keys = keys.where(keys.notna(), None)
    cells = keys.itertuples(index=False, name=None)
    return {cell: float(score) * 100.0 for cell, score in zip(cells, rows["score"], strict=True)}


def _original_of(record: _Record, originals: Mapping[tuple[Any, ...], float]) -> float:
    model, dataset, _, seed_evaluation = record
    for key in (record, (model, dataset, None, seed_evaluation)):
        if key in originals:
            return originals[key]
    raise MissingScoresError(
        f"{model} has no score on the original texts of {dataset} for seed_evaluation "
        f"{seed_evaluation}. Score it on them, or drop its rows.",
        [model, dataset],
    )


def _check_table(table: pd.DataFrame) -> None:
    missing = [name for name in (*_CELL, "score") if name not in table.columns]
    if missing:
        raise FormatError(f"The table of scores has no column {name_some(missing)}.", missing)
    for name in table["transformation"].unique():
        if name not in (*TRANSFORMATIONS, _ORIGINAL):
            raise unknown_label("transformation", name, (*TRANSFORMATIONS, _ORIGINAL))
    rewritten = table["transformation"] != _ORIGINAL
    if not rewritten.any():
        raise MissingScoresError(
            "There are only scores on original texts, and HTEB's file is about others. Score at "
            "least one transformation."
        )
    _refuse(table["seed_evaluation"].isna(), table, "has no seed_evaluation", MissingScoresError)
    unseeded = rewritten & table["seed_transform"].isna()
    _refuse(unseeded, table, "has no seed_transform", MissingScoresError)
    _refuse(table.duplicated(_CELL), table, "is there twice; drop one", DuplicateError)
    scores = table["score"].to_numpy(np.float64, na_value=np.nan)
    missing_score = np.isnan(scores)
    _refuse(missing_score, table, "has no score; drop the row or score it", MissingScoresError)
    _refuse(np.abs(scores) > 1.0, table, "is beyond -1..1; divide percentages by 100", ScaleError)


def _refuse(rows: Any, table: pd.DataFrame, problem: str, error: type[InputError]) -> None:
    """Raise if `rows` selects any, naming the first."""
    for row in table.loc[rows, _CELL].head(1).itertuples(index=False, name=None):
        model, dataset, transformation, *seeds = row
        raise error(
            f"The score of {model} on {dataset}, {transformation}, seeds {seeds} {problem}.",
            [model, dataset],
        )


def _short_names(models: Iterable[str]) -> dict[str, str]:
    """Return the models' names without owners, by which HTEB knows them."""
    short = {model: model.rsplit("/", 1)[-1] for model in models}
    for name in short.values():
        same = [model for model in short if short[model] == name]
        if len(same) > 1:
            raise DuplicateError(
                f"{name_some(same)} are all {name!r} in HTEB's file, which leaves owners out. "
                "Write a file for each, or rename them.",
                same,
            )
    return short
