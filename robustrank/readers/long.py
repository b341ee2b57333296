"""Long tables: one row per score, with revisions, splits and subsets where there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank.errors import DuplicateError, FormatError, InputError, NonNumericError
from robustrank.notes import Note, count, name_some
from robustrank.readers import columns as names
from robustrank.readers.cells import clean_name, holds_text, parse_numbers
from robustrank.readers.parsed import Parsed
from robustrank.readers.partial import (
    Partial,
    by_model,
    expected_counts,
    find_partial,
    partial_notes,
)
from robustrank.readers.revisions import choose_revisions, version_order

if TYPE_CHECKING:
    from collections.abc import Mapping

OnDuplicate = Literal["error", "latest", "mean"]


def find_roles(table: pd.DataFrame) -> dict[str, str] | None:
    """Return which column plays which role, or `None` if this is not a long table."""
    model = names.find_column(table.columns, names.MODEL)
    dataset = names.find_column(table.columns, names.DATASET)
    if model is None or dataset is None or model == dataset:
        return None
    roles = {"model": model, "dataset": dataset}
    for role, aliases in (
        ("revision", names.REVISION),
        ("version", names.VERSION),
        ("split", names.SPLIT),
        ("subset", names.SUBSET),
        ("task_type", names.TASK_TYPE),
        ("languages", names.LANGUAGES),
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
            and not (holds_text(table[name]) or pd.api.types.is_bool_dtype(table[name].dtype))
        ]
        if len(rest) != 1:
            raise FormatError(
                f"The table has one row per model ({model!r}) and dataset ({dataset!r}), but which "
                f"column holds the score is unclear (candidates: {name_some(rest) or 'none'}). "
                "Name it 'score'.",
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
) -> Parsed:
    """Average a long table into one score per (model, dataset)."""
    rows = _rows(table, roles, source)
    datasets = _dataset_metadata(rows)
    notes: list[Note] = []
    if "split" in roles:
        keep, split_notes = _evaluated_splits(rows, tasks)
        rows, notes = rows[keep], [*notes, *split_notes]
    if "revision" in roles or "version" in roles:
        run = rows if "revision" in roles else rows.assign(revision=rows["version"])
        scored = run[run["score"].notna()]
        keep, revision_notes = choose_revisions(scored, main_revisions or {})
        rows, notes = scored[keep], [*notes, *revision_notes]
    rows, duplicate_notes = _without_duplicates(rows, on_duplicate, source)
    notes += duplicate_notes

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
    return Parsed(scores, datasets, models, notes)


def _rows(table: pd.DataFrame, roles: Mapping[str, str], source: str) -> pd.DataFrame:
    """Return the roles as clean columns: categories for labels, floats for scores."""
    score = parse_numbers(table[roles["score"]])
    if score.bad.any():
        row = int(score.bad.argmax())
        cells = table.iloc[row]
        model, dataset = str(cells[roles["model"]]), str(cells[roles["dataset"]])
        raise NonNumericError(
            f"The score of {model!r} on {dataset!r} in row {row + 1} of {source} (column "
            f"{roles['score']!r}) is {cells[roles['score']]!r}, which is not a number. Correct it, "
            "or leave it empty if the score is missing.",
            [model, dataset],
        )
    values = score.values
    plain = values[~score.percent]
    if score.percent.any() and np.isfinite(plain).any() and np.nanmax(plain) <= 1.0:
        values = np.where(score.percent, values / 100.0, values)
    rows = pd.DataFrame({"score": values})
    for role in ("model", "dataset"):
        rows[role] = _labels(table[roles[role]], role, roles[role], source)
    for role in ("revision", "version", "split", "subset", "task_type", "languages"):
        cells = (
            table[roles[role]] if role in roles else pd.Series([None] * len(rows), dtype="object")
        )
        rows[role] = _category(cells)
    return rows


def _category(column: pd.Series) -> pd.Categorical:
    """Return a column of text, numbers or lists of codes as categories of text."""
    if isinstance(
        next((cell for cell in column.dropna().head(1)), None), list | tuple | np.ndarray
    ):
        column = column.map(";".join, na_action="ignore")
    codes, uniques = pd.factorize(column)
    return pd.Categorical.from_codes(
        codes, pd.Index([str(cell) for cell in uniques], dtype="object")
    )


def _labels(column: pd.Series, kind: str, name: str, source: str) -> pd.Categorical:
    codes, uniques = pd.factorize(column)
    blank = codes < 0
    cleaned = [clean_name(label) for label in uniques]
    if "" in cleaned:
        blank = blank | (codes == cleaned.index(""))
    if blank.any():
        row = int(blank.argmax()) + 1
        raise InputError(
            f"The {kind} in row {row} of {source} (column {name!r}) has no name. "
            "Name it, or drop the row.",
            [f"row {row}"],
        )
    final, categories = pd.factorize(pd.array(cleaned, dtype="object"))
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


def _evaluated_splits(
    rows: pd.DataFrame, tasks: pd.DataFrame | None
) -> tuple[np.ndarray, list[Note]]:
    """Mark the rows of splits that the task metadata evaluate; note where models differ."""
    keep = np.ones(len(rows), dtype=bool)
    notes: list[Note] = []
    known: dict[str, tuple[str, ...]] = {}
    if tasks is not None and "eval_splits" in tasks.columns:
        known = tasks["eval_splits"].dropna().to_dict()
    distinct = rows[["dataset", "split"]].drop_duplicates().astype("object")
    unused = {
        (dataset, split)
        for dataset, split in zip(distinct["dataset"], distinct["split"], strict=True)
        if dataset in known and split not in known[dataset]
    }
    if unused:
        frame = pd.MultiIndex.from_arrays(
            [rows["dataset"].astype("object"), rows["split"].astype("object")]
        )
        keep = ~frame.isin(unused)
        labels = tuple(sorted({dataset for dataset, _ in unused}))
        message = (
            "Splits that the task metadata do not evaluate were left out of "
            f"{count(len(labels), 'dataset')}: {name_some(labels)}."
        )
        notes.append(Note("left-out-splits", message, labels))
    pairs = rows.loc[keep, ["model", "dataset", "split"]].drop_duplicates()
    sizes = (
        pairs.groupby(["model", "dataset"], observed=True).size().groupby("dataset", observed=True)
    )
    mixed = sizes.min() < pairs.groupby("dataset", observed=True)["split"].nunique()
    labels = tuple(str(d) for d in mixed.index[mixed] if d not in known)
    if labels:
        message = (
            f"Models were evaluated on different splits of {name_some(labels)}: their means are not "
            "comparable. Pass task metadata with eval_splits as tasks= to use the same ones."
        )
        notes.append(Note("mixed-splits", message, labels))
    return keep, notes


def _without_duplicates(
    rows: pd.DataFrame, policy: OnDuplicate, source: str
) -> tuple[pd.DataFrame, list[Note]]:
    """Leave one row per (model, dataset, split, subset)."""
    key = ["model", "dataset", "split", "subset"]
    scored = rows[rows["score"].notna()]
    repeated = scored.duplicated(key, keep=False)
    if not repeated.any():
        return rows, []
    cells = scored[repeated]
    first = cells.iloc[0]
    same = cells[(cells[key].astype("object").fillna("") == first[key].fillna("")).all(axis=1)]
    pairs = cells[["model", "dataset"]].drop_duplicates()
    model, dataset = str(first["model"]), str(first["dataset"])
    what = f"{count(len(pairs), '(model, dataset) pair')} of {source}"
    if policy == "error":
        raise DuplicateError(
            f"{what} occur more than once, first {model!r} on {dataset!r} in rows "
            f"{', '.join(str(row + 1) for row in same.index[:5])} (scores "
            f"{', '.join(f'{score:g}' for score in same['score'][:5])}). Drop the copies, add a "
            "revision column, or choose on_duplicate='latest' or 'mean'.",
            [model, dataset],
        )
    labels = tuple(dict.fromkeys(pairs["model"].astype("object")))
    if policy == "mean":
        means = scored.groupby(key, observed=True, sort=False, dropna=False)["score"].mean()
        note = Note("duplicates", f"{what} occurred more than once and were averaged.", labels)
        return means.reset_index(), [note]
    order = np.zeros(len(rows["version"].cat.categories) + 1, dtype=np.int64)
    order[:-1] = version_order(rows["version"].cat.categories)
    newest_last = scored.iloc[np.argsort(order[scored["version"].cat.codes], kind="stable")]
    message = f"{what} occurred more than once; the latest was used: the newest version, else the last row."
    return newest_last.drop_duplicates(key, keep="last"), [Note("duplicates", message, labels)]


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
