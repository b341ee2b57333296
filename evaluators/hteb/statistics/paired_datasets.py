"""The same texts in two versions, such as a dataset and its translation: where models drop more."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from robustrank import presenting
from robustrank._text import printable
from robustrank.errors import EmptyMatrixError, ParameterError, check_level
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import with_axes
from robustrank.evaluators.hteb.statistics.signed_ranks import signed_ranks
from robustrank.notes import Note, count, merge_notes, name_some

_IN_POINTS = ["delta_first", "delta_second", "difference", "estimate", "low", "high"]


@dataclass(frozen=True, eq=False, repr=False)
class DatasetContrast(presenting.Result):
    """What transformations change on two datasets, for the same models.

    Attributes
    ----------
    table : DataFrame
        Index ``part``: transformations, axes and total. ``delta_first`` and ``delta_second`` are
        the mean changes over models, on 0..1; ``difference`` is second minus first, above 0 where
        the first drops more; ``estimate``, ``low`` and ``high`` are Hodges and Lehmann's shift of
        the models' differences with its interval, and ``p_value`` is of Wilcoxon's signed-rank
        test, after Holm over the rows, ``p_unadjusted`` before; ``n_models``.
    by_model : DataFrame
        Model × part: the difference of each model.
    first, second : str
        The datasets.
    confidence_level : float
    notes : tuple of Note
    """

    table: pd.DataFrame
    by_model: pd.DataFrame
    first: str
    second: str
    confidence_level: float

    def in_points(self) -> pd.DataFrame:
        """Return the table with its differences in points (×100)."""
        table = self.table.copy()
        table[_IN_POINTS] = 100.0 * table[_IN_POINTS]
        return table

    def summary(self) -> str:
        """Return the table in points, for a terminal."""
        return f"{self!r}, in points\n{presenting.to_text(self.in_points())}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the means over models, and each model's difference."""
        return {"contrast": self.table, "by_model": self.by_model}

    def __repr__(self) -> str:
        return (
            f"DatasetContrast: {printable(self.second)} minus {printable(self.first)}, "
            f"{count(len(self.by_model), 'model')}"
        )


def compare_datasets(
    source: Source, first: str, second: str, *, confidence_level: float = 0.95
) -> DatasetContrast:
    """Compare what transformations change on two datasets, over the models that have both.

    Parameters
    ----------
    source : Scores, or what `read_scores` reads
    first, second : str
        Two datasets whose texts are alike but for one property, such as their language.
    confidence_level : float

    Returns
    -------
    DatasetContrast
        The models are the units: the intervals and tests are about other models on these two
        datasets, and say nothing of other datasets.

    Raises
    ------
    UnknownLabelError
        If a dataset is not there.
    EmptyMatrixError
        If no model has both.
    ParameterError
        If both are the same, or the level is out of its range.

    References
    ----------
    *HTEB* §4.2.2, STS-B and its German translation.
    """
    level = check_level(confidence_level)
    first, second = str(first), str(second)
    if first == second:
        raise ParameterError(f"Name two different datasets to compare; got {first!r} twice.")
    scores = read_scores(source, datasets=[first, second])
    deltas = with_axes(scores.deltas(), scores.axes)
    a, b = (pd.DataFrame(deltas.xs(name, level="dataset")) for name in (first, second))
    both = [model for model in scores.models if model in a.index and model in b.index]
    if not both:
        raise EmptyMatrixError(
            f"No model has scores on both {first!r} and {second!r}. Score one on both.",
            [first, second],
        )
    single = [model for model in scores.models if model not in both]
    by_model = (b.loc[both] - a.loc[both]).rename_axis(index="model", columns="part")
    table, limits = signed_ranks(by_model, level, "model")
    known = by_model.notna()
    table.insert(0, "delta_first", a.loc[both].where(known).mean())
    table.insert(1, "delta_second", b.loc[both].where(known).mean())
    table.insert(2, "difference", by_model.mean())
    return DatasetContrast(
        table=table.rename(columns={"n": "n_models"}),
        by_model=by_model,
        first=first,
        second=second,
        confidence_level=level,
        notes=merge_notes(scores.notes, _account(single), limits),
    )


def _account(single: list[str]) -> list[Note]:
    sentence = (
        "Models are the units: this is about other models on these two datasets, not about other "
        "datasets."
    )
    notes = [Note("two-datasets", sentence)]
    if single:
        sentence = f"Left out, with scores on one dataset only: {name_some(single)}."
        notes.append(Note("one-dataset-only", sentence, tuple(single)))
    return notes
