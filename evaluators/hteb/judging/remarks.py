"""What a reader of judges' ratings must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.evaluators.hteb.judging.observing import FEWEST
from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

#: With fewer texts of a transformation, percentile intervals of skewed ratings are too narrow, and
#: p-values of the bootstrap too small where many pairs are compared.
FEW_ITEMS = 30


def unanswered(table: pd.DataFrame) -> list[Note]:
    """Say how many requests brought no answer, and why.

    Parameters
    ----------
    table : DataFrame
        One row per judgement, with ``judge`` and ``failure``.
    """
    missing = table[table["failure"].notna()]
    if missing.empty:
        return []
    judges = tuple(map(str, missing["judge"].unique()))
    sentence = (
        f"{count(len(missing), 'request')} of {len(table):,} brought no answer "
        f"({', '.join(sorted(missing['failure'].unique()))}). With the same store, the next run "
        "asks them again."
    )
    return [Note("unanswered", sentence, judges)]


def incomplete(ratings: pd.DataFrame, invalid: pd.DataFrame) -> list[Note]:
    """Say how many texts lack a rating, whose ratings are missing, and what is left out for it.

    Parameters
    ----------
    ratings : DataFrame, (transformation, item) × (judge, generator)
    invalid : DataFrame
        As of `JudgeScores`.
    """
    notes = []
    totals = invalid[["asked", "invalid", "unanswered"]].groupby(level="judge", sort=False).sum()
    if totals["invalid"].any():
        shares = (totals["invalid"] / totals["asked"]).sort_values(ascending=False, kind="stable")
        shares = shares[shares > 0]
        shown = [f"{name} {share:.1%}" for name, share in shares.items()]
        sentence = (
            f"{count(int(totals['invalid'].sum()), 'answer')} of {totals['asked'].sum():,} hold no "
            f"rating. By judge: {name_some(shown)}."
        )
        notes.append(Note("invalid-ratings", sentence, tuple(map(str, shares.index))))
    missing = ratings.isna()
    lacking = missing.any(axis="columns")
    if not lacking.any():
        return notes
    by_judge = missing.T.groupby(level="judge", sort=False).any()
    alone = (by_judge & (by_judge.sum() == 1)).sum(axis="columns")
    sentence = (
        f"{count(int(lacking.sum()), 'text')} of {len(ratings):,} left out of all means and "
        "tests: a judge gave some generator's version no rating."
    )
    useful = len(by_judge) > 1 and alone.max()
    if useful:
        sentence += f" Without {alone.idxmax()}, {alone.max():,} of them could be used."
    labels = (str(alone.idxmax()),) if useful else ()
    notes.append(Note("incomplete-items", sentence, labels))
    return notes


def lost(sizes: pd.Series) -> list[Note]:
    """Say which transformations are left out; `sizes` are their numbers of complete texts."""
    gone = sizes[sizes < min(FEWEST, sizes.max())]
    if gone.empty:
        return []
    sentence = f"Left out of totals for want of complete texts: {name_some(_sizes(gone))}."
    return [Note("lost-transformations", sentence, tuple(map(str, gone.index)))]


def _sizes(sizes: pd.Series) -> list[str]:
    return [f"{name} ({size:,})" for name, size in sizes.items()]


def limits(
    *, n_judges: int, n_generators: int, sizes: pd.Series, floor: float, alpha: float
) -> list[Note]:
    """Say what the comparisons cannot show; `sizes` are those of the transformations in totals."""
    notes = []
    few = sizes[sizes < FEW_ITEMS]
    if sizes.empty:
        sentence = "No text has a rating of every judge for every generator: there are no means."
        notes.append(Note("no-complete-items", sentence))
    elif n_generators > 1 and len(few):
        sentence = (
            f"Few texts to compare: {name_some(_sizes(few))}. Intervals are too narrow and "
            f"p-values too small with fewer than {FEW_ITEMS} of a transformation."
        )
        notes.append(Note("few-items", sentence, tuple(map(str, few.index))))
    if n_generators == 1:
        notes.append(Note("one-generator", "With one generator there is nothing to compare."))
    if n_judges == 1:
        sentence = (
            "One judge alone may favour its own texts, or those of its family, and nothing tells."
        )
        notes.append(Note("one-judge", sentence))
    if floor > alpha:
        sentence = (
            f"No pair can be significant at {alpha:g}: the smallest adjusted p-value is "
            f"{floor:.2g}. Draw more resamples."
        )
        notes.append(Note("family-cannot-reject", sentence))
    return notes
