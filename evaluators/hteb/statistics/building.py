"""A long table of scores into `Scores`: paired with originals, on one scale, over known axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    MissingScoresError,
    ParameterError,
    ScaleError,
    unknown_label,
)
from robustrank.evaluators.hteb.records import MTEB_TYPES
from robustrank.evaluators.hteb.statistics.scores import TOTAL, Scores, mean_of_runs
from robustrank.evaluators.hteb.texts.transformations import AXES, ORIGINAL
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

#: The columns that name a score; those of `SEEDS` that are there tell its runs apart.
CELL: Final = ["model", "dataset", "transformation"]
SEEDS: Final = ("run", "seed", "seed_transform", "seed_evaluation")
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
    _check_unique(runs)
    is_original = runs["transformation"] == ORIGINAL
    found = _axes_of(table[~is_original], axes)
    names = [name for members in found.values() for name in members]
    notes = _left_out(runs["transformation"][~is_original], names)
    runs = _with_baseline(runs[runs["transformation"].isin(names)], runs[is_original])
    notes += _rescale(runs)
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
            f"There are {count(int(twice.sum()), 'score')} too many, the first for {place}. Tell "
            "runs apart by a column run, or drop the copies.",
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
    paired["baseline"] = paired["baseline"].fillna(found["of_run"]).fillna(found["of_pair"])
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
    runs[["score", "baseline"]] = values / 100.0
    return [Note("scale", "Scores were on 0..100 and have been divided by 100.")]


def _axes_of(
    table: pd.DataFrame, axes: Mapping[str, Sequence[str]] | None
) -> dict[str, tuple[str, ...]]:
    present = list(dict.fromkeys(table["transformation"]))
    if axes is not None:
        wanted = _checked(axes)
    elif "axis" in table.columns and table["axis"].notna().all():
        wanted = _checked(_axes_in(table))
    else:
        wanted = {axis: list(names) for axis, names in AXES.items()}
    listed = [name for names in wanted.values() for name in names]
    if axes is None:
        for name in present:
            if name not in listed:
                hint = f"the axes have {name_some(listed, 8)}; pass axes={{'My axis': [{name!r}]}}."
                raise unknown_label("transformation", name, [], none_known=hint)
    found = {axis: tuple(n for n in names if n in present) for axis, names in wanted.items()}
    if not any(found.values()):
        raise EmptyMatrixError(
            f"There is no score of a transformation on the axes {name_some(wanted)}; the table has "
            f"{name_some(map(repr, present)) or 'only originals'}. Score one, or name other axes."
        )
    return {axis: names for axis, names in found.items() if names}


def _axes_in(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return the axes that a table names, in the order of HTEB where it has them."""
    pairs = table[["axis", "transformation"]].astype(str).drop_duplicates()
    order = [name for members in AXES.values() for name in members]
    axes = sorted(dict.fromkeys(pairs["axis"]), key=_place(AXES))
    return {
        axis: sorted(pairs["transformation"][pairs["axis"] == axis], key=_place(order))
        for axis in axes
    }


def _checked(axes: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    for axis, names in axes.items():
        if isinstance(names, str):
            raise ParameterError(
                f"The axis {axis!r} needs a list of transformations; write [{names!r}].", [axis]
            )
    wanted = {str(axis): [str(name) for name in names] for axis, names in axes.items()}
    listed = [name for names in wanted.values() for name in names]
    for name in listed:
        if listed.count(name) > 1:
            raise DuplicateError(f"{name!r} is on two axes; put it on one.", [name])
    for axis in wanted:
        if axis in (*listed, TOTAL, ORIGINAL):
            raise DuplicateError(
                f"The axis {axis!r} is named like a transformation, the total or the originals; "
                "give it a name of its own.",
                [axis],
            )
    return wanted


def _place(order: Iterable[str]) -> Any:
    places = {name: place for place, name in enumerate(order)}
    return lambda name: places.get(name, len(places))


def _left_out(present: pd.Series, names: list[str]) -> list[Note]:
    others = tuple(name for name in dict.fromkeys(present) if name not in names)
    if not others:
        return []
    sentence = f"Left out, as no axis has them: {name_some(others)}."
    return [Note("left-out-transformations", sentence, others)]


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
    known = table.dropna(subset="task_type").drop_duplicates("dataset")
    types = {
        name: MTEB_TYPES.get(kind, kind)
        for name, kind in zip(known["dataset"], known["task_type"], strict=True)
    }
    return pd.Series([types.get(name, np.nan) for name in datasets], index=index, dtype=object)
