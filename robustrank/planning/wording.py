"""What `datasets_needed` says: headline, summary and notes."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._text import printable
from robustrank.notes import Note, count, name_some
from robustrank.planning.power import MOST, fewest
from robustrank.presenting import level, to_text

if TYPE_CHECKING:
    from collections.abc import Iterable

_WIDTH = 100
_IN_POINTS = ["difference", "sd"]
_DECIMALS = {
    "effect_size": 3,
    "difference": 2,
    "sd": 2,
    "power": 2,
    "resampled": 2,
    "gain": 3,
    "level": 4,
}
#: How many kinds the summary lists.
_KINDS = 12
#: Where its table of powers ends.
_SURE = 0.995


def plan_headline(
    table: pd.DataFrame, kinds: pd.DataFrame, kind: str, settings: dict[str, Any]
) -> str:
    """Say how many datasets it takes, in one to three sentences."""
    if len(table) > 1:
        return _several(table, settings)
    return f"{_one(table, settings)}{_best_kind(kinds, kind, settings)}"


def _one(table: pd.DataFrame, settings: dict[str, Any]) -> str:
    a, b = table.index[0]
    row, noun = table.astype(object).iloc[0], settings["by"]
    n, needed, low = row["n"], row["needed"], row["low"]
    have = count(n, noun.removesuffix("s"))
    if n < 2:
        return f"{a} and {b} share {have}: how much their differences vary takes two at least."
    if row["difference"] == 0.0:
        alike = "score the same on" if row["sd"] == 0.0 else "are tied on average over"
        least = "" if pd.isna(low) else f" Were one ahead after all, it would take {low:,} or more."
        return f"{a} and {b} {alike} {have}: no number of such {noun} would separate them.{least}"
    lead = f"{a} is {100.0 * row['difference']:.2f} points ahead of {b} over {have}."
    test = f"a paired t-test at {settings['alpha']:g}"
    if pd.isna(needed):
        return f"{lead} It would take more than {MOST:,} such {noun} for {test} to find that."
    test = (
        f"{test[0].upper()}{test[1:]} finds that with power {settings['power']:g} from {needed:,}"
    )
    by_draws = "" if pd.isna(row["resampled"]) else f" ({row['resampled']:,} by resampling)"
    size = f"{needed / n:.1f} times as many as there are" if needed > n else f"and there are {n:,}"
    return f"{lead} {test} such {noun}{by_draws}, {size}{_range(row, settings)}."


def _range(row: pd.Series, settings: dict[str, Any]) -> str:
    if pd.isna(row["low"]):
        return ""
    sure = level(settings["confidence_level"])
    if pd.isna(row["high"]):
        return f"; at {sure} confidence it is {row['low']:,} or more, without an upper limit"
    return f"; at {sure} confidence it is {row['low']:,} to {row['high']:,}"


def _best_kind(kinds: pd.DataFrame, kind: str, settings: dict[str, Any]) -> str:
    if not len(kinds):
        return ""
    found = kinds[kinds["needed"].notna() & (kinds["p_adjusted"] <= settings["alpha"])]
    if not len(found):
        return f" No {kind} alone shows a lead."
    best = found.astype(object).iloc[0]
    return (
        f" The {kind} that shows the lead best is {found.index[0][-1]}: {best['needed']:,} "
        f"{settings['by']} of it would do, of which there are {best['n']:,}."
    )


def _several(table: pd.DataFrame, settings: dict[str, Any]) -> str:
    noun, n = settings["by"], int(table["n"].iloc[0])
    apart = int((table["p_adjusted"] <= settings["alpha"]).sum())
    first = (
        f"A paired t-test at {settings['alpha']:g} with Holm's correction tells {apart} of "
        f"{count(len(table), 'pair')} of neighbours in the top {len(table) + 1} apart with the "
        f"{n:,} {noun} at hand."
    )
    known = table["needed"].dropna().sort_values(kind="stable")
    parts = [first]
    if len(known):
        ends = [f"{known.iloc[at]:,} {noun} for {_name_pairs(known.index[[at]])}" for at in (0, -1)]
        span = ends[0] if len(known) == 1 else f"from {ends[0]} to {ends[1]}"
        parts.append(f"With power {settings['power']:g} it takes {span}.")
    none = table.index[table["needed"].isna()]
    if len(none):
        parts.append(f"There is no such number for {_name_pairs(none)}.")
    return " ".join(parts)


def _name_pairs(pairs: Iterable[Any]) -> str:
    return name_some((f"{a} and {b}" for a, b in pairs), 2)


def plan_summary(
    headline: str, table: pd.DataFrame, curve: pd.DataFrame, kinds: pd.DataFrame, kind: str
) -> str:
    """Return everything for a terminal, differences in points."""
    parts = [textwrap.fill(printable(headline), _WIDTH), _text(table)]
    if len(table) == 1:
        if len(kinds):
            own = kinds.droplevel([0, 1]).rename_axis(kind)
            shown = own.drop(columns=["ahead", "p_value"]).assign(ahead=_side(own, table))
            shown = shown[shown["n"] > 1].head(_KINDS)
            rest = len(own) - len(shown)
            more = f" ({rest:,} more are in the table of kinds)" if rest else ""
            parts.append(f"By {kind}, each alone{more}:\n{_text(shown)}")
        rising = curve[curve["power"] < _SURE].set_index("n_datasets")
        parts.append(f"Power:\n{_text(rising)}")
    return "\n\n".join(parts)


def _side(kinds: pd.DataFrame, table: pd.DataFrame) -> list[str]:
    """Say which model is ahead, as the head of the table names them."""
    side = dict(zip(table.index[0], ("a", "b"), strict=True))
    return [side.get(name, "neither") for name in kinds["ahead"]]


def _text(table: pd.DataFrame) -> str:
    shown = table.copy()
    present = [name for name in _IN_POINTS if name in shown]
    shown[present] = 100.0 * shown[present]
    return to_text(shown, _DECIMALS, signed=("difference", "effect_size", "gain"))


def plan_notes(table: pd.DataFrame, by: str, alpha: float) -> list[Note]:
    """Say where numbers are limits, or do not mean what they seem to."""
    notes = []
    at_floor = table.index[(table["needed"] == fewest(alpha)).fillna(value=False)]
    if len(at_floor):
        message = (
            f"{fewest(alpha)} {by} are the fewest with which a test that supposes no distribution "
            f"reaches {alpha:g}, so no smaller number is given: {_name_pairs(at_floor)}."
        )
        notes.append(Note("fewest-datasets", message, _names(at_floor)))
    tied = table.index[(table["difference"] == 0.0).to_numpy()]
    if len(tied):
        message = f"Tied, so that no number of {by} tells them apart: {_name_pairs(tied)}."
        notes.append(Note("tied-models", message, _names(tied)))
    vast = table["needed"].isna() & table["difference"].ne(0.0) & table["sd"].notna()
    if vast.any():
        message = (
            f"So close that it would take more than {MOST:,} {by}: "
            f"{_name_pairs(table.index[vast])}."
        )
        notes.append(Note("too-close", message, _names(table.index[vast])))
    if table["sd"].isna().any():
        message = f"One of the {by} alone says nothing of how much differences vary."
        notes.append(Note("too-few-datasets", message, _names(table.index)))
    return notes


def _names(pairs: Iterable[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(name) for pair in pairs for name in pair))
