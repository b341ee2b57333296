"""Sentences about acceptability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robustrank._text import percent
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    import pandas as pd

#: Shares closer than this are equal.
_ROUNDING = 1e-12
#: How many models that share the first place are named.
_FIRST = 2
#: Ratio from which on a weight is clearly larger than another, and how many such groups are named.
_CLEAR, _NAMED = 1.2, 3


def answer(table: pd.DataFrame, noun: str, n_groups: int, settings: dict[str, Any]) -> str:
    """Say who is first how often, who is next, and who can be, in two or three sentences."""
    p_best = table["p_best"]
    together = p_best >= p_best.iloc[0] - _ROUNDING
    leaders, rest = list(p_best.index[together]), p_best[~together]
    shared = len(leaders) > 1
    n_draws, noisy = settings["n_draws"], bool(settings["noise"])
    allowed = "allowed " if any(settings[name] for name in ("lower", "upper", "order")) else ""
    who = f"{name_some(leaders, _FIRST)} {'are each' if shared else 'is'} first in"
    if p_best.iloc[0] < 1.0:
        share = f"{_share(p_best.iloc[0])} of"
    else:
        share = "all" if n_draws > 1 else "the"
    over = f"{count(n_draws, f'{allowed}weighting')} of {count(n_groups, noun)} drawn at random"
    if n_groups == 1:
        over = f"{count(n_draws, 'draw')} with 1 {noun}, and so one weighting"
    tied = ", ties shared" if shared and np.ptp(table["rank"][together]) == 0.0 else ""
    errors = ", and scores drawn with their errors" if noisy else ""
    parts = [f"{who} {share} {over}{errors}{tied}."]
    if len(rest) and rest.iloc[0] > 0.0:
        parts.append(f"Next is {rest.index[0]}, with {_share(rest.iloc[0])}.")
    if len(rest) and n_groups > 1:
        # That is about the scores as they are, whatever their errors.
        weighting = f"{allowed}weighting{' of the scores as observed' if noisy else ''}"
        parts.append(_possible(table, leaders, weighting))
    return " ".join(parts)


def leanings(central: pd.DataFrame, mean: pd.Series) -> list[str]:
    """Say, model by model, which groups weigh clearly more than in all draws, and which less.

    Parameters
    ----------
    central : DataFrame, model × group
    mean : Series
        Group → mean weight over all draws.
    """
    lines = []
    for model, weights in central.iterrows():
        shift = (weights / mean).sort_values(ascending=False, kind="stable")
        sides = (
            ("more on", shift[shift >= _CLEAR][:_NAMED]),
            ("less on", shift[shift <= 1.0 / _CLEAR][::-1][:_NAMED]),
        )
        said = [
            f"{word} {', '.join(f'{name} ({weights[name]:.3f})' for name in side.index)}"
            for word, side in sides
            if len(side)
        ]
        lines.append(f"{model}: {'; '.join(said) or 'about as in all draws'}")
    return lines


def _possible(table: pd.DataFrame, leaders: list[str], weighting: str) -> str:
    """Say who else can be first: exactly if that is known, else in the draws."""
    can, m = table["can_be_first"], len(table)
    if can.isna().all():
        number = int((table["p_best"] > 0.0).sum())
        if number == len(leaders):
            return "No other model is first in any draw."
        return f"{_of(number, m)} are first in some draw."
    possible = [name for name in table.index if can[name]]
    if set(possible) <= set(leaders):
        return f"No {weighting} puts another model first."
    unmet = sum(table.loc[name, "p_best"] == 0.0 for name in possible)
    only = f", {unmet} of them though never in a draw" if unmet else ""
    return f"{_of(len(possible), m)} can be first under some {weighting}{only}."


def _of(number: int, m: int) -> str:
    if number < m:
        return f"{number} of {count(m, 'model')}"
    return f"All {m} models" if m > 2 else "Both models"


def _share(share: float) -> str:
    return percent(float(share)).replace("over", "more than").replace("under", "less than")
