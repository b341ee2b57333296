"""`summarise_ratings`: how good raters find each transformation, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from robustrank import figures
from robustrank.errors import ParameterError, check_level, unknown_label
from robustrank.evaluators.hteb.ratings.agreement import gwet_ac2
from robustrank.evaluators.hteb.ratings.parts import parts_of, with_names
from robustrank.evaluators.hteb.ratings.questions import SIMILARITY, scale_of
from robustrank.evaluators.hteb.ratings.reading import Ratings, as_matrix, coerce
from robustrank.figures.accessor import Plots
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.presenting import Result, to_text
from robustrank.presenting import level as in_percent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.axes import Axes

#: Items below which nothing is certain.
_FEW = 5


@dataclass(frozen=True, eq=False)
class RatingSummary(Result):
    """Mean ratings and agreement, as in Tables 2 and 3 of *HTEB*.

    Attributes
    ----------
    table : DataFrame
        By ``part`` and ``criterion``; a part is an axis, then its transformations, and at last
        ``"overall"``, as ``level`` says. ``mean`` and ``sd`` (sample) are over single ratings,
        those of an axis over all of its. ``low`` and ``high`` are an interval of the mean for other
        items, rated by the same people, within the scale; NaN where all items are rated alike,
        which does not say how others are. ``ac2``, ``ac2_low`` and ``ac2_high``
        are Gwet's AC2 with ordinal weights. ``n_items``, ``n_ratings``. ``accepted``: the mean
        reaches the threshold; ``certain``: so does ``low``, of at least 5 items.
    threshold, confidence_level : float
    notes : tuple of Note
    """

    table: pd.DataFrame
    threshold: float
    confidence_level: float

    @property
    def plot(self) -> RatingPlots:
        """Figures: ``plot("means", criterion="quality")`` or ``plot.means(...)``."""
        return RatingPlots(self)

    @property
    def criteria(self) -> list[str]:
        """What was rated."""
        return [str(name) for name in self.table.index.unique("criterion")]

    def of(self, criterion: str) -> pd.DataFrame:
        """Return the rows of a criterion, by part."""
        if criterion not in self.criteria:
            raise unknown_label("criterion", criterion, self.criteria)
        own = self.table.index.get_level_values("criterion") == criterion
        return self.table[own].droplevel("criterion")

    def summary(self) -> str:
        """Return the findings as text for a terminal."""
        lines = []
        for criterion in self.criteria:
            own = self.of(criterion)
            overall = own.iloc[-1]
            parts = own[own["level"] == "transformation"]
            ratings = count(int(overall["n_ratings"]), "rating")
            texts = count(int(overall["n_items"]), "text")
            lines += [
                f"{criterion}: mean {overall['mean']:.2f} over {ratings} of {texts}.",
                f"  {self._verdict(parts)}",
                "",
                to_text(_shown(own), 2),
                "",
            ]
        return "\n".join(lines).rstrip()

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table by the name of its file."""
        return {"ratings": self.table}

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return what draws each figure, by the name of its file."""
        return {f"means-{name}": partial(self.plot.means, criterion=name) for name in self.criteria}

    def _verdict(self, parts: pd.DataFrame) -> str:
        interval = f"{in_percent(self.confidence_level)} interval"
        below = list(parts.index[~parts["accepted"]])
        unsure = list(parts.index[parts["accepted"] & ~parts["certain"]])
        said = (
            [f"Below the threshold of {self.threshold:g}: {name_some(below, 12)}."] if below else []
        )
        if unsure:
            said.append(
                f"Accepted, but the {interval} reaches below {self.threshold:g}, or there are too "
                f"few texts or none that differ: {name_some(unsure, 12)}."
            )
        if not said:
            what = "The transformation is" if len(parts) == 1 else "All transformations are"
            return f"{what} accepted, with the {interval} at or above {self.threshold:g} too."
        return " ".join(said)

    def __repr__(self) -> str:
        parts = self.table.index.unique("part")
        return f"RatingSummary({len(parts)} parts × {len(self.criteria)} criteria)"


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    names = {"ac2": "AC2", "ac2_low": "AC2 low", "ac2_high": "AC2 high", "sd": "SD"}
    names |= {"n_items": "items", "n_ratings": "ratings"}
    return table.drop(columns=["level", "accepted", "certain"]).rename(columns=names)


class RatingPlots(Plots[Literal["means"]]):
    """Figures of rating summaries.

    Parameters
    ----------
    result : RatingSummary
    """

    def __init__(self, result: RatingSummary) -> None:
        self._result = result

    def means(self, ax: Axes | None = None, *, criterion: str | None = None) -> Axes:
        """Draw mean ratings with their intervals and the threshold of one criterion."""
        name = self._result.criteria[0] if criterion is None else criterion
        table = self._result.of(name)
        return figures.intervals(
            table.rename(columns={"mean": "estimate"}),
            ax,
            reference=self._result.threshold,
            label=f"mean rating of {name} (dashed: accepted from here)",
            noun="part",
        )


def summarise_ratings(
    ratings: Ratings | str | Path | pd.DataFrame,
    *,
    threshold: float = 3.0,
    confidence_level: float = 0.95,
) -> RatingSummary:
    """Average ratings per transformation, per axis and overall, with the agreement of raters.

    Parameters
    ----------
    ratings : Ratings, str, Path or DataFrame
        Or what `read_ratings` reads. The items' ``transformation`` must be known; ``axis`` is that
        of *HTEB* where it is not given. Translation and cross-translation are one part.
    threshold : float
        From which mean a transformation is accepted.
    confidence_level : float

    Returns
    -------
    RatingSummary

    Raises
    ------
    InputError
        If the ratings cannot be read, or do not say which transformation an item is of.

    Notes
    -----
    The interval of a mean takes items as the units, whose ratings depend on each other: a ratio
    estimate over clusters with Student's t (W. G. Cochran, *Sampling Techniques*, 3rd edition
    (1977), §6.3); with equally many ratings per item, the t interval of the items' means. It does
    not cover what other raters would say.

    References
    ----------
    *HTEB* (2026), §2.4 and Table 2.
    """
    if (
        isinstance(threshold, bool)
        or not isinstance(threshold, Real)
        or not np.isfinite(float(threshold))
    ):
        raise ParameterError(f"threshold must be a number, such as 3; got {threshold!r}.")
    share = check_level(confidence_level)
    read = coerce(ratings)
    if SIMILARITY in read.criteria and len(read.criteria) > 1:
        others = name_some(name for name in read.criteria if name != SIMILARITY)
        raise ParameterError(
            f"There are ratings of {others} and of {SIMILARITY}: of texts and of pairs. Read each "
            "survey by itself.",
            read.criteria,
        )
    known, notes = with_names(read.table, ["transformation"])
    rows: list[dict[str, Any]] = []
    for part, kind, own in parts_of(known):
        for criterion, given in own.groupby("criterion", sort=False):
            row, found = _row(given, str(criterion), float(threshold), share)
            rows.append({"part": part, "criterion": criterion, "level": kind, **row})
            notes += [Note(note.code, f"{part}, {criterion}: {note.message}") for note in found]
    table = pd.DataFrame(rows).set_index(["part", "criterion"])
    return RatingSummary(
        table, float(threshold), share, notes=merge_notes(read.notes, notes, _uncertain(table))
    )


def _uncertain(table: pd.DataFrame) -> list[Note]:
    """Say of which transformations nothing can be certain, whatever their mean."""
    names = table.index.get_level_values("part")
    own = (table["level"] != "axis").to_numpy()
    few = (table["n_items"] < _FEW).to_numpy()
    alike = (table["low"].isna() & (table["n_items"] > 1)).to_numpy()
    notes = []
    if (few & own).any():
        labels = tuple(dict.fromkeys(names[few & own]))
        sentence = f"Fewer than {_FEW} texts, of which nothing is certain: {name_some(labels, 12)}."
        notes.append(Note("few-items", sentence, labels))
    if (alike & own).any():
        labels = tuple(dict.fromkeys(names[alike & own]))
        sentence = (
            "All texts are rated alike, which does not say how far others would differ: no "
            f"interval of {name_some(labels, 12)}."
        )
        notes.append(Note("rated-alike", sentence, labels))
    return notes


def _row(
    given: pd.DataFrame, criterion: str, threshold: float, level: float
) -> tuple[dict[str, Any], list[Note]]:
    values = given["rating"].to_numpy(dtype=np.float64)
    mean = float(values.mean())
    lowest, highest = scale_of(criterion)
    low, high = np.clip(_interval(given, mean, level), lowest, highest)
    agreement = gwet_ac2(
        as_matrix(given), categories=range(lowest, highest + 1), confidence_level=level
    )
    row = {
        "mean": mean,
        "sd": float(values.std(ddof=1)) if len(values) > 1 else np.nan,
        "low": float(low),
        "high": float(high),
        "ac2": agreement.coefficient,
        "ac2_low": agreement.low,
        "ac2_high": agreement.high,
        "n_items": int(given["item"].nunique()),
        "n_ratings": len(values),
        "accepted": mean >= threshold,
        "certain": bool(low >= threshold and given["item"].nunique() >= _FEW),
    }
    return row, list(agreement.notes)


def _interval(given: pd.DataFrame, mean: float, level: float) -> tuple[float, float]:
    items = given.groupby("item", sort=False)["rating"].agg(["sum", "size"])
    n = len(items)
    if n < 2:
        return np.nan, np.nan
    means = (items["sum"] / items["size"]).to_numpy()
    if (means == means[0]).all():  # no spread, which is no certainty
        return np.nan, np.nan
    deviations = (items["sum"] - mean * items["size"]).to_numpy() / items["size"].mean()
    se = np.sqrt((deviations**2).sum() / (n * (n - 1.0)))
    reach = float(stdtrit(n - 1, 0.5 + level / 2.0)) * se
    return float(mean - reach), float(mean + reach)
