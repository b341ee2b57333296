"""`measure_drift` and `drift_and_quality`: whether embeddings move where people object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from robustrank import figures
from robustrank.comparison.coefficients import correlate
from robustrank.errors import DuplicateError, EmptyMatrixError, check_count, check_level, check_seed
from robustrank.evaluators.hteb.long_tables import load_long
from robustrank.evaluators.hteb.ratings.items import FACTS, IDENTITY, TEXTS, all_texts, name_items
from robustrank.evaluators.hteb.ratings.parts import OVERALL, refuse_reserved
from robustrank.evaluators.hteb.ratings.questions import JOINT
from robustrank.evaluators.hteb.ratings.reading import Ratings, coerce
from robustrank.figures.accessor import Plots
from robustrank.notes import Note, count, merge_notes, name_some
from robustrank.presenting import Result, to_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.axes import Axes

#: Items below which there is a note, and below which resampling says nothing.
_FEW, _LEAST = 20, 5
#: By how much the drifts of one pair of texts may differ: embedded in other batches, they do.
_SAME = 1e-4


def measure_drift(source: str | Path | pd.DataFrame, model: Any) -> pd.DataFrame:
    """Measure how far a model moves each text when it is transformed.

    Parameters
    ----------
    source : str, Path or DataFrame
        The folder of a run, the key of a survey (``items.csv``), or a table with
        ``transformation``, ``original`` and ``text``.
    model : str, mapping or object
        An embedding model: the id or folder of one of sentence-transformers, a mapping of settings
        as in the configuration of a study, or any object with ``encode(list of str) -> array``.

    Returns
    -------
    DataFrame
        A row per text: ``item``, what is known of it, ``drift``, which is 1 - cos of the embeddings
        of the original and the text (0..2), and ``identical``: whether the two are the same,
        capitals aside. Failed texts are not there.

    Raises
    ------
    InputError
        If the texts cannot be read or the model cannot be loaded.
    """
    from robustrank.evaluators.hteb.embedding.loading import (  # noqa: PLC0415 - needs the extra
        load_embedder,
    )

    texts = all_texts(source)
    texts = texts[texts["original"].notna() & texts["text"].notna()].reset_index(drop=True)
    if texts.empty:
        raise EmptyMatrixError("There is no transformed text to measure the drift of.")
    embedder = load_embedder(model)
    try:
        encoder = embedder.encoder("sts", "drift")  # the task of comparing two texts
        before, after = (
            np.asarray(encoder.encode(list(texts[name]), role="text"), dtype=np.float64)
            for name in TEXTS
        )
    finally:
        embedder.close()
    found = texts[list(FACTS)].copy()
    found.insert(0, "item", name_items(texts, IDENTITY))
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):  # a vector of zeros has no direction
        found["drift"] = 1.0 - (before * after).sum(axis=1) / lengths
    plain = [texts[name].str.strip().str.casefold() for name in TEXTS]
    found["identical"] = plain[0] == plain[1]
    return found


@dataclass(frozen=True, eq=False)
class QualityDrift(Result):
    """How drift and ratings go together, as in Figure 3 of *HTEB*.

    Attributes
    ----------
    table : DataFrame
        By transformation, and ``"overall"`` at last: ``rho``, Spearman's correlation over items of
        drift and mean rating, negative where what people like less moves further; ``low`` and
        ``high``, its percentile interval over resampled items, NaN for fewer than 5; the share of
        ``identical`` texts; the mean ``drift``; and ``n``, the number of items.
    items : DataFrame
        ``transformation``, ``drift`` and ``rating`` per item, the points of the figure.
    criterion : str
    n_resamples : int
    confidence_level : float
    seed : int
    notes : tuple of Note
    """

    table: pd.DataFrame
    items: pd.DataFrame
    criterion: str
    n_resamples: int
    confidence_level: float
    seed: int

    @property
    def plot(self) -> DriftPlots:
        """Figures: ``plot("correlations")`` or ``plot.correlations()``."""
        return DriftPlots(self)

    def summary(self) -> str:
        """Return the findings as text for a terminal."""
        overall = self.table.iloc[-1]
        share = overall["rho"] ** 2
        interval = (
            "" if np.isnan(overall["low"]) else f" [{overall['low']:+.2f}, {overall['high']:+.2f}]"
        )
        text = (
            f"Drift and {self.criterion} over {count(int(overall['n']), 'text')}: Spearman's ρ "
            f"{overall['rho']:+.2f}{interval}. The order of "
            f"the ratings explains {share:.0%} of the variance in that of the drift."
        )
        if np.isnan(share):
            text = f"Drift and {self.criterion}: no correlation, since one of them is constant."
        table = self.table.rename(columns={"rho": "ρ"})
        decimals = {name: 3 if name == "drift" else 2 for name in table.columns}
        return f"{text}\n\n{to_text(table, decimals, signed=['ρ', 'low', 'high'])}"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables by the names of their files."""
        return {"correlations": self.table, "items": self.items}

    def figures(self) -> dict[str, Callable[[], Axes]]:
        """Return what draws each figure, by the name of its file."""
        return {"correlations": self.plot.correlations}

    def __repr__(self) -> str:
        return f"QualityDrift({self.criterion}, {count(len(self.items), 'item')})"


