"""`judge_scores`: what ratings of judges say about generators, and about the judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank.errors import (
    check_alpha,
    check_count,
    check_level,
    check_seed,
    describe_seed,
)
from robustrank.evaluators.hteb.judging.comparing import compare_generators
from robustrank.evaluators.hteb.judging.crossover import Judgements
from robustrank.evaluators.hteb.judging.items import TOTAL
from robustrank.evaluators.hteb.judging.observing import complete, observe
from robustrank.evaluators.hteb.judging.partiality import self_preference
from robustrank.evaluators.hteb.judging.plots import JudgePlots
from robustrank.evaluators.hteb.judging.reading import count_invalid, read_judgements, spread
from robustrank.evaluators.hteb.judging.remarks import incomplete, limits, lost, unanswered
from robustrank.evaluators.hteb.judging.wording import summarise
from robustrank.notes import count
from robustrank.presenting import records, save

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

    from robustrank.notes import Note


@dataclass(frozen=True, eq=False)
class JudgeScores:
    """Mean ratings of generators, which of them differ, and how far judges favour themselves.

    All means are over the texts for which every judge rated every generator, over items first and
    then with equal weight over transformations and judges, so that the tables fit each other. A
    transformation with fewer than 5 such texts is left out where another has more.

    Attributes
    ----------
    by_judge : DataFrame, judge × generator
        Mean ratings (*HTEB*, Table 10).
    average : DataFrame
        One row per generator, best first: ``mean`` over judges, its percentile interval ``low`` to
        ``high`` over items, and ``letters``: generators that share one are not told apart.
    comparisons : DataFrame
        One row per pair, in the order of `average`: ``generator_a``, ``generator_b``,
        ``difference``, its interval ``low`` to ``high``, ``p_value`` and ``p_adjusted`` (Holm) of a
        paired bootstrap over items, and whether it is ``significant``.
    groups : list of list of str
        The largest sets of generators within which no pair is told apart, one per letter.
    by_transformation : DataFrame, transformation × generator
        Mean ratings over judges, with a row and a column ``total`` (*HTEB*, Table 11).
    invalid : DataFrame
        One row per judge and generator: ``asked``, ``invalid`` answers in which no rating was
        found, their ``share``, and ``unanswered`` requests.
    self_preference : DataFrame
        One row per judge that is also a generator: the mean rating that it gives its ``own`` texts
        and that the others give these (``by_others``); ``leniency``, by how much it rates the other
        generators higher than the other judges do, leaving out what these give their own texts;
        and ``preference`` = own − by_others − leniency, with its interval ``low`` to ``high``,
        ``p_value`` of its being 0 and ``p_adjusted`` (Holm) for the number of judges. It takes
        three judges, or a generator that is no judge.
    n_items, n_ratings : int
        That the means are over.
    settings : dict
        ``n_resamples``, ``confidence_level``, ``alpha``, ``seed`` and ``judgements``: the settings
        of `Judgements`, None where the ratings are from a table.
    notes : tuple of Note
    """

    by_judge: pd.DataFrame
    average: pd.DataFrame
    comparisons: pd.DataFrame
    groups: list[list[str]]
    by_transformation: pd.DataFrame
    invalid: pd.DataFrame
    self_preference: pd.DataFrame
    n_items: int
    n_ratings: int
    settings: dict[str, Any]
    notes: tuple[Note, ...] = ()

    @property
    def plot(self) -> JudgePlots:
        """Figures: ``scores.plot.averages()``, ``groups``, ``judges``, ``transformations``."""
        return JudgePlots(self.average, self.groups, self.by_judge, self.by_transformation)

    def summary(self) -> str:
        """Return what to conclude, and the tables, for a terminal."""
        return summarise(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-safe values."""
        return {
            "n_items": self.n_items,
            "n_ratings": self.n_ratings,
            "groups": self.groups,
            **{name: records(table) for name, table in self._tables().items()},
            "settings": self.settings,
            "notes": [note.to_dict() for note in self.notes],
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write the summary, all values, a CSV per table and an SVG per figure.

        Returns
        -------
        list of Path
        """
        plots = {str(kind): getattr(self.plot, kind) for kind in JudgePlots.kinds()}
        return save(
            folder,
            text=self.summary(),
            content=self.to_dict(),
            tables=self._tables(),
            plots=plots,
        )

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {
            "average": self.average,
            "by_judge": self.by_judge,
            "by_transformation": self.by_transformation,
            "comparisons": self.comparisons.rename_axis("pair"),
            "invalid": self.invalid,
            "self_preference": self.self_preference,
        }

    def __repr__(self) -> str:
        judges, generators = self.by_judge.shape
        return (
            f"JudgeScores({count(judges, 'judge')} × {count(generators, 'generator')}: "
            f"{count(self.n_items, 'item')}, {count(len(self.groups), 'group')})"
        )


def judge_scores(
    source: Judgements | pd.DataFrame | str | Path | Sequence[dict[str, object]],
    *,
    n_resamples: int = 10_000,
    confidence_level: float = 0.95,
    alpha: float = 0.05,
    seed: int | np.random.Generator = 0,
) -> JudgeScores:
    """Compare generators by the ratings that judges gave their texts.

    An item's observation is its mean over judges and transformations, and items are resampled, as
    in *HTEB* §2.3 and A.3. What is found therefore holds for these judges, not for others.
    Differences and intervals are widened for the number of texts: with few, resampling alone shows
    less spread than there is.

    Parameters
    ----------
    source : Judgements, DataFrame, path or sequence of dict
        What `judge` returned, or one row per rating: ``judge``, ``generator``,
        ``transformation``, ``item``, ``rating`` from 1 to 5, and, if there is one, ``dataset``. A
        text of which some judge did not rate some generator's version is left out for all.
    n_resamples : int
        p-values are at least ``2 / (n_resamples + 1)`` times the number of pairs.
    confidence_level : float
        Of the intervals, which are not adjusted for their number.
    alpha : float
        Chance, at most, of any false difference.
    seed : int or numpy.random.Generator

    Returns
    -------
    JudgeScores

    Raises
    ------
    InputError
        A subclass that names the column or the row that is wrong.

    References
    ----------
    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*. The expanded percentile interval:
    Hesterberg (2015), The American Statistician 69(4), 371-386. Letters: Piepho (2004), *An
    Algorithm for a Letter-Based Representation of All-Pairwise Comparisons*.
    """
    check_count("n_resamples", n_resamples, 1)
    level, size = check_level(confidence_level), check_alpha(alpha)
    check_seed(seed)
    described, rng = describe_seed(seed), np.random.default_rng(seed)
    table = read_judgements(source)
    ratings, invalid = spread(table), count_invalid(table)
    kept, sizes = complete(ratings)
    means = kept.groupby(level="transformation", sort=False).mean()
    observations = observe(kept, means, level)
    drawing = {"n_resamples": n_resamples, "confidence_level": level}
    found = compare_generators(
        observations.groupby(level="generator", sort=False).mean(), alpha=size, **drawing, seed=rng
    )
    order = found.average.index
    by_transformation = _by_transformation(means, order)
    by_judge = means.mean().unstack("generator")  # noqa: PD010 - of a series
    judges = ratings.columns.unique("judge")
    notes = [
        *(source.notes if isinstance(source, Judgements) else ()),
        *unanswered(table),
        *incomplete(ratings, invalid),
        *lost(sizes),
        *limits(
            n_judges=len(judges),
            n_generators=len(order),
            sizes=sizes[means.index],
            floor=found.floor,
            alpha=size,
        ),
    ]
    return JudgeScores(
        by_judge=by_judge.loc[judges, order].rename_axis(columns=None),
        # Not as the bootstrap sums it, so that the tables agree to the last digit.
        average=found.average.assign(mean=by_transformation.T[TOTAL].reindex(order)),
        comparisons=found.comparisons,
        groups=found.groups,
        by_transformation=by_transformation,
        invalid=invalid,
        self_preference=self_preference(observations, **drawing, seed=rng),
        n_items=kept.index.unique("item").size,
        n_ratings=int(kept.size),
        settings={
            **drawing,
            "alpha": size,
            "seed": described,
            "judgements": source.settings if isinstance(source, Judgements) else None,
        },
        notes=tuple(dict.fromkeys(notes)),
    )


def _by_transformation(means: pd.DataFrame, order: pd.Index) -> pd.DataFrame:
    table = means.T.groupby(level="generator", sort=False).mean().T[order]
    table.loc[TOTAL] = table.mean()
    return table.assign(**{TOTAL: table.mean(axis="columns")}).rename_axis(columns=None)
