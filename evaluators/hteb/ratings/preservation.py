"""`label_preservation`: whether two texts are as similar after a transformation as before."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank._numeric import TIE_DECIMALS, content_order
from robustrank._percentiles import percentile_interval
from robustrank.errors import check_count, check_level, check_seed
from robustrank.evaluators.hteb.ratings.pairs import ORIGINAL, TRANSFORMED
from robustrank.evaluators.hteb.ratings.rated_pairs import GOLD, rated_pairs
from robustrank.evaluators.hteb.ratings.reading import Ratings, coerce
from robustrank.figures.accessor import Plots
from robustrank.instances.analytic import wilson
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.presenting import Result, to_text
from robustrank.resampling.draws import draw_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from robustrank._numeric import FloatArray

#: What is compared, in the order of Table 13.
_PAIRINGS = ((TRANSFORMED, ORIGINAL), (TRANSFORMED, GOLD), (ORIGINAL, GOLD))
#: Percentile intervals over fewer pairs hold the truth clearly less often than they say.
_FEW = 20


@dataclass(frozen=True, eq=False)
class LabelPreservation(Result):
    """How far ratings of similarity change, as in Tables 4 and 13 of *HTEB*.

    Attributes
    ----------
    means : DataFrame
        By transformation: mean over pairs of ``transformed``, ``original`` and ``gold``, and
        ``n_pairs`` and ``n_ratings``. The rating of a pair is the mean over its raters.
    differences : DataFrame
        By ``transformation`` and ``comparison`` (``"transformed vs original"`` and so on):
        ``difference``, the mean of the first less the second; ``mad``, the mean absolute
        difference; ``within``, the share of pairs that differ by at most one point. Each has an
        interval for other pairs, ``difference_low``, ``mad_high`` and the like: percentiles over
        resampled pairs, and Wilson's interval of the share.
    n_resamples : int
    confidence_level : float
    seed : int
    notes : tuple of Note
    """

    means: pd.DataFrame
    differences: pd.DataFrame
    n_resamples: int
    confidence_level: float
    seed: int

    @property
    def plot(self) -> PreservationPlots:
        """Figures: ``plot("differences")`` or ``plot.differences()``."""
        return PreservationPlots(self)

    def summary(self) -> str:
        """Return the findings as text for a terminal."""
        main = self.differences.xs(_named(*_PAIRINGS[0]), level="comparison")
        people = self.differences.xs(_named(*_PAIRINGS[2]), level="comparison")["mad"].to_dict()
        lines = [f"Similarity from 0 to 5 of {count(int(self.means['n_pairs'].max()), 'pair')}."]
        for name, row in main.iterrows():
            apart = people[name]
            gold = "" if np.isnan(apart) else f"; originals and gold are {apart:.2f} apart"
            lines.append(
                f"  {name}: {row['mad']:.2f} apart on average{_interval(row, 'mad', '.2f')}, "
                f"{row['within']:.1%} within a point, shifted by {row['difference']:+.2f}"
                f"{_interval(row, 'difference', '+.2f')}{gold}."
            )
        shown = self.differences[["difference", "mad", "within", "n_pairs"]]
        lines += ["", to_text(self.means, 2), "", to_text(shown, 2, signed=["difference"])]
        return "\n".join(lines)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables by the names of their files."""
        return {"means": self.means, "differences": self.differences}

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return what draws each figure, by the name of its file."""
        return {"differences": self.plot.differences}

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

    A pair counts with the raters who rated both of its versions: else it would differ by how
    lenient raters are.

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
        If the ratings cannot be read, or nobody rated a pair both before and after.

    References
    ----------
    *HTEB* (2026), appendix A.4, Tables 4 and 13.
    """
    level = check_level(confidence_level)
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    read = coerce(ratings)
    table, notes = rated_pairs(read.table, gold_scale)
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
    return LabelPreservation(
        means=found,
        differences=differences,
        n_resamples=n_resamples,
        confidence_level=level,
        seed=seed,
        notes=merge_notes(read.notes, notes),
    )


def _consensus(own: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rating of each pair, by version, and its gold."""
    rated = own.groupby(["pair", "version"], sort=False)["rating"].mean()
    wide = rated.unstack("version")  # noqa: PD010 - of a series
    return wide.assign(gold=own.groupby("pair", sort=False)[GOLD].first())[
        [TRANSFORMED, ORIGINAL, GOLD]
    ]


def _apart(apart: FloatArray, n_resamples: int, level: float, seed: int) -> dict[str, float]:
    """Return the statistics of differences, shape (n,), with their intervals."""
    n = len(apart)
    absolute = np.abs(apart)
    row: dict[str, float] = {}
    counts = draw_counts(np.random.default_rng(seed), n_resamples, n) if n > 1 else np.empty((0, n))
    for name, each in {"difference": apart, "mad": absolute}.items():
        low, high = percentile_interval((counts @ each / max(n, 1))[None, :], level)[:, 0]
        mean = float(each.mean()) if n else np.nan
        row |= {name: mean, f"{name}_low": float(low), f"{name}_high": float(high)}
    # Means of ratings in thirds are not exact.
    within = (absolute.round(TIE_DECIMALS) <= 1.0).mean() if n else np.nan
    ends = wilson(np.array([within]), n, NormalDist().inv_cdf(0.5 + level / 2.0)) if n else None
    low, high = (np.nan, np.nan) if ends is None else (float(end[0]) for end in ends)
    return row | {"within": float(within), "within_low": low, "within_high": high, "n_pairs": n}


def _named(first: str, second: str) -> str:
    return f"{first} vs {second}"


def _interval(row: pd.Series, name: str, style: str) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return "" if np.isnan(low) else f" [{low:{style}}, {high:{style}}]"
