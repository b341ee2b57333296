"""Long tables: one row per score, with revisions, splits and subsets where there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import FormatError, NonNumericError
from robustrank.notes import Note, name_some
from robustrank.readers import columns as names
from robustrank.readers.cells import clean_labels, clean_name, parse_numbers, settle_percent
from robustrank.readers.commas import doubt_commas, objection
from robustrank.readers.duplicates import OnDuplicate, without_duplicates
from robustrank.readers.parsed import Parsed
from robustrank.readers.partial import (
    Partial,
    by_model,
    expected_counts,
    find_partial,
    partial_notes,
)
from robustrank.readers.revisions import choose_revisions
from robustrank.readers.splits import evaluated_splits, mixed_splits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank._scale import Scale


def find_roles(table: pd.DataFrame) -> dict[str, str] | None:
    """Return which column plays which role, or `None` if this is not a long table."""
    model = names.find_model_column(table.columns)
    dataset = names.find_column(table.columns, names.DATASET)
    if model is None or dataset is None:
        return None
    roles = {"model": model, "dataset": dataset}
    for role, aliases in (
        ("revision", names.REVISION),
        ("version", names.VERSION),
        ("split", names.SPLIT),
        ("subset", names.SUBSET),
        ("task_type", names.TASK_TYPE),
        ("languages", names.LANGUAGES),
        ("instance", names.INSTANCE),
    ):
        found = names.find_column(table.columns, aliases)
        if found is not None and found not in (model, dataset):
            roles[role] = found
    score = names.find_column(table.columns, names.SCORE)
    if score is None:
        rest = [
            name
            for name in table.columns
            if name not in roles.values()
            and not (names.is_unnamed(name) or names.is_model_metadata(name))
            and not parse_numbers(table[name]).bad.any()
        ]
        if len(rest) != 1:
            per_instance = " Scores per instance are for robustrank.read_instances."
            raise FormatError(
                f"The table has one row per model ({model!r}) and dataset ({dataset!r}), but which "
                f"column holds the score is unclear (candidates: {name_some(rest) or 'none'}). "
                f"Name it 'score'.{per_instance if 'instance' in roles else ''}",
                rest,
            )
        score = rest[0]
    return roles | {"score": score}


def read_long(
    table: pd.DataFrame,
    roles: Mapping[str, str],
    source: str,
    *,
    tasks: pd.DataFrame | None = None,
    main_revisions: Mapping[str, str] | None = None,
    on_duplicate: OnDuplicate = "error",
    partial: Partial = "keep",
    scale: Scale = "auto",
) -> Parsed:
    """Average a long table into one score per (model, dataset)."""
    rows, notes = _rows(table, roles, source, scale)
    rows, mean_notes = _without_means(rows, source)
    notes += mean_notes
    datasets = _dataset_metadata(rows)
    if "split" in roles:
        keep, split_notes = evaluated_splits(rows, tasks)
        rows, notes = rows[keep], [*notes, *split_notes]
    if "revision" in roles or "version" in roles:
        run = rows if "revision" in roles else rows.assign(revision=rows["version"])
        scored = run[run["score"].notna()]
        keep, revision_notes = choose_revisions(scored, main_revisions or {})
        rows, notes = scored[keep], [*notes, *revision_notes]
    instances = table[roles["instance"]] if "instance" in roles else None
    rows, duplicate_notes = without_duplicates(rows, on_duplicate, source, instances)
    notes += duplicate_notes
    if "split" in roles:
        notes += mixed_splits(rows[rows["score"].notna()], tasks)

    scores, seen = _average(rows)
    models = None
    if "split" in roles or "subset" in roles:
        expected = expected_counts(rows, seen, tasks)
        found = find_partial(seen, expected)
        if len(found):
            notes += partial_notes(found, scores, partial)
            models = by_model(found, list(scores.index)).to_frame("partial_scores")
            if partial == "drop":
                scores = scores.mask((seen > 0) & (seen < expected["expected"]))
    return Parsed(scores, datasets, models, notes, rows)


def _rows(
    table: pd.DataFrame, roles: Mapping[str, str], source: str, scale: Scale
) -> tuple[pd.DataFrame, list[Note]]:
    """Return the roles as clean columns: categories for labels, floats for scores."""
    column = table[roles["score"]]
    score = doubt_commas({"score": column}, {"score": parse_numbers(column)})["score"]
    if score.bad.any():
        row = int(score.bad.argmax())
        cell, cells = column.iloc[row], table.iloc[row]
        model, dataset = str(cells[roles["model"]]), str(cells[roles["dataset"]])
        raise NonNumericError(
            f"The score of {model!r} on {dataset!r} in row {row + 1} of {source} (column "
            f"{roles['score']!r}), {cell!r}, {objection(cell)}, or leave it empty if the score is "
            "missing.",
            [model, dataset],
        )
    values, notes = settle_percent(score.numbers, score.percent, scale)
    rows = pd.DataFrame({"score": values})
    for role in ("model", "dataset"):
        rows[role] = _labels(table[roles[role]], role, source)
    for role in ("revision", "version", "split", "subset", "task_type", "languages"):
        cells = (
            table[roles[role]] if role in roles else pd.Series([None] * len(rows), dtype="object")
        )
        rows[role] = _category(cells, source)
    return rows, notes


def _without_means(rows: pd.DataFrame, source: str) -> tuple[pd.DataFrame, list[Note]]:
    """Drop means over datasets that are written among the datasets."""
    datasets = rows["dataset"].cat.categories
    means = tuple(name for name in datasets if names.is_derived(name))
    if not means:
        return rows, []
    if len(means) == len(datasets):
        raise FormatError(
            f"{source} holds nothing but means or ranks over datasets ({name_some(means)}). "
            "Pass the scores on the datasets.",
            means,
        )
    kept = rows[~rows["dataset"].isin(means)]
    kept = kept.assign(dataset=kept["dataset"].cat.remove_categories(list(means)))
    message = f"Not datasets, so set aside: {name_some(means, 10)}."
    return kept, [Note("set-aside", message, means)]


def _category(column: pd.Series, source: str) -> pd.Categorical:
    """Return a column of text, numbers or lists of codes as categories of text."""
    if pd.api.types.infer_dtype(column, skipna=True).startswith("mixed"):
        column = pd.Series(
            [
                ";".join(map(str, cell)) if isinstance(cell, list | tuple | np.ndarray) else cell
                for cell in column
            ],
            dtype="object",
        )
        for row, cell in enumerate(column):
            if isinstance(cell, dict | set):
                raise FormatError(
                    f"Row {row + 1} of {source} holds {cell!r} where text is expected. "
                    "Write a text, or a list of texts.",
                    [f"row {row + 1}"],
                )
    codes, uniques = pd.factorize(column)
    return pd.Categorical.from_codes(
        codes, pd.Index([str(cell) for cell in uniques], dtype="object")
    )


def _labels(column: pd.Series, kind: str, source: str) -> pd.Categorical:
    if pd.api.types.infer_dtype(column, skipna=True).startswith("mixed"):
        column = pd.Series(clean_labels(column, kind, source), name=column.name, dtype="object")
    codes, uniques = pd.factorize(column)
    cleaned = [clean_name(label) for label in uniques]
    if (codes < 0).any() or not all(cleaned):
        clean_labels(column, kind, source)  # which names the row
    final, categories = pd.factorize(np.array(cleaned, dtype="object"))
    return pd.Categorical.from_codes(final[codes], categories=pd.Index(categories, dtype="object"))


def _dataset_metadata(rows: pd.DataFrame) -> pd.DataFrame | None:
    """Return the task type and all languages of each dataset, where the table gives them."""
    fields: dict[str, pd.Series] = {}
    for role in ("task_type", "languages"):
        distinct = rows[["dataset", role]].drop_duplicates().dropna().astype("object")
        if distinct.empty:
            continue
        groups = distinct.groupby("dataset", sort=False)[role]
        fields[role] = groups.first() if role == "task_type" else groups.agg(";".join)
    return pd.DataFrame(fields) if fields else None


def _average(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the mean score and the number of scores per (model, dataset)."""
    models, datasets = rows["model"].cat.categories, rows["dataset"].cat.categories
    shape = (len(models), len(datasets))
    scored = rows[rows["score"].notna()]
    cell = scored["model"].cat.codes.to_numpy(np.int64) * shape[1]
    cell += scored["dataset"].cat.codes.to_numpy(np.int64)
    total = np.bincount(cell, weights=scored["score"].to_numpy(), minlength=shape[0] * shape[1])
    seen = np.bincount(cell, minlength=shape[0] * shape[1])
    means = np.divide(total, seen, out=np.full(len(total), np.nan), where=seen > 0)
    scores = pd.DataFrame(means.reshape(shape), index=models, columns=datasets)
    return scores, pd.DataFrame(seen.reshape(shape), index=models, columns=datasets)
