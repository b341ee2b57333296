"""What `SmallestChange` says in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._text import printable
from robustrank.flips.terms import TIE
from robustrank.notes import name_some

if TYPE_CHECKING:
    from robustrank.flips.result import SmallestChange

#: What is dropped, one and many.
NOUNS = {
    "datasets": ("dataset", "datasets"),
    "clusters": ("cluster", "clusters"),
    "task_type": ("task type", "task types"),
}
#: What a line of the figure is about.
LINES = {**{kind: many for kind, (_, many) in NOUNS.items()}, "weights": "weight"}
#: How many groups are named.
_NAMED = 3


def shown(name: object) -> str:
    """Return a name that breaks no line."""
    return printable(str(name))


def headline(found: SmallestChange) -> str:
    """Say what it takes, in the order of the table."""
    over, by = shown(found.over), found.settings["aggregate"]
    who = "another model" if found.model is None else shown(found.model)
    first = found.goal == "first"
    if found.lead > TIE:
        return f"{who} is {'first' if first else f'above {over}'} by {by} already."
    rows = _rows(found.table)
    aim = f"put {who} {'first' if first else f'above {over}'}"
    possible = {kind: row for kind, row in rows.items() if pd.notna(row["size"])}
    open_ones = {kind for kind, row in rows.items() if pd.isna(row["size"]) and not row["exact"]}
    never = [kind for kind in rows if kind not in possible and kind not in open_ones]
    leads = len(found.margins) == found.settings["n_models"] - 1 and found.model is None
    place = "leads" if found.lead < -TIE else "shares the first place"
    sentences = [f"{over} {place} by {by}."] if leads else []
    if possible:
        kind, row = next(iter(possible.items()))
        verb = "comes first" if first else f"passes {'it' if leads else over}"
        by_what = "" if leads else f" by {by}"
        takes = _takes(found, kind, row, with_verb=True)
        sentences.append(f"{shown(row['passes'])} {verb}{by_what} once {takes}.")
        others = [_takes(found, *each) for each in list(possible.items())[1:]]
        if others:
            start = "Or it takes" if found.model else "Or some model does with"
            sentences.append(f"{start} {', or '.join(others)}.")
    sentences += [
        f"No set of {NOUNS[kind][1]} that was tried would {aim}; it takes "
        f"{rows[kind]['lower_bound']:.0f} at least."
        for kind in rows
        if kind in open_ones
    ]
    if never:
        reasons = "; ".join(dict.fromkeys(rows[kind]["reason"] for kind in never))
        sentences.append(f"{_tools(never)} can {aim}: {reasons}.")
    return " ".join(sentences)


def _rows(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {str(kind): dict(row) for kind, row in table.iterrows()}


def _tools(kinds: list[str]) -> str:
    """Say what cannot do it: ``"No choice of datasets or clusters and no weighting"``."""
    groups = [NOUNS[kind][1] for kind in kinds if kind != "weights"]
    parts = [f"choice of {' or '.join(groups)}"] if groups else []
    return "No " + " and no ".join([*parts, *(["weighting"] if "weights" in kinds else [])])


def _takes(
    found: SmallestChange, kind: str, row: dict[str, Any], *, with_verb: bool = False
) -> str:
    """Say how much of one kind of change it takes, and which."""
    if kind == "weights":
        moved = f"just over {100.0 * row['size']:.2g} % of the weight"
        to = _gaining(found.weights)
        return f"{moved} {'has moved' if with_verb else 'moved'}{f' to {to}' if to else ''}"
    size, units = int(row["size"]), int(row["units"])
    number = str(size) if row["exact"] else f"{row['lower_bound']:.0f} to {size}"
    names = name_some(map(shown, found.dropped.loc[kind].index), _NAMED)
    verb = (" is dropped" if size == 1 else " are dropped") if with_verb else ""
    return f"{number} of {units} {NOUNS[kind][units != 1]}{verb} ({names})"


def _gaining(weights: pd.DataFrame | None) -> str:
    """Name the datasets that gain weight, those that gain most first."""
    if weights is None:
        return ""
    gains = (weights["after"] - weights["before"]).sort_values(ascending=False, kind="stable")
    return name_some(map(shown, gains.index[gains > TIE]), _NAMED)


def changes(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of changes as text, for a terminal."""
    rows = {}
    for kind, row in _rows(table).items():
        weights = kind == "weights"
        rows[kind] = {
            "smallest": _amount(row, row["size"], weights=weights),
            "share": f"{100.0 * row['share']:.1f} %" if pd.notna(row["share"]) else "–",
            "draws level": "–"
            if pd.isna(row["to_tie"])
            else _amount(row, row["to_tie"], weights=weights),
            "proven": "yes" if row["exact"] else f"at least {row['lower_bound']:.0f}",
            "passes": row["passes"] or "–",
            "then leads": row["leader_after"] or "–",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("change")


def _amount(row: dict[str, Any], size: float, *, weights: bool) -> str:
    if pd.isna(size):
        return "impossible" if row["exact"] else "not found"
    return f"{size:.4f}" if weights else f"{size:.0f} of {row['units']:.0f}"


def largest_moves(weights: pd.DataFrame, most: int = 8) -> pd.DataFrame:
    """Return the weights that change, those that change most first."""
    moves = (weights["after"] - weights["before"]).abs()
    order = moves[moves > TIE].sort_values(ascending=False, kind="stable").index[:most]
    return weights.loc[order]
