"""`ScoreMatrix`: a validated model × dataset table of scores with its metadata and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._checks import as_numeric, check_labels, label_array
from robustrank._metadata import DATASET_FIELDS, MODEL_FIELDS, align_metadata, unmatched
from robustrank._missing import Missing, apply_policy, lost_task_types
from robustrank._scale import Direction, Scale, checked_direction, leave_out, rescale, reverse
from robustrank._select import matching, with_language
from robustrank.errors import EmptyMatrixError, ParameterError
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike


class ScoreMatrix:
    """A model × dataset table of scores, validated, on 0..1 and with higher being better.

    Parameters
    ----------
    scores : DataFrame or array_like, shape (m, n)
        Rows are models, columns datasets; NaN marks a missing score. Every column is taken for a
        dataset: tables with ranks, means or metadata beside the scores are for `robustrank.read`.
    datasets, models : DataFrame, optional
        Metadata indexed by dataset or model name. Known fields are ``task_type``, ``languages``
        (ISO 639-3 codes), ``metric`` and ``n_instances`` for datasets; ``n_parameters``,
        ``open_weights``, ``zero_shot`` (share of the benchmark that the model was not trained on,
        0..1) and ``price`` for models. Other columns are kept as they are.
    direction : mapping, optional
        ``{"WER": "min"}`` for a dataset on which lower is better; `None` instead of ``"min"``
        leaves the dataset out of every ranking.
    scale : {"auto", "unit", "percent"}
        Whether scores are on 0..1 or 0..100; ``"auto"`` decides for the matrix as a whole.
    notes : iterable of Note
        Remarks to carry along.

    Attributes
    ----------
    scores : DataFrame, shape (m, n)
        Index ``model``, columns ``dataset``, float64.
    datasets, models : DataFrame
        One row per dataset or model, in the order of `scores`. `datasets` has a column
        ``direction``: ``"min"`` where the given scores were reversed.
    notes : tuple of Note

    Raises
    ------
    InputError
        A subclass that names the row, the column and the remedy.
    """

    __slots__ = ("datasets", "models", "notes", "scores")

    scores: pd.DataFrame
    datasets: pd.DataFrame
    models: pd.DataFrame
    notes: tuple[Note, ...]

    def __init__(
        self,
        scores: pd.DataFrame | ArrayLike,
        datasets: pd.DataFrame | None = None,
        models: pd.DataFrame | None = None,
        *,
        direction: Direction | None = None,
        scale: Scale = "auto",
        notes: Iterable[Note] = (),
    ) -> None:
        table = check_labels(scores if isinstance(scores, pd.DataFrame) else label_array(scores))
        ways = checked_direction(direction, table.columns)
        ranked, left_out_notes = leave_out(table, ways)
        if ranked.shape[1] == 0:
            raise EmptyMatrixError("direction=None leaves out every dataset; keep at least one.")
        scaled, scale_notes = rescale(as_numeric(ranked), scale, ways)
        lower = [name for name in scaled.columns if ways.get(name) == "min"]
        self.scores, reverse_notes = reverse(scaled, lower)
        self.datasets = align_metadata(datasets, ranked.columns, DATASET_FIELDS, "dataset")
        self.datasets["direction"] = ["min" if d in lower else "max" for d in ranked.columns]
        self.models = align_metadata(models, ranked.index, MODEL_FIELDS, "model")
        self.notes = merge_notes(
            notes,
            left_out_notes,
            scale_notes,
            reverse_notes,
            unmatched(datasets, table.columns, "dataset"),
            unmatched(models, table.index, "model"),
        )

    @classmethod
    def coerce(cls, scores: ScoreMatrix | pd.DataFrame | ArrayLike) -> ScoreMatrix:
        """Return `scores` itself if it is a `ScoreMatrix`, else a new one built from it."""
        return scores if isinstance(scores, ScoreMatrix) else cls(scores)

    def _replace(
        self,
        scores: pd.DataFrame | None = None,
        *,
        models: list[str] | None = None,
        datasets: list[str] | None = None,
        notes: Iterable[Note] = (),
    ) -> ScoreMatrix:
        """Return a matrix with other scores, or some of the models and datasets, and more notes."""
        new = object.__new__(ScoreMatrix)
        table = self.scores if scores is None else scores
        rows = list(table.index) if models is None else models
        columns = list(table.columns) if datasets is None else datasets
        new.scores = table.loc[rows, columns]
        new.models, new.datasets = self.models.loc[rows], self.datasets.loc[columns]
        new.notes = merge_notes(self.notes, notes)
        return new

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of models and datasets."""
        return self.scores.shape

    @property
    def coverage(self) -> float:
        """Share of the cells that hold a score."""
        return float(self.scores.notna().to_numpy().mean())

    @property
    def is_complete(self) -> bool:
        """Whether every cell holds a score."""
        return not bool(self.scores.isna().to_numpy().any())

    def __repr__(self) -> str:
        m, n = self.shape
        noted = f", {count(len(self.notes), 'note')}" if self.notes else ""
        filled = np.floor(self.coverage * 1000) / 10  # never says 100% of an incomplete matrix
        size = f"{count(m, 'model')} × {count(n, 'dataset')}"
        return f"ScoreMatrix({size}, {filled:g}% filled{noted})"

    def arrange(self, *, models: list[str], datasets: list[str]) -> ScoreMatrix:
        """Return these models and datasets in this order, without a note."""
        return self._replace(models=models, datasets=datasets)

    def with_notes(self, *notes: Note) -> ScoreMatrix:
        """Return the same matrix carrying further notes."""
        return self._replace(notes=notes)

    def with_direction(self, direction: Direction) -> ScoreMatrix:
        """Return the matrix with ``"min"`` datasets reversed and `None` datasets left out.

        A dataset that was already reversed when the matrix was built stays as it is.

        Raises
        ------
        ParameterError
            If a reversed dataset is said to be ``"max"``, or if the scale of the whole matrix was
            judged by a dataset that turns out to be ``"min"``: build the matrix with `direction`.
        """
        ways = checked_direction(direction, self.scores.columns)
        reversed_already = self.datasets.index[self.datasets["direction"] == "min"]
        back = [name for name in reversed_already if ways.get(name) == "max"]
        if back:
            raise ParameterError(
                f"{name_some(back)}: reversed already when the matrix was built. Build it again "
                "from the scores with the direction you want.",
                back,
            )
        kept, left_out_notes = leave_out(self.scores, ways)
        if kept.shape[1] == 0:
            raise EmptyMatrixError("direction=None leaves out every dataset; keep at least one.")
        lower = [
            name
            for name in kept.columns
            if ways.get(name) == "min" and self.datasets.loc[name, "direction"] == "max"
        ]
        others = kept.drop(columns=lower).max().max()
        if lower and any(note.code == "scale" for note in self.notes) and others <= 0.01:
            raise ParameterError(
                f"The scores were taken for percent because of {name_some(lower)}, which is not a "
                "score. Build the matrix from the scores with direction=.",
                lower,
            )
        turned, reverse_notes = reverse(kept, lower)
        new = self._replace(turned, notes=[*left_out_notes, *reverse_notes])
        new.datasets = new.datasets.copy()
        new.datasets.loc[lower, "direction"] = "min"
        return new

    def select(
        self,
        *,
        models: str | Iterable[str] | None = None,
        datasets: str | Iterable[str] | None = None,
        task_type: str | Iterable[str] | None = None,
        language: str | Iterable[str] | None = None,
        open_weights: bool | None = None,
        zero_shot: bool | None = None,
        max_parameters: float | None = None,
    ) -> ScoreMatrix:
        """Return the part of the matrix that meets every condition.

        Parameters
        ----------
        models, datasets : str or iterable of str, optional
            Names, or patterns with ``*`` and ``?`` as in file names.
        task_type, language : str or iterable of str, optional
            Keep datasets of any of these task types, or that include any of these languages
            (ISO 639-3 codes such as ``"eng"``). Case does not matter.
        open_weights : bool, optional
            Keep models whose weights are (or are not) open.
        zero_shot : bool, optional
            Keep models trained on none (or on some) of the benchmark's datasets.
        max_parameters : float, optional
            Keep models with at most this many parameters.

        Returns
        -------
        ScoreMatrix
            With a note that counts what was kept, and names models whose metadata are unknown.

        Raises
        ------
        UnknownLabelError
            If a name, task type or language does not occur.
        EmptyMatrixError
            If no model or no dataset meets all conditions.
        """
        columns = matching(self.scores.columns, datasets, "dataset")
        types = self.datasets["task_type"]
        if task_type is not None:
            wanted = matching(types.dropna().unique(), task_type, "task type", fold=True)
            fits = types.isin(wanted)
            columns = [name for name in columns if fits[name]]
        if language is not None:
            spoken = with_language(self.datasets["languages"], language)
            columns = [name for name in columns if name in spoken]
        rows = matching(self.scores.index, models, "model")
        notes: list[Note] = []
        for field, keep in (
            ("open_weights", None if open_weights is None else lambda v: bool(v) == open_weights),
            ("zero_shot", None if zero_shot is None else lambda v: (float(v) >= 1.0) == zero_shot),
            ("n_parameters", None if max_parameters is None else lambda v: v <= max_parameters),
        ):
            if keep is None:
                continue
            values = self.models.loc[rows, field]
            unknown = tuple(values.index[values.isna()])
            rows = [name for name in rows if not pd.isna(values[name]) and keep(values[name])]
            if unknown:
                message = f"{count(len(unknown), 'model')} left out because {field} is unknown: "
                notes.append(Note("unknown-metadata", f"{message}{name_some(unknown)}.", unknown))
        if not rows or not columns:
            raise EmptyMatrixError(
                f"The selection leaves {count(len(rows), 'model')} and "
                f"{count(len(columns), 'dataset')} of {self.shape[0]} × {self.shape[1]}; "
                "loosen a condition."
            )
        if (len(rows), len(columns)) != self.shape:
            message = (
                f"Selected {len(rows)} of {count(self.shape[0], 'model')} and {len(columns)} of "
                f"{count(self.shape[1], 'dataset')}."
            )
            notes.insert(0, Note("selection", message))
        return self._replace(models=rows, datasets=columns, notes=notes)

    def resolve_missing(self, policy: Missing = "drop-models") -> ScoreMatrix:
        """Apply a missing-data policy, after setting aside models and datasets without any score.

        Parameters
        ----------
        policy : {"drop-models", "drop-datasets", "error", "keep"}
            Drop the models (or the datasets) with a missing score, refuse, or leave the holes.

        Returns
        -------
        ScoreMatrix
            With notes naming everything that was dropped.

        Raises
        ------
        MissingScoresError
            If `policy` is ``"error"`` and a score is missing.
        EmptyMatrixError
            If fewer than two models or no dataset would be left.
        """
        kept, notes = apply_policy(self.scores, policy)
        notes += lost_task_types(self.datasets["task_type"], kept.columns)
        return self._replace(models=list(kept.index), datasets=list(kept.columns), notes=notes)
