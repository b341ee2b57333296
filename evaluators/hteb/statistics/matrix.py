"""Scores by transformation as a matrix that the rest of the package ranks, clusters and models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

import pandas as pd

from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.evaluators.hteb.statistics.reading import read_scores
from robustrank.evaluators.hteb.statistics.scores import TOTAL, with_axes
from robustrank.matrix import ScoreMatrix
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.statistics.reading import Source
    from robustrank.evaluators.hteb.statistics.scores import Scores

Value = Literal["score", "delta", "relative"]
By = Literal["transformation", "axis", "total"]

#: Larger changes are cut to this size: they arise where an original is near 0 or scores, such as
#: correlations, turn negative; one of them would decide a mean over columns.
_LARGEST: Final = 1.0


def matrix(source: Source, value: Value = "score", by: By = "transformation") -> ScoreMatrix:
    """Return models × (dataset, transformation), for `robustrank.analyze` and what it consists of.

    Parameters
    ----------
    source : Scores, Evaluation, DataFrame, str or Path
        As `read_scores` takes it.
    value : {"score", "delta", "relative"}
        The score on the transformed texts; how far it is above that of the originals; or the latter
        as a share of the original's score, NaN where that is not above 0. A drop is negative, so
        that higher is better in all three. Changes beyond -1..1, such as a share of an original
        near 0, are set to -1 or 1, with a note.
    by : {"transformation", "axis", "total"}
        A column per dataset and transformation, per dataset and axis, or per dataset.

    Returns
    -------
    ScoreMatrix
        The columns are called ``"dataset: transformation"``. `ScoreMatrix.datasets` has
        ``task_type``, ``dataset``, ``axis`` and ``transformation``, as far as `by` tells them
        apart.

    Raises
    ------
    EmptyMatrixError
        If no value is defined.
    ParameterError
        If `value` or `by` is unknown.

    Notes
    -----
    The columns of one dataset are about the same texts. Draw whole datasets to allow for that:
    ``rr.paired_bootstrap(m, resampling="clusters", clusters=m.datasets["dataset"])``.
    """
    for name, given, known in (("value", value, get_args(Value)), ("by", by, get_args(By))):
        if given not in known:
            raise ParameterError(f"{name} must be one of {', '.join(known)}; got {given!r}.")
    scores = read_scores(source)
    table = _values(scores, value)
    axes_of: dict[str, dict[str, str | None]] = {
        "transformation": {name: axis for axis, names in scores.axes.items() for name in names},
        "axis": {axis: axis for axis in scores.axes},
        "total": {TOTAL: None},
    }
    axis_of = axes_of[by]
    about = pd.DataFrame(
        [(dataset, part) for dataset in scores.datasets for part in axis_of],
        columns=["dataset", by],
    )
    wide = pd.DataFrame(table.unstack("dataset"))  # noqa: PD010 - of all columns
    wide = wide.swaplevel(axis="columns").reindex(scores.models)[
        list(about.itertuples(index=False, name=None))
    ]
    if wide.isna().to_numpy().all():
        raise EmptyMatrixError(
            f"No {value} is defined: every cell lacks a score of some transformation, or its "
            "original's score is not above 0. Choose another value, axes or datasets."
        )
    about["task_type"] = about["dataset"].map(scores.task_types)
    if by == "total":
        about.index = pd.Index(about["dataset"])
        about = about.drop(columns=TOTAL)
    else:
        about.index = pd.Index(about["dataset"] + ": " + about[by])
        about["axis"] = about[by].map(axis_of)
    wide.columns = about.index
    clipped: list[Note] = []
    if value != "score":
        wide, clipped = _clipped(wide)
    return ScoreMatrix(
        wide,
        datasets=about,
        scale="unit",
        notes=merge_notes(scores.notes, clipped, _undefined(wide, value), _dependence(scores, by)),
    )


def _values(scores: Scores, value: Value) -> pd.DataFrame:
    """Return (model, dataset) × part."""
    after, before = (with_axes(t, scores.axes) for t in (scores.transformed, scores.baseline))
    if value == "score":
        return after
    change = after - before
    return change / before.where(before > 0.0) if value == "relative" else change


def _clipped(wide: pd.DataFrame) -> tuple[pd.DataFrame, list[Note]]:
    """Return changes of at most 1 in size, and a note on which were larger."""
    beyond = wide.abs() > _LARGEST
    cells = _cells(beyond)
    if not cells:
        return wide, []
    columns = [str(column) for column in wide.columns[beyond.any()]]
    sentence = (
        f"Changes beyond -1..1 are set to -1 or 1, {count(len(cells), 'cell')} of "
        f"{name_some(columns)}: originals there are near 0, or scores turn negative. Leave out "
        "these datasets if they decide a ranking."
    )
    return wide.clip(-_LARGEST, _LARGEST), [Note("clipped", sentence, cells)]


def _cells(marked: pd.DataFrame) -> tuple[str, ...]:
    """Name the cells that are marked, column by column."""
    return tuple(f"{model} ({name})" for name in marked for model in marked.index[marked[name]])


def _undefined(wide: pd.DataFrame, value: Value) -> list[Note]:
    cells = _cells(wide.isna())
    if not cells:
        return []
    what = "relative change" if value == "relative" else value
    sentence = f"There is no {what} in {count(len(cells), 'cell')}: {name_some(cells)}."
    return [Note("undefined-scores", sentence, cells)]


def _dependence(scores: Scores, by: By) -> list[Note]:
    """Warn that columns of one dataset go together; nothing else would say so to `analyze`."""
    if by == "total" or len(scores.axes if by == "axis" else scores.transformations) == 1:
        return []
    sentence = (
        "Columns of one dataset are about the same texts and not independent: intervals that draw "
        "columns are too narrow. Draw datasets: rr.paired_bootstrap(m, resampling='clusters', "
        "clusters=m.datasets['dataset'])."
    )
    return [Note("dependent-columns", sentence)]