class DriftPlots(Plots[Literal["correlations"]]):
    """Figures of drift and quality.

    Parameters
    ----------
    result : QualityDrift
    """

    def __init__(self, result: QualityDrift) -> None:
        self._result = result

    def correlations(self, ax: Axes | None = None) -> Axes:
        """Draw the correlations with their intervals, a row per transformation."""
        table = self._result.table.rename(columns={"rho": "estimate"})
        label = f"Spearman's ρ of drift and {self._result.criterion}"
        return figures.intervals(table, ax, reference=0.0, label=label, noun="transformation")


def drift_and_quality(
    drift: str | Path | pd.DataFrame,
    ratings: Ratings | str | Path | pd.DataFrame,
    *,
    criterion: str = "quality",
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    seed: int = 0,
) -> QualityDrift:
    """Correlate the drift of embeddings with how people rate the texts.

    Parameters
    ----------
    drift : DataFrame, str or Path
        What `measure_drift` returned for the items of the survey.
    ratings : Ratings, str, Path or DataFrame
        Or what `read_ratings` reads. The rating of an item is the mean over its raters.
    criterion : str
    n_resamples : int
        How often items are resampled for the intervals.
    confidence_level : float
    seed : int

    Returns
    -------
    QualityDrift

    Raises
    ------
    InputError
        If a table cannot be read, or no item has both a drift and a rating.

    References
    ----------
    *HTEB* (2026), §4.1.2 and Figure 3.
    """
    level = check_level(confidence_level)
    check_count("n_resamples", n_resamples, 1)
    check_seed(seed)
    moved = load_long(drift, "drift", labels=["item", "transformation"], numbers=["drift"])
    read = coerce(ratings)
    rated = read.matrix(criterion).mean(axis="columns").rename("rating")
    moved = _once(moved).set_index("item")
    items = moved.join(rated).dropna(subset=["drift", "rating"])
    if items.empty:
        raise EmptyMatrixError(
            "No item has both a drift and a rating. Measure the drift of the survey's items.csv."
        )
    notes = list(_left_out(len(rated), len(items)))
    items["identical"] = _truths(items["identical"]) if "identical" in items.columns else np.nan
    refuse_reserved(items["transformation"], [OVERALL])
    names = items["transformation"].replace(JOINT)
    settings = {"n_resamples": n_resamples, "confidence_level": level, "seed": seed}
    groups = [(str(name), items[names == name]) for name in dict.fromkeys(names)]
    rows = [
        {"transformation": name, **_row(own, settings)} for name, own in [*groups, (OVERALL, items)]
    ]
    table = pd.DataFrame(rows).set_index("transformation")
    undefined = list(table.index[table["rho"].isna()])
    if undefined:
        sentence = (
            f"No correlation for {name_some(undefined)}: fewer than two items that differ in drift "
            "and in rating."
        )
        notes.append(Note("no-correlation", sentence, tuple(undefined)))
    few = list(table.index[(table["n"] < _FEW) & table["rho"].notna()])
    if few:
        sentence = (
            f"Fewer than {_FEW} items of {name_some(few, 8)}: chance alone gives such correlations "
            "there, and intervals are too narrow."
        )
        notes.append(Note("few-items", sentence, tuple(few)))
    points = items[["transformation", "drift", "rating"]]
    return QualityDrift(
        table=table,
        items=points,
        criterion=criterion,
        n_resamples=n_resamples,
        confidence_level=level,
        seed=seed,
        notes=merge_notes(read.notes, notes),
    )


def _once(moved: pd.DataFrame) -> pd.DataFrame:
    """Return a row per item; raise where an item has two drifts that are not one but rounded."""
    spread = moved.groupby("item")["drift"].agg(np.ptp)
    if (spread > _SAME).any():
        item = spread.index[spread > _SAME][0]
        raise DuplicateError(
            f"The item {item} has two different drifts. Pass those of one model.", [item]
        )
    return moved.drop_duplicates("item")


def _truths(column: pd.Series) -> pd.Series:
    """Return 1 for true, 0 for false and NaN for neither, however a file spells it."""
    spelt = column.map(lambda cell: str(cell).strip().casefold())
    return spelt.map({"true": 1.0, "1": 1.0, "1.0": 1.0, "false": 0.0, "0": 0.0, "0.0": 0.0})


def _left_out(n_rated: int, n_both: int) -> list[Note]:
    if n_both == n_rated:
        return []
    sentence = f"{count(n_rated - n_both, 'rated item')} without a drift are left out."
    return [Note("no-drift", sentence)]


def _row(own: pd.DataFrame, settings: dict[str, Any]) -> dict[str, float]:
    rank = correlate(own["drift"].to_numpy(), own["rating"].to_numpy(), settings)["spearman"]
    enough = len(own) >= _LEAST
    return {
        "rho": rank.estimate,
        "low": rank.low if enough else np.nan,
        "high": rank.high if enough else np.nan,
        "identical": float(own["identical"].mean()),
        "drift": float(own["drift"].mean()),
        "n": len(own),
    }
