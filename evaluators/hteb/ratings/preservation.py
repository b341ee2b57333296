"""`label_preservation`: whether two texts are as similar after a transformation as before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank._numeric import TIE_DECIMALS, content_order
from robustrank._percentiles import percentile_interval
from robustrank.errors import (
    EmptyMatrixError,
    ParameterError,
    ScaleError,
    UnknownLabelError,
    check_count,
    check_level,
    check_seed,
    unknown_label,
)
from robustrank.evaluators.hteb.presenting import records, save, to_text
from robustrank.evaluators.hteb.ratings.pairs import ORIGINAL, TRANSFORMED
from robustrank.evaluators.hteb.ratings.questions import SIMILARITY, scale_of
from robustrank.evaluators.hteb.ratings.reading import Ratings, coerce
from robustrank.figures.accessor import Plots
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.resampling.draws import draw_counts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray

GOLD = "gold"
#: What is compared, in the order of Table 13.
_PAIRINGS = ((TRANSFORMED, ORIGINAL), (TRANSFORMED, GOLD), (ORIGINAL, GOLD))
#: Percentile intervals over fewer pairs hold the truth clearly less often than they say.
_FEW = 20


@dataclass(frozen=True, eq=False)
class LabelPreservation:
    """How far ratings of similarity change, as in Tables 4 and 13 of *HTEB*.

    Attributes
    ----------
    means : DataFrame
        By transformation: mean over pairs of ``transformed``, ``original`` and ``gold``, and
        ``n_pairs`` and ``n_ratings``. The rating of a pair is the mean over its raters.
    differences : DataFrame
        By ``transformation`` and ``comparison`` (``"transformed vs original"`` and so on):
        ``difference``, the mean of the first less the second; ``mad``, the mean absolute
        difference; ``within``, the share of pairs that differ by at most one point. Each has a
        percentile interval over resampled pairs: ``difference_low``, ``mad_high`` and the like.
        What people and gold disagree on for pairs as they are says how much of it is noise.
    confidence_level : float
    notes : tuple of Note
    """

    means: pd.DataFrame
    differences: pd.DataFrame
    confidence_level: float
    notes: tuple[Note, ...] = ()

    @property
    def plot(self) -> PreservationPlots:
        """Figures: ``plot("differences")`` or ``plot.differences()``."""
        return PreservationPlots(self)

    def summary(self) -> str:
        """Return the findings as text for a terminal."""
        main = self.differences.xs(_named(*_PAIRINGS[0]), level="comparison")
        noise = self.differences.xs(_named(*_PAIRINGS[2]), level="comparison")["mad"].to_dict()
        lines = [f"Similarity from 0 to 5 of {count(int(self.means['n_pairs'].max()), 'pair')}."]
        for name, row in main.iterrows():
            people = "" if np.isnan(noise[name]) else f"; people and gold: {noise[name]:.2f} apart"
            lines.append(
                f"  {name}: {row['mad']:.2f} apart on average "
                f"[{row['mad_low']:.2f}, {row['mad_high']:.2f}], {row['within']:.1%} within a "
                f"point, shifted by {row['difference']:+.2f} "
                f"[{row['difference_low']:+.2f}, {row['difference_high']:+.2f}]{people}."
            )
        apart = self.differences[["difference", "mad", "within", "n_pairs"]]
        lines += ["", to_text(self.means, 2), "", to_text(apart, 2, signed=["difference"])]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as JSON-safe values."""
        return {
            "confidence_level": self.confidence_level,
            "means": records(self.means),
            "differences": records(self.differences),
            "notes": [note.to_dict() for note in self.notes],
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write summary, results, tables and the figure into a folder; return their paths."""
        return save(
            folder,
            text=self.summary(),
            content=self.to_dict(),
            tables={"means": self.means, "differences": self.differences},
            plots={"differences": self.plot.differences},
        )

    def __repr__(self) -> str:
        return f"LabelPreservation({', '.join(map(str, self.means.index))})"


class PreservationPlots(Plots[Literal["differences"]]):
    """Figures of label preservation.

    Parameters
    ----------
    result : LabelPreservation
    """

    def __init__(self, result: LabelPreservation) -> None:
        self._result = result

    def differences(self, ax: Axes | None = None) -> Axes:
        """Draw the mean absolute differences with their intervals, a row per comparison."""
        table = self._result.differences
        names = {"mad": "estimate", "mad_low": "low", "mad_high": "high"}
        table = table[list(names)].rename(columns=names)
        table.index = table.index.map(": ".join)
        label = "mean absolute difference in points of similarity"
        return figures.intervals(table, ax, label=label, noun="comparison")


def label_preservation(
    ratings: Ratings | str | Path | pd.DataFrame,
    *,
    gold_scale: Sequence[float] | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    seed: int = 0,
) -> LabelPreservation:
    """Compare ratings of the similarity of pairs before and after a transformation.

    Parameters
    ----------
    ratings : Ratings, str, Path or DataFrame
        Or what `read_ratings` reads: the folder of `make_pair_survey`, or a table with ``item``,
        ``rater``, ``similarity``, ``pair``, ``transformation``, ``version`` (``"original"`` or
        ``"transformed"``) and, if it is known, ``gold``.
    gold_scale : (float, float), optional
        The lowest and highest gold there can be, where that is not 0 and 5: gold is brought to
        the scale of the ratings.
    n_resamples : int
        How often pairs are resampled for the intervals.
    confidence_level : float
    seed : int

    Returns
    -------
    LabelPreservation

    Raises
    ------
    ScaleError
        If gold lies outside its scale.
    InputError
        If the ratings cannot be read, or no pair was rated both before and after.

    References
    ----------
    *HTEB* (2026), appendix A.4, Tables 4 and 13.
    """
    level = check_level(confidence_level)
    check_count("n_resamples", n_resamples, 0)
    check_seed(seed)
    read = coerce(ratings)
    table, notes = _complete(_similarity(read.table, gold_scale))
    means, rows = {}, []
    for name, own in table.groupby("transformation", sort=False):
        wide = _consensus(own)
        whole = wide.to_numpy()
        order = content_order(pd.DataFrame(whole))[0]  # no name or arrangement changes a draw
        wide = wide.iloc[order]
        means[name] = {**wide.mean(), "n_pairs": len(wide), "n_ratings": len(own)}
        for first, second in _PAIRINGS:
            apart = (wide[first] - wide[second]).dropna().to_numpy()
            row = _apart(apart, n_resamples, level, seed)
            rows.append({"transformation": name, "comparison": _named(first, second), **row})
    found = pd.DataFrame.from_dict(means, orient="index").rename_axis("transformation")
    found = found[[TRANSFORMED, ORIGINAL, GOLD, "n_pairs", "n_ratings"]]
    found = found.astype({"n_pairs": int, "n_ratings": int})
    differences = pd.DataFrame(rows).set_index(["transformation", "comparison"])
    few = found.index[found["n_pairs"] < _FEW]
    if len(few):
        sentence = (
            f"Fewer than {_FEW} pairs of {name_some(few, 8)}: intervals over resampled pairs are "
            "too narrow there."
        )
        notes.append(Note("few-pairs", sentence, tuple(map(str, few))))
    return LabelPreservation(found, differences, level, merge_notes(read.notes, notes))


def _similarity(table: pd.DataFrame, gold_scale: Sequence[float] | None) -> pd.DataFrame:
    needed = ["pair", "transformation", "version"]
    absent = [name for name in needed if name not in table.columns]
    if absent:
        raise UnknownLabelError(
            f"The ratings do not say of what {name_some(absent)} an item is. Pass the key of the "
            "survey of pairs to read_ratings, or add the columns.",
            absent,
        )
    table = table[table["criterion"] == SIMILARITY]
    if table.empty:
        raise EmptyMatrixError(f"There are no ratings of {SIMILARITY}.")
    for version in table["version"].unique():
        if version not in (ORIGINAL, TRANSFORMED):
            raise unknown_label("version of a pair", version, (ORIGINAL, TRANSFORMED))
    gold = pd.to_numeric(table[GOLD]) if GOLD in table.columns else np.nan
    table = table.assign(gold=gold).astype({GOLD: float})
    low, high = scale_of(SIMILARITY)
    first, last = _bounds(gold_scale, (low, high))
    outside = table[GOLD].notna() & ~table[GOLD].between(first, last)
    if outside.any():
        row = table[outside].iloc[0]
        raise ScaleError(
            f"Gold is {row[GOLD]:g} for the pair {row['pair']}, outside {first:g} to {last:g}. "
            "Pass gold_scale=(lowest, highest).",
            table["pair"][outside].unique(),
        )
    return table.assign(gold=low + (table[GOLD] - first) * (high - low) / (last - first))


def _bounds(scale: Sequence[float] | None, own: tuple[int, int]) -> tuple[float, float]:
    if scale is None:
        return own
    bounds = tuple(scale)
    if len(bounds) != 2 or not bounds[0] < bounds[1]:
        raise ParameterError(
            f"gold_scale must be the lowest and the highest gold, such as (0, 1); got {scale!r}."
        )
    return float(bounds[0]), float(bounds[1])


def _complete(table: pd.DataFrame) -> tuple[pd.DataFrame, list[Note]]:
    """Keep the pairs that were rated both before and after the same transformation."""
    keys = ["transformation", "pair"]
    both = table.groupby(keys)["version"].transform("nunique") == 2
    if not both.any():
        raise EmptyMatrixError("No pair was rated both before and after a transformation.")
    if both.all():
        return table, []
    number = len(table[~both].drop_duplicates(keys))
    sentence = f"{count(number, 'pair')} rated only before or only after are left out."
    return table[both], [Note("half-rated-pairs", sentence)]


def _consensus(own: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rating of each pair, by version, and its gold."""
    rated = own.groupby(["pair", "version"], sort=False)["rating"].mean()
    wide = rated.unstack("version")  # noqa: PD010 - of a series
    return wide.assign(gold=own.groupby("pair", sort=False)[GOLD].first())[
        [TRANSFORMED, ORIGINAL, GOLD]
    ]


def _apart(apart: FloatArray, n_resamples: int, level: float, seed: int) -> dict[str, float]:
    """Return the statistics of differences, shape (n,), with intervals over resampled pairs."""
    n = len(apart)
    absolute = np.abs(apart)
    values = {
        "difference": apart,
        "mad": absolute,
        # Means of ratings in thirds are not exact.
        "within": (absolute.round(TIE_DECIMALS) <= 1.0).astype(np.float64),
    }
    row: dict[str, float] = {}
    counts = draw_counts(np.random.default_rng(seed), n_resamples, n) if n > 1 else np.empty((0, n))
    for name, each in values.items():
        low, high = percentile_interval((counts @ each / max(n, 1))[None, :], level)[:, 0]
        mean = float(each.mean()) if n else np.nan
        row |= {name: mean, f"{name}_low": float(low), f"{name}_high": float(high)}
    return row | {"n_pairs": n}


def _named(first: str, second: str) -> str:
    return f"{first} vs {second}"
