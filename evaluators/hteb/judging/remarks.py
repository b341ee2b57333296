"""What a reader of judges' ratings must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.notes import Note, count, name_some

if TYPE_CHECKING:
    import pandas as pd

#: With fewer items, percentile intervals are too narrow and p-values of the bootstrap too small.
FEW_ITEMS = 30


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
    if alone.max():
        sentence += f" Without {alone.idxmax()}, {alone.max():,} of them could be used."
    labels = (str(alone.idxmax()),) if alone.max() else ()
    notes.append(Note("incomplete-items", sentence, labels))
    kept = ratings.index[~lacking].unique("transformation")
    gone = [name for name in ratings.index.unique("transformation") if name not in kept]
    if gone and len(kept):
        sentence = f"No text of {name_some(gone)} is complete: totals are over the others."
        notes.append(Note("lost-transformations", sentence, tuple(map(str, gone))))
    return notes


def limits(
    *, n_judges: int, n_generators: int, n_items: int, floor: float, alpha: float
) -> list[Note]:
    """Say what the comparisons cannot show."""
    notes = []
    if n_items == 0:
        sentence = "No text has a rating of every judge for every generator: there are no means."
        notes.append(Note("no-complete-items", sentence))
    elif n_generators > 1 and n_items < FEW_ITEMS:
        sentence = (
            f"With {count(n_items, 'item')}, the bootstrap finds differences too easily and its "
            f"intervals are too narrow; judge {FEW_ITEMS} at least."
        )
        notes.append(Note("few-items", sentence))
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
