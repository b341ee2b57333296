"""Two settings, such as English and multilingual datasets: in which scores drop more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank import presenting
from robustrank._text import printable
from robustrank.errors import ParameterError, check_level
from robustrank.evaluators.hteb.statistics.gaps import COUNTS, DIFFERENCES, gap
from robustrank.evaluators.hteb.statistics.reading import Source, read_scores
from robustrank.evaluators.hteb.statistics.scores import LANGUAGE, TOTAL, over_datasets, with_axes
from robustrank.notes import Note, count, merge_notes, name_some

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.statistics.gaps import Pair
    from robustrank.evaluators.hteb.statistics.scores import Scores


@dataclass(frozen=True, eq=False, repr=False)
class SettingContrast(presenting.Result):
    """The mean drop in two settings, and how far apart they are.

    Attributes
    ----------
    table : DataFrame
        Index (``models``, ``axes``): all models or those that both settings have, with the language
        axis or without. ``delta_a`` and ``delta_b`` are the mean changes of the total, on 0..1,
        over datasets of their means over the models that have them; ``gap`` is b minus a, above 0
        where a drops more;
        ``low`` and ``high`` are its interval and ``p_value`` its test, not adjusted: the rows ask
        one question in four ways. ``n_models_a``, ``n_models_b``, ``n_datasets_a`` and
        ``n_datasets_b`` count what the means are over.
    relative : DataFrame
        Index ``model``, of those that both settings have: ``original_a``, ``total_a`` and
        ``relative_a``, the total over the original minus 1, means over the datasets on which the
        model has both; and the same of b.
    names : tuple of str
        What a and b are.
    confidence_level : float
    notes : tuple of Note
    """

    table: pd.DataFrame
    relative: pd.DataFrame
    names: tuple[str, str]
    confidence_level: float

    def in_points(self) -> pd.DataFrame:
        """Return the table with its differences in points (×100)."""
        table = self.table.copy()
        table[list(DIFFERENCES)] = 100.0 * table[list(DIFFERENCES)]
        return table

    def summary(self) -> str:
        """Return both tables, in points and per cent, for a terminal."""
        a, b = map(printable, self.names)
        lines = [
            f"a = {a}, b = {b}; changes of the total in points, gap = b minus a",
            presenting.to_text(self.in_points(), 2),
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
        return "\n".join(lines)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the gaps, and each model's relative changes."""
        return {"contrast": self.table, "relative": self.relative}

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
    language_axis: str = LANGUAGE,
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
    labels = _checked(names)
    settings = read_scores(a), read_scores(b)
    common = [model for model in settings[0].models if model in settings[1].models]
    versions: dict[str, Pair | None] = {
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
    rows = {("all", label): gap(pair, level) for label, pair in versions.items()}
    for label, pair in versions.items():
        rows["shared", label] = gap(_of_models(pair, common), level)
    table = pd.DataFrame(list(rows.values()))
    table.index = pd.MultiIndex.from_tuples(list(rows), names=["models", "axes"])
    return SettingContrast(
        table=table.astype(dict.fromkeys(COUNTS, int)),
        relative=_relative(_of_models(settings, common)),
        names=labels,
        confidence_level=level,
        notes=merge_notes(*map(_named_notes, labels, settings), notes, _spread(table)),
    )


def _checked(names: object) -> tuple[str, str]:
    given = names if isinstance(names, tuple | list) else ()
    a, b = map(str, given) if len(given) == 2 else ("", "")
    if a == b:
        raise ParameterError(
            "names must be two different names of the settings, such as names=('English', "
            f"'multilingual'), or --names English multilingual in a terminal; got {names!r}."
        )
    return a, b


def _without(pair: Pair, axis: str) -> Pair | None:
    """Return both without an axis, as far as they have it; None where nothing else is there."""
    if any(list(scores.axes) == [axis] for scores in pair):
        return None
    a, b = (scores.without(axis) if axis in scores.axes else scores for scores in pair)
    return a, b


def _of_models(pair: Pair | None, models: list[str]) -> Pair | None:
    if pair is None or not models:
        return None
    a, b = (scores.select(models=models) for scores in pair)
    return a, b


def _unlike_axes(pair: Pair) -> list[str]:
    """Return the axes that are not of the same transformations in both."""
    a, b = ({axis: set(members) for axis, members in scores.axes.items()} for scores in pair)
    return [axis for axis in {**a, **b} if a.get(axis) != b.get(axis)]


def _relative(pair: Pair | None) -> pd.DataFrame:
    columns = {}
    for side, scores in zip("ab", pair or (), strict=False):
        original, total = (
            over_datasets(with_axes(table, scores.axes))[TOTAL] for table in scores.paired()
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


def _limits(pair: Pair, common: list[str], language_axis: str) -> list[Note]:
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
    return notes


def _spread(table: pd.DataFrame) -> list[Note]:
    """Say why a gap has no interval."""
    without = table[table["gap"].notna() & table["low"].isna()]
    single = without[["n_datasets_a", "n_datasets_b"]].min(axis="columns") < 2
    notes = []
    if single.any():
        sentence = "A setting of one dataset has no spread: no interval and no test."
        notes.append(Note("one-dataset", sentence))
    if not single.all():
        sentence = (
            "In both settings, scores drop equally on all datasets, which gives no spread: no "
            "interval and no test."
        )
        notes.append(Note("no-spread", sentence))
    return notes
