"""Sentences about acceptability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank._text import percent
from robustrank.notes import count, name_some

if TYPE_CHECKING:
    import pandas as pd

#: Shares closer than this are equal.
_ROUNDING = 1e-12
#: Ratio from which on a weight is clearly larger than another, and how many such groups are named.
_CLEAR, _NAMED = 1.2, 3


def answer(table: pd.DataFrame, noun: str, n_groups: int, settings: dict[str, Any]) -> str:
    """Say who is first how often, who is next, and who can be, in two or three sentences."""
    p_best = table["p_best"]
    together = p_best >= p_best.iloc[0] - _ROUNDING
    leaders, rest = list(p_best.index[together]), p_best[~together]
    who = f"{name_some(leaders, 3)} {'are each' if len(leaders) > 1 else 'is'} first under"
    over = f"weightings of {count(n_groups, noun)}"
    if settings["noise"] is not None:
        over += ", scores drawn with their errors"
    allowed = "allowed " if any(settings[name] for name in ("lower", "upper", "order")) else ""
    if p_best.iloc[0] == 1.0:
        parts = [f"{who} all {settings['n_draws']:,} drawn {over}."]
    else:
        parts = [f"{who} {_share(p_best.iloc[0])} of all {allowed}{over}."]
    if len(rest) and rest.iloc[0] > 0.0:
        parts.append(f"Next is {rest.index[0]}, with {_share(rest.iloc[0])}.")
    parts.append(_possible(table, leaders, f"{allowed}weighting"))
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
    can, m = table["can_be_first"], len(table)
    if can.isna().all():
        number = int((table["p_best"] > 0.0).sum())
        return f"{number} of {count(m, 'model')} {_are(number)} first in some draw."
    possible = [str(name) for name in table.index if can[name]]
    if set(possible) <= set(leaders):
        return f"No {weighting} puts another model first."
    unmet = [name for name in possible if table.loc[name, "p_best"] == 0.0]
    number = len(possible)
    only = f", {len(unmet)} of them under weights that no draw met" if unmet else ""
    return f"{number} of {count(m, 'model')} can be first under some {weighting}{only}."


def _share(share: float) -> str:
    return percent(float(share)).replace("over", "more than").replace("under", "less than")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
