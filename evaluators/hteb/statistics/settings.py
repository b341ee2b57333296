"""Two settings, such as English and multilingual datasets: in which scores drop more."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtr, stdtrit

from robustrank._numeric import TIE_DECIMALS
from robustrank._text import printable
from robustrank.errors import ParameterError, check_level
from robustrank.evaluators.hteb import presenting
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import TOTAL, Scores, over_datasets, with_axes
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from pathlib import Path

    from robustrank._numeric import FloatArray

    _Pair = tuple[Scores, Scores]

_DIFFERENCES = ("delta_a", "delta_b", "gap", "low", "high")
_COUNTS = ("n_models_a", "n_models_b", "n_datasets_a", "n_datasets_b")


class _Drop(NamedTuple):
    """The mean change of the total over models, how many they are, and that of each dataset."""

    mean: float
    n_models: int
    by_dataset: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class SettingContrast:
    """The mean drop in two settings, and how far apart they are.

    Attributes
    ----------
    table : DataFrame
        Index (``models``, ``axes``): all models or those that both settings have, with the language
        axis or without. ``delta_a`` and ``delta_b`` are the mean changes of the total, on 0..1,
        over models of their means over datasets; ``gap`` is b minus a, above 0 where a drops more;
        ``low`` and ``high`` are its interval and ``p_value`` its test, not adjusted: the rows ask
        one question in four ways. ``n_models_a``, ``n_models_b``, ``n_datasets_a`` and
        ``n_datasets_b`` count what the means are over.
    relative : DataFrame
        Index ``model``, of those that both settings have: ``original_a``, ``total_a`` and
        ``relative_a``, the total over the original minus 1; and the same of b.
    names : tuple of str
        What a and b are.
    confidence_level : float
    notes : tuple of Note
    """

    table: pd.DataFrame
    relative: pd.DataFrame
    names: tuple[str, str]
    confidence_level: float
    notes: tuple[Note, ...] = ()

    def in_points(self) -> pd.DataFrame:
        """Return the table with its differences in points (×100)."""
        table = self.table.copy()
        table[list(_DIFFERENCES)] = 100.0 * table[list(_DIFFERENCES)]
        return table

    def summary(self) -> str:
        """Return both tables, in points and per cent, and the notes, for a terminal."""
        a, b = map(printable, self.names)
        decimals = {
            **dict.fromkeys(_DIFFERENCES, 2),
            "p_value": 4,
            **dict.fromkeys(_COUNTS, 0),
        }
        lines = [
            f"a = {a}, b = {b}; changes of the total in points, gap = b minus a",
            presenting.to_text(self.in_points(), decimals),
        ]
        if len(self.relative):
            means = self.relative[["relative_a", "relative_b"]].mean()
            lines += [
                (
                    f"The {count(len(self.relative), 'model')} that both have: scores and relative "
                    f"changes in per cent, {100.0 * means['relative_a']:+.2f}% in a and "
                    f"{100.0 * means['relative_b']:+.2f}% in b on average"
                ),
                presenting.to_text(100.0 * self.relative, 2),
            ]
        return "\n".join([*lines, *map(str, self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values."""
        return {
            "names": list(self.names),
            "confidence_level": self.confidence_level,
            "table": presenting.records(self.table),
            "relative": presenting.records(self.relative),
            "notes": [note.to_dict() for note in self.notes],
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write the summary and the tables.

        Returns
        -------
        list of Path
        """
        return presenting.save(
            folder,
            text=self.summary(),
            content=self.to_dict(),
            tables={"contrast": self.table, "relative": self.relative},
            plots={},
        )

    def __repr__(self) -> str:
        first = self.in_points().iloc[0]
        return (
            f"SettingContrast: {printable(self.names[0])} {first['delta_a']:+.2f}, "
            f"{printable(self.names[1])} "
            f"{first['delta_b']:+.2f} points, gap {first['gap']:+.2f} "
            f"[{first['low']:+.2f}, {first['high']:+.2f}]"
        )


def compare_settings(
    a: Source,
    b: Source,
    *,
    names: tuple[str, str] = ("a", "b"),
    language_axis: str = "Language",
    confidence_level: float = 0.95,
) -> SettingContrast:
    """Compare by how much scores drop in two settings, such as two sets of datasets.

    Parameters
    ----------
    a, b : Scores, or what `read_scores` reads
    names : tuple of str
        What `a` and `b` are.
    language_axis : str
        The axis that is left out in half of the rows.
    confidence_level : float

    Returns
    -------
    SettingContrast
        The interval and the test are Welch's, of the means of datasets over models: the datasets
        of each setting count as drawn from more of their kind, the models as given. A gap can have
        any cause that differs between the settings, such as tasks.

    Raises
    ------
    InputError
        If a setting is out of its range, or `a` or `b` cannot be read.

    References
    ----------
    *HTEB*, Tables 5 and 25; B. L. Welch, *The generalization of "Student's" problem when several
    different population variances are involved*, Biometrika 34 (1947).
    """
    level = check_level(confidence_level)
    if len(names) != 2 or len(set(names)) != 2:
        raise ParameterError(f"names must be two different names; got {names!r}.")
    settings = read_scores(a), read_scores(b)
    common = [model for model in settings[0].models if model in settings[1].models]
    versions: dict[str, _Pair | None] = {
        f"with {language_axis}": settings,
        f"without {language_axis}": _without(settings, language_axis),
    }
    notes = _limits(settings, common, language_axis)
    for label, pair in versions.items():
        if pair and (unlike := _unlike_axes(pair)):
            versions[label] = None
            sentence = (
                f"Nothing is compared {label}, as the settings differ in {name_some(unlike)}: "
                "totals of other transformations are not of one kind."
            )
            notes.append(Note("unlike-axes", sentence, tuple(unlike)))
    rows = {("all", label): _row(pair, level) for label, pair in versions.items()}
    for label, pair in versions.items():
        rows["shared", label] = _row(_of_models(pair, common), level)
    table = pd.DataFrame(list(rows.values()))
    table.index = pd.MultiIndex.from_tuples(list(rows), names=["models", "axes"])
    return SettingContrast(
        table=table.astype(dict.fromkeys(_COUNTS, int)),
        relative=_relative(_of_models(settings, common)),
        names=(str(names[0]), str(names[1])),
        confidence_level=level,
        notes=merge_notes(*map(_named_notes, names, settings), notes),
    )


def _without(pair: _Pair, axis: str) -> _Pair | None:
    """Return both without an axis, as far as they have it; None where nothing else is there."""
    if any(list(scores.axes) == [axis] for scores in pair):
        return None
    a, b = (scores.without(axis) if axis in scores.axes else scores for scores in pair)
    return a, b


def _of_models(pair: _Pair | None, models: list[str]) -> _Pair | None:
    if pair is None or not models:
        return None
    a, b = (scores.select(models=models) for scores in pair)
    return a, b


def _unlike_axes(pair: _Pair) -> list[str]:
    """Return the axes that are not of the same transformations in both."""
    a, b = ({axis: set(members) for axis, members in scores.axes.items()} for scores in pair)
    return [axis for axis in {**a, **b} if a.get(axis) != b.get(axis)]


def _row(pair: _Pair | None, level: float) -> dict[str, float]:
    """Compare the totals of two settings; NaN where there is nothing to compare."""
    if pair is None:
        nan = dict.fromkeys((*_DIFFERENCES, "p_value"), math.nan)
        return nan | dict.fromkeys(_COUNTS, 0)
    a, b = (_drop(scores) for scores in pair)
    gap = b.mean - a.mean
    half, p_value = _welch(gap, a.by_dataset, b.by_dataset, level)
    return {
        "delta_a": a.mean,
        "delta_b": b.mean,
        "gap": gap,
        "low": gap - half,
        "high": gap + half,
        "p_value": p_value,
        "n_models_a": a.n_models,
        "n_models_b": b.n_models,
        "n_datasets_a": len(a.by_dataset),
        "n_datasets_b": len(b.by_dataset),
    }


def _drop(scores: Scores) -> _Drop:
    total = with_axes(scores.deltas(), scores.axes)[[TOTAL]].dropna()
    by_model = over_datasets(total)[TOTAL]
    by_dataset = total.groupby(level="dataset", sort=False)[TOTAL].mean()
    mean = float(by_model.mean()) if len(by_model) else math.nan
    return _Drop(mean, len(by_model), by_dataset.to_numpy(dtype=np.float64))


def _welch(gap: float, a: FloatArray, b: FloatArray, level: float) -> tuple[float, float]:
    """Return half the width of the interval of a gap, and its p-value."""
    if min(len(a), len(b)) < 2:
        return math.nan, math.nan
    parts = [float(values.var(ddof=1)) / len(values) for values in (a, b)]
    error = math.sqrt(sum(parts))
    if error < 10.0**-TIE_DECIMALS:  # no dataset differs from another
        return math.nan, math.nan
    df = sum(parts) ** 2 / sum(
        part**2 / (len(values) - 1) for part, values in zip(parts, (a, b), strict=True)
    )
    half = float(stdtrit(df, (1.0 + level) / 2.0)) * error
    return half, float(2.0 * stdtr(df, -abs(gap) / error))


def _relative(pair: _Pair | None) -> pd.DataFrame:
    columns = {}
    for side, scores in zip("ab", pair or (), strict=False):
        original, total = (
            over_datasets(with_axes(table, scores.axes))[TOTAL]
            for table in (scores.baseline, scores.transformed)
        )
        columns[f"original_{side}"] = original
        columns[f"total_{side}"] = total
        columns[f"relative_{side}"] = total / original.where(original > 0.0) - 1.0
    names = [f"{name}_{side}" for side in "ab" for name in ("original", "total", "relative")]
    table = pd.DataFrame(columns, columns=names, dtype=np.float64)
    return table.rename_axis("model")


def _named_notes(name: str, scores: Scores) -> list[Note]:
    """Say of which setting each note is."""
    return [replace(note, message=f"{name}: {note.message}") for note in scores.notes]


def _limits(pair: _Pair, common: list[str], language_axis: str) -> list[Note]:
    """Say what these settings cannot show."""
    notes = []
    if not common:
        sentence = "The settings have no model in common; rows of shared models are empty."
        notes.append(Note("no-shared-models", sentence))
    if not any(language_axis in scores.axes for scores in pair):
        sentence = (
            f"Neither setting has the axis {language_axis!r}: rows with and without are the same."
        )
        notes.append(Note("no-language-axis", sentence, (language_axis,)))
    both = [name for name in pair[0].datasets if name in pair[1].datasets]
    if both:
        sentence = (
            f"Both settings have {name_some(both)}, which count as independent of each other: the "
            "intervals can be too wide."
        )
        notes.append(Note("shared-datasets", sentence, tuple(both)))
    if any(len(scores.datasets) < 2 for scores in pair):
        sentence = "A setting of one dataset has no spread: no interval and no test."
        notes.append(Note("one-dataset", sentence))
    return notes
