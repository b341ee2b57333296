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


def shown(name: object) -> str:
    """Return a name that breaks no line."""
    return printable(str(name))


def headline(found: SmallestChange) -> str:
    """Say what it takes, in the order of the table, in three sentences at most."""
    over, by = shown(found.over), found.settings["aggregate"]
    who = "another model" if found.model is None else shown(found.model)
    first = found.goal == "first"
    if found.lead > TIE:
        return f"{who} is {'first' if first else f'above {over}'} by {by} already."
    rows = _rows(found.table)
    possible = {kind: row for kind, row in rows.items() if pd.notna(row["size"])}
    never = [kind for kind in rows if kind not in possible and rows[kind]["exact"]]
    not_found = [kind for kind in rows if kind not in possible and not rows[kind]["exact"]]
    leads = len(found.margins) == found.settings["n_models"] - 1 and found.model is None
    start = f"{over} {'leads' if found.lead < -TIE else 'shares the first place'} by {by}"
    aim = f"put {who} {'first' if first else f'above {over}'}"
    sentences = []
    if possible:
        (kind, row), *others = possible.items()
        passes = f"{shown(row['passes'])} {'comes first' if first else 'passes '}"
        passes += "" if first else ("it" if leads else over)
        once = f"once {_takes({kind: row})}{_named(found, kind)}"
        sentences.append(f"{start}; {passes} {once}." if leads else f"{passes} by {by} {once}.")
        if others:
            also = "It also does" if found.model else "Some model also does"
            sentences.append(f"{also} once {_takes(dict(others))}.")
    elif leads:
        sentences.append(f"{start}.")
    last = []
    if never:
        does = "does" if possible else f"can {aim}"
        # Where no weighting does, no choice does; where no datasets do, no groups of them do.
        reason = rows["weights" if "weights" in never else never[0]]["reason"]
        why = "" if possible else f": {shown(reason)}"
        last.append(f"{_tools(never)} {does}{why}")
    last += [
        f"no set of {NOUNS[kind][1]} was found that does, and it takes "
        f"{rows[kind]['lower_bound']:.0f} at least"
        for kind in not_found
    ]
    if last:
        said = "; ".join(last)
        sentences.append(f"{said[0].upper()}{said[1:]}.")
    return " ".join(sentences)


def _rows(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {str(kind): dict(row) for kind, row in table.iterrows()}


def _tools(kinds: list[str]) -> str:
    """Say what cannot do it: ``"no choice of datasets or clusters and no weighting"``."""
    groups = [NOUNS[kind][1] for kind in kinds if kind != "weights"]
    *most, last = groups or [""]
    listed = f"{', '.join(most)} or {last}" if most else last
    parts = [f"no choice of {listed}"] if groups else []
    return " and ".join([*parts, *(["no weighting"] if "weights" in kinds else [])])


def _takes(rows: dict[str, dict[str, Any]]) -> str:
    """Say what is dropped or moved: ``"2 of 16 datasets or 1 of 4 clusters are dropped"``."""
    drops, verb, parts = [], "", []
    for kind, row in rows.items():
        if kind == "weights":
            moved = f"just over {100.0 * row['size']:.2g}%"
            share = moved if row["size"] > TIE else "the slightest part"
            parts.append(f"{share} of the weight has moved")
            continue
        size, units = int(row["size"]), int(row["units"])
        fewer = "" if row["exact"] else f" (perhaps as few as {row['lower_bound']:.0f})"
        drops.append(f"{size}{fewer} of {units} {NOUNS[kind][units != 1]}")
        verb = "is" if size == 1 else "are"
    if drops:
        parts.insert(0, f"{' or '.join(drops)} {verb} dropped")
    return ", or ".join(parts)


def _named(found: SmallestChange, kind: str) -> str:
    """Name the one or two groups that are dropped, or the dataset that gains most weight."""
    if kind != "weights":
        groups = found.dropped.loc[kind].index
        return f" ({name_some(map(shown, groups), 2 if len(groups) == 2 else 1)})"
    if found.weights is None:
        return ""
    gains = (found.weights["after"] - found.weights["before"]).sort_values(ascending=False)
    names = [shown(name) for name in gains.index[gains > TIE]]
    return f", to {name_some(names, 1)}" if names else ""


def changes(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of changes as text, for a terminal."""
    rows = {}
    for kind, row in _rows(table).items():
        weights = kind == "weights"
        rows[kind] = {
            "smallest": _amount(row, row["size"], weights=weights),
            "share": f"{100.0 * row['share']:.1f}%" if pd.notna(row["share"]) else "–",
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
