"""What `datasets_needed` says: headline, summary and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._text import printable, wrap
from robustrank.notes import Note, count, name_some
from robustrank.planning.power import MOST, fewest
from robustrank.presenting import level, p_value, to_text

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    row, (a, b) = table.astype(object).iloc[0], _shown(table.index[0])
    return f"{_one(row, a, b, settings)}{_alone(kinds, kind, b, settings)}"


def _one(row: pd.Series, a: str, b: str, settings: dict[str, Any]) -> str:
    """Say it of a pair, in two sentences at most."""
    noun, n, needed, low = settings["by"], row["n"], row["needed"], row["low"]
    have, sure = _units(n, noun), level(settings["confidence_level"])
    if n < 2:
        return f"{a} and {b} share {have}: how much their differences vary takes two at least."
    if row["difference"] == 0.0:
        alike = "score the same on" if row["sd"] == 0.0 else "are tied on average over"
        least = (
            ""
            if pd.isna(low)
            else f" A lead hidden by chance takes {low:,} or more at {sure} confidence."
        )
        return f"{a} and {b} {alike} {have}: no number of such {noun} would separate them.{least}"
    points = _points(row["difference"])
    if row["sd"] == 0.0:
        return (
            f"{a} is ahead of {b} by the same {points} on each of {have}. A test that supposes no "
            f"distribution can find that from {needed:,} such {noun} on."
        )
    p = p_value(row["p_value"])
    test = f"paired t-test, p {p if p.startswith('<') else f'= {p}'}"
    lead = f"{a} is {points} ahead of {b} over {have} ({test})."
    aim = f"To find such a lead with power {settings['power']} at level {settings['alpha']:g} takes"
    if pd.isna(needed):
        return f"{lead} {aim} more than {MOST:,} such {noun}."
    also = [] if pd.isna(row["resampled"]) else [f"{row['resampled']:,} by resampling"]
    if pd.isna(row["high"]):
        also.append(f"{low:,} or more, without limit, at {sure} confidence")
    elif low < row["high"]:
        also.append(f"{low:,} to {row['high']:,} at {sure} confidence")
    beside = f" ({'; '.join(also)})" if also else ""
    return f"{lead} {aim} {needed:,} such {noun}{beside}."


def _alone(kinds: pd.DataFrame, kind: str, behind: str, settings: dict[str, Any]) -> str:
    """Say which kind shows the lead by itself, and which the opposite."""
    if not (len(kinds) > 1 and kinds["sd"].gt(0.0).any()):
        return ""
    found = kinds[kinds["p_adjusted"] <= settings["alpha"]]
    same, opposite = (found[found["effect_size"] * sign > 0.0] for sign in (1, -1))
    said = f"No {kind} shows it alone"
    if len(same):
        best = same.astype(object).iloc[0]
        units = f"{best['needed']:,} {settings['by']} needed, {best['n']:,} there"
        said = f"Of the {kind}s, {_label(same.index[0])} shows it alone ({units})"
    against = f"; on {_label(opposite.index[-1])} {behind} is ahead" if len(opposite) else ""
    return f" {said}{against}."


def _label(name: tuple[Any, ...]) -> str:
    return printable(str(name[-1]))


def _several(table: pd.DataFrame, settings: dict[str, Any]) -> str:
    noun, n = settings["by"], int(table["n"].iloc[0])
    pairs = f"{count(len(table), 'pair')} of neighbours in the top {len(table) + 1}"
    if n < 2:
        return f"{pairs} share {_units(n, noun)}: how much differences vary takes two at least."
    apart = int((table["p_adjusted"] <= settings["alpha"]).sum())
    first = (
        f"Of {pairs}, {apart or 'none'} can be told apart with the {n:,} {noun} at hand (paired "
        f"t-tests at {settings['alpha']:g}, Holm's correction)."
    )
    parts = [first]
    known = table["needed"].dropna().sort_values(kind="stable")
    if len(known):
        a, b = _shown(known.index[0])
        most = f", and up to {known.iloc[-1]:,} for the others" if len(known) > 1 else ""
        parts.append(
            f"With power {settings['power']} it takes {known.iloc[0]:,} {noun} for {a} over {b}"
            f"{most}."
        )
    tied = int((table["difference"] == 0.0).sum())
    close = int(table["needed"].isna().sum()) - tied
    left = [f"{count(tied, 'pair')} tied, which no number of {noun} separates"] if tied else []
    if close:
        left.append(f"{count(close, 'pair')} so close that it takes more than {MOST:,}")
    if left:
        parts.append(f"Left: {'; '.join(left)}.")
    return " ".join(parts)


def _units(n: int, noun: str) -> str:
    return count(n, noun.removesuffix("s"))


def _points(difference: float) -> str:
    """Write a lead so that it is never one of 0.00."""
    return f"{100.0 * difference:.2f} points" if difference >= 1e-4 else "under 0.01 points"


def _shown(pair: tuple[Any, Any]) -> tuple[str, str]:
    return printable(str(pair[0])), printable(str(pair[1]))


def _name_pairs(pairs: Iterable[Any]) -> str:
    return name_some((f"{a} and {b}" for a, b in pairs), 2)


def plan_summary(
    headline: str, table: pd.DataFrame, curve: pd.DataFrame, kinds: pd.DataFrame, kind: str
) -> str:
    """Return everything for a terminal, differences in points."""
    parts = [wrap(headline), _text(table)]
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


def plan_notes(table: pd.DataFrame, by: str) -> list[Note]:
    """Say where numbers are limits, or do not mean what they seem to."""
    notes = []
    floor = table["level"].map(fewest)
    at_floor = table.index[(table["needed"] == floor).fillna(value=False)]
    if len(at_floor):
        numbers = " or ".join(f"{number}" for number in sorted(set(floor[at_floor])))
        message = (
            f"{numbers} {by} are the fewest with which a test that supposes no distribution "
            f"reaches the level, so no smaller number is given: {_name_pairs(at_floor)}."
        )
        notes.append(Note("fewest-datasets", message, _names(at_floor)))
    tied = table.index[(table["difference"] == 0.0).to_numpy()]
    if len(tied):
        message = f"Tied, so that no number of {by} tells them apart: {_name_pairs(tied)}."
        notes.append(Note("tied-models", message, _names(tied)))
    vast = table["needed"].isna() & table["difference"].ne(0.0) & table["sd"].notna()
    if vast.any():
        message = (
            f"So close that it takes more than {MOST:,} {by}: {_name_pairs(table.index[vast])}."
        )
        notes.append(Note("too-close", message, _names(table.index[vast])))
    if table["sd"].isna().any():
        message = f"Fewer than two {by} say nothing of how much differences vary."
        notes.append(Note("too-few-datasets", message, _names(table.index)))
    return notes


def _names(pairs: Iterable[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(name) for pair in pairs for name in pair))
