"""Ratings of the similarity of pairs, of which both versions were rated, with their gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank.errors import (
    EmptyMatrixError,
    NonNumericError,
    ParameterError,
    ScaleError,
    unknown_label,
)
from robustrank.evaluators.hteb.ratings.pairs import ORIGINAL, TRANSFORMED
from robustrank.evaluators.hteb.ratings.parts import with_names
from robustrank.evaluators.hteb.ratings.questions import SIMILARITY, scale_of
from robustrank.notes import Note, count
from robustrank.readers.cells import parse_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robustrank._numeric import FloatArray

GOLD = "gold"


def rated_pairs(
    table: pd.DataFrame, gold_scale: Sequence[float] | None
) -> tuple[pd.DataFrame, list[Note]]:
    """Return what raters say of both versions of a pair, with gold on the scale of the ratings."""
    own = table[table["criterion"] == SIMILARITY]
    if own.empty:
        raise EmptyMatrixError(f"There are no ratings of {SIMILARITY}.")
    own, unnamed = with_names(own, ["pair", "transformation", "version"])
    for version in own["version"].unique():
        if version not in (ORIGINAL, TRANSFORMED):
            raise unknown_label("version of a pair", version, (ORIGINAL, TRANSFORMED))
    whole, notes = _complete(own.assign(gold=_scaled_gold(own, gold_scale)))
    return whole, [*unnamed, *notes]


def _scaled_gold(table: pd.DataFrame, gold_scale: Sequence[float] | None) -> FloatArray:
    gold = _gold(table) if GOLD in table.columns else np.full(len(table), np.nan)
    low, high = scale_of(SIMILARITY)
    first, last = _bounds(gold_scale, (low, high))
    outside = (gold < first) | (gold > last)
    if outside.any():
        pairs = table["pair"][outside].unique()
        raise ScaleError(
            f"Gold is {gold[outside][0]:g} for the pair {pairs[0]}, outside {first:g} to {last:g}. "
            "Pass gold_scale=(lowest, highest).",
            pairs,
        )
    scaled: FloatArray = low + (gold - first) * (high - low) / (last - first)
    return scaled


def _bounds(scale: Sequence[float] | None, own: tuple[int, int]) -> tuple[float, float]:
    if scale is None:
        return own
    try:
        first, last = (float(bound) for bound in scale)
    except (TypeError, ValueError):
        first = last = np.nan
    if not -np.inf < first < last < np.inf:
        raise ParameterError(
            f"gold_scale must be the lowest and the highest gold, such as (0, 1); got {scale!r}."
        )
    return first, last


def _gold(table: pd.DataFrame) -> FloatArray:
    parsed = parse_numbers(table[GOLD])
    if parsed.bad.any():
        row = table[parsed.bad].iloc[0]
        raise NonNumericError(
            f"Gold is {row[GOLD]!r} for the pair {row['pair']}, which is no number. Write a "
            "number, or leave the cell empty.",
            [row["pair"]],
        )
    return parsed.numbers


def _complete(table: pd.DataFrame) -> tuple[pd.DataFrame, list[Note]]:
    """Keep what one rater says of a pair both before and after the same transformation."""
    pair = ["transformation", "pair"]
    both = table.groupby([*pair, "rater"])["version"].transform("nunique") == 2
    if not both.any():
        raise EmptyMatrixError("Nobody rated a pair both before and after a transformation.")
    whole, half = table[both], table[~both]
    kept = pd.MultiIndex.from_frame(half[pair]).isin(pd.MultiIndex.from_frame(whole[pair]))
    notes = []
    if not kept.all():
        number = count(len(half[~kept].drop_duplicates(pair)), "pair")
        sentence = f"{number} that nobody rated both before and after are left out."
        notes.append(Note("half-rated-pairs", sentence))
    if kept.any():
        sentence = (
            f"{count(int(kept.sum()), 'rating')} by raters of only one version of a pair are left "
            "out: two people differ anyway."
        )
        notes.append(Note("half-ratings", sentence))
    return whole, notes
