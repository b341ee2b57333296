"""A long table of scores into `Scores`: paired with originals, on one scale, over known axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from robustrank.errors import DuplicateError, MissingScoresError, ScaleError
from robustrank.evaluators.hteb.records import MTEB_TYPES
from robustrank.evaluators.hteb.statistics.axes import axes_of, left_out
from robustrank.evaluators.hteb.statistics.scores import Scores, mean_of_runs
from robustrank.evaluators.hteb.texts.transformations import ORIGINAL
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The columns that name a score; those of `SEEDS` that are there tell its runs apart.
CELL: Final = ["model", "dataset", "transformation"]
SEEDS: Final = ("run", "seed", "seed_transform", "seed_evaluation")
#: The share of texts that failed, in a column that may be there.
FAILED: Final = "fallback_rate"
_PAIR: Final = ["model", "dataset"]
#: Rounding in what computed a score may take it this far beyond 1 or 100.
_TOLERANCE: Final = 1e-6


def build_scores(table: pd.DataFrame, axes: Mapping[str, Sequence[str]] | None) -> Scores:
    """Build `Scores` from a table with `CELL`, ``score`` and perhaps ``original``, as numbers."""
    _check_protocol(table)
    seeds = [name for name in SEEDS if name in table.columns]
    runs = table[[*CELL, "score"]].copy()
    of_rows = zip(*(table[name].map(str) for name in seeds), strict=True)
    runs["run"] = ["/".join(row) for row in of_rows] if seeds else "1"
    runs["baseline"] = table[ORIGINAL] if ORIGINAL in table.columns else np.nan
    runs["is_whole"] = table[FAILED].eq(0.0) if FAILED in table.columns else True
    _check_unique(runs)
    is_original = runs["transformation"] == ORIGINAL
    found = axes_of(table[~is_original], axes)
    names = [name for members in found.values() for name in members]
    notes = left_out(runs["transformation"][~is_original], names)
    runs = _with_baseline(runs[runs["transformation"].isin(names)], runs[is_original])
    notes += _rescale(runs)
    notes += _unlike_originals(runs)
    notes += _unequal_runs(runs)
    index = pd.MultiIndex.from_product([table[name].unique() for name in _PAIR], names=_PAIR)
    index = index[index.isin(pd.MultiIndex.from_frame(table[_PAIR]))]
    means = mean_of_runs(runs, CELL, ["score", "baseline"])
    transformed, baseline = (
        means[value].unstack("transformation").reindex(index=index, columns=names)  # noqa: PD010 - of a series
        for value in ("score", "baseline")
    )
    return Scores(
        transformed=transformed.rename_axis(columns="transformation"),
        baseline=baseline.rename_axis(columns="transformation"),
        runs=runs[[*CELL, "run", "score", "baseline"]],
        axes=found,
        task_types=_task_types(table, list(index.unique("dataset"))),
        notes=tuple(notes),
    )


def _check_protocol(table: pd.DataFrame) -> None:
    if "protocol" not in table.columns:
        return
    protocols = list(table["protocol"].dropna().unique())
    if len(protocols) > 1:
        raise DuplicateError(
            f"The scores follow {count(len(protocols), 'protocol')} ({name_some(protocols)}), "
            "which are not comparable. Keep the rows of one: "
            f"table[table['protocol'] == {protocols[0]!r}].",
            protocols,
        )


def _check_unique(runs: pd.DataFrame) -> None:
    twice = runs.duplicated([*CELL, "run"])
    if twice.any():
        row = runs[twice].iloc[0]
        place = f"{_place_of(row)} (run {row['run']})"
        raise DuplicateError(
            f"There is more than one score for {place}; {count(int(twice.sum()), 'score')} too "
            "many in all. Tell runs apart by a column run, or drop the copies.",
            [place],
        )


def _place_of(row: pd.Series) -> str:
    return f"{row['model']} on {row['dataset']} ({row['transformation']})"


def _with_baseline(runs: pd.DataFrame, originals: pd.DataFrame) -> pd.DataFrame:
    """Pair every score with that of the same items as they are: of its row, run or dataset."""
    of_run = originals.set_index([*_PAIR, "run"])["score"].rename("of_run")
    of_pair = mean_of_runs(originals, _PAIR, ["score"])["score"].rename("of_pair")
    paired = runs.reset_index(drop=True)
    found = paired.join(of_run, on=[*_PAIR, "run"]).join(of_pair, on=_PAIR)
    paired["of_rows"] = found["of_run"].fillna(found["of_pair"])
    paired["baseline"] = paired["baseline"].fillna(paired["of_rows"])
    if paired["baseline"].isna().all():
        raise MissingScoresError(
            "There is no score of original texts, against which to compare. Add rows whose "
            f"transformation is {ORIGINAL!r}, or a column {ORIGINAL!r}."
        )
    return paired


def _rescale(runs: pd.DataFrame) -> list[Note]:
    """Bring scores to 0..1, in place; never those of the originals alone, or of the others."""
    values = runs[["score", "baseline"]]
    largest = values.abs().max()
    beyond = values.abs().max(axis="columns") > 100.0 + _TOLERANCE
    if beyond.any():
        row = runs[beyond].iloc[0]
        raise ScaleError(
            f"The score of {_place_of(row)} is {row['score']:g}, of its original "
            f"{row['baseline']:g}; scores are on 0..1 or 0..100. Correct or drop it.",
            [_place_of(row)],
        )
    percent = largest > 1.0 + _TOLERANCE
    if not percent.any():
        return []
    if not percent.all() and largest.notna().all() and largest.min() > 0.0:
        raise ScaleError(
            f"Scores of transformed texts reach {largest['score']:g}, those of originals "
            f"{largest['baseline']:g}: one seems to be in percent, or beyond its scale. Bring "
            "both to one scale."
        )
    for level in _PAIR:
        _check_mixed(values.max(axis="columns").groupby(runs[level], sort=False).max(), level)
    runs[["score", "baseline", "of_rows"]] /= 100.0
    return [Note("scale", "Scores were on 0..100 and have been divided by 100.")]


def _check_mixed(largest: pd.Series, kind: str) -> None:
    """Refuse models or datasets on 0..1 among others in percent."""
    small = largest.index[(largest > 0.0) & (largest <= 1.0)]
    if len(small):
        raise ScaleError(
            f"The scores of {'these' if len(small) > 1 else 'this'} {kind}{'s'[: len(small) - 1]} "
            f"do not exceed 1, not even of original texts, while others reach "
            f"{largest.max():g}: {name_some(small)}. Bring all to one scale; if these are so low "
            "in percent, divide all scores by 100.",
            small,
        )


def _unlike_originals(runs: pd.DataFrame) -> list[Note]:
    """Say where a column of originals contradicts rows of originals though nothing is left out."""
    differ = runs["is_whole"] & ((runs["baseline"] - runs["of_rows"]).abs() > _TOLERANCE)
    if not differ.any():
        return []
    places = tuple(_place_of(row) for _, row in runs[differ].iterrows())
    sentence = (
        f"The column {ORIGINAL!r} was used where it differs from the rows of originals, which it "
        f"should only where items are left out: {name_some(places)}."
    )
    return [Note("unlike-originals", sentence, places)]


def _unequal_runs(runs: pd.DataFrame) -> list[Note]:
    numbers = runs.groupby(CELL, sort=False)["run"].nunique()
    few = tuple(
        f"{model} on {data} ({name})"
        for model, data, name in numbers[numbers < numbers.max()].index
    )
    if not few:
        return []
    sentence = (
        f"Scores are means over {numbers.min()} to {numbers.max()} runs; fewer than the most: "
        f"{name_some(few)}."
    )
    return [Note("unequal-runs", sentence, few)]


def _task_types(table: pd.DataFrame, datasets: list[str]) -> pd.Series:
    index = pd.Index(datasets, name="dataset")
    if "task_type" not in table.columns:
        return pd.Series(np.nan, index=index, dtype=object)
    known = table.dropna(subset="task_type")
    kinds = known["task_type"].map(lambda kind: MTEB_TYPES.get(kind, kind))
    pairs = pd.DataFrame({"dataset": known["dataset"], "kind": kinds}).drop_duplicates()
    twice = pairs[pairs["dataset"].duplicated(keep=False)]
    if len(twice):
        name = twice["dataset"].iloc[0]
        of_name = twice["kind"][twice["dataset"] == name]
        raise DuplicateError(
            f"The dataset {name!r} has the task types {name_some(of_name)}. Give it one.", [name]
        )
    return pairs.set_index("dataset")["kind"].reindex(index).astype(object).rename(None)
