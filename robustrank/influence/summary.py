"""The influence of datasets in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS
from robustrank._text import printable, wrap
from robustrank.notes import count, name_some
from robustrank.presenting import to_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robustrank.influence.result import Influence

#: Rows of each table.
_ROWS = 10
#: Groups that decide the lead, in a table of their own.
_DECISIVE = 5


def headline(found: Influence) -> str:
    """Say in up to three sentences whether the leader stays, and what matters most."""
    parts = [_lead(found)]
    if len(found.table) > 1:
        parts += [_decides(found), _ranking(found)]
    else:
        parts.append(f"There is a single {found.noun}, so that none can be left out.")
    return printable(" ".join(parts))


def summary(found: Influence) -> str:
    """Return the headline and tables of the groups, the lead and the top."""
    q = len(found.table)
    shown = min(_ROWS, q)
    top = min(_ROWS, len(found.models))
    heading = f"Leaving out one {found.noun} ({shown} of {q}, most reordered pairs first)"
    decisive = found.table.sort_values("margin", kind="stable").head(_DECISIVE)
    lead = f"The lead of {found.leaders[0]} without one {found.noun} (the {len(decisive)} smallest)"
    blocks = [
        [wrap(found.headline)],
        [heading, _groups(found.table.head(_ROWS), found.noun)],
        [printable(lead), _margins(decisive)],
        [f"What holds neighbours apart (best {min(top, len(found.neighbours))})", *_apart(found)],
        [f"Best {top} of {count(len(found.models), 'model')}", _best(found.models.head(top))],
        [wrap(_legend(found))],
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def _lead(found: Influence) -> str:
    by = found.settings["aggregate"]
    if len(found.leaders) > 1:
        return f"{_and(found.leaders)} tie for first by {by}."
    text = f"{found.leaders[0]} leads {found.runner_up} by {_number(found.margin)} ({by}"
    error = found.margin_standard_error
    if np.isnan(error):
        return f"{text})."
    return f"{text}; jackknife standard error {_number(error)})."


def _decides(found: Influence) -> str:
    """Say whether the leader stays whatever is left out."""
    table = found.table.sort_values("margin", kind="stable")
    ranked = count(int(table["leader"].notna().sum()), found.noun)
    changing = table.index[table["leader_changes"]]
    if len(changing):
        ranks = found.models["rank"] + found.rank_changes.loc[changing[0]]
        leaders = ranks.index[ranks == ranks.min()]
        verb = "tie for first" if len(leaders) > 1 else "leads"
        text = f"Without {changing[0]}, {_and(leaders)} {verb}"
        if len(changing) == 1:
            return f"{text}; no other of {ranked} changes who is first."
        return f"{text}; {len(changing)} of {ranked}, each left out alone, change who is first."
    if len(found.leaders) > 1:
        return f"The tie stays whichever of {ranked} is left out."
    text = f"It stays first whichever of {ranked} is left out"
    if table["margin_change"].iloc[0] >= 0.0:
        return f"{text}, and its lead is never smaller then."
    least = _number(table["margin"].iloc[0])
    return f"{text}; its lead is smallest without {table.index[0]}, {least}."


def _ranking(found: Influence) -> str:
    first, name = found.table.iloc[0], found.table.index[0]
    if first["n_moved"] == 0:
        return f"No {found.noun}, left out, changes any rank."
    distances = found.table["distance"].round(TIE_DECIMALS)
    alike = int((distances == distances.iloc[0]).sum()) - 1
    others = f" and as much on {count(alike, 'other')}" if alike else ""
    moved = f"{int(first['n_moved'])} of {count(len(found.models), 'model')}"
    places = abs(first["largest_move"])
    return (
        f"The ranking depends most on {name}{others}: without {name if alike else 'it'}, {moved} "
        f"change rank, by up to {places:g} {'place' if places == 1 else 'places'}."
    )


def _groups(table: pd.DataFrame, noun: str) -> str:
    rows = pd.DataFrame(
        {
            "datasets": table["n_datasets"],
            "pairs reordered %": 100.0 * table["distance"],
            "tau": table["tau"],
            "moved": table["n_moved"],
            "furthest": table["largest_move"],
            "model": table["moves_most"],
        }
    )
    if noun == "dataset":
        rows = rows.drop(columns="datasets")
    return to_text(rows, {"pairs reordered %": 2, "tau": 3, "moved": 0}, signed=["furthest"])


def _margins(table: pd.DataFrame) -> str:
    rows = table[["margin", "margin_change", "margin_share", "leader"]].copy()
    rows["margin_share"] *= 100.0
    rows.columns = ["lead", "change", "share of lead %", "first"]
    if rows["share of lead %"].isna().all():
        rows = rows.drop(columns="share of lead %")
    return to_text(
        rows, {"lead": 4, "change": 4, "share of lead %": 0}, signed=["change", "share of lead %"]
    )


def _apart(found: Influence) -> list[str]:
    rows = found.neighbours.head(_ROWS).set_index("model", append=True)
    columns = ["margin", "n_holding", "least_margin", "least_without"]
    rows = rows[columns].set_axis(
        ["above next by", f"{found.noun}s it hangs on", "least", "without"], axis=1
    )
    return [to_text(rows, {"above next by": 4, "least": 4})]


def _best(models: pd.DataFrame) -> str:
    rows = models.set_axis(
        ["aggregate", "standard error", "rank", "best", "worst", "moved by"], axis=1
    )
    return to_text(rows, {"aggregate": 4, "standard error": 4})


def _legend(found: Influence) -> str:
    noun = found.noun
    return (
        f"furthest: places up (-) or down (+) of the model beside it; it hangs on: {noun}s without "
        "each of which the two tie or change places; best, worst: ranks over all that is left out; "
        f"moved by: {noun}s whose leaving out changes the rank. One {noun} less moves an aggregate "
        f"far less than other {noun}s would: a rank that stays here is not thereby certain."
    )


def _and(names: Sequence[str]) -> str:
    """Name up to three models as the subject of a sentence."""
    if len(names) in (2, 3):
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return name_some(names, 3)


def _number(value: float) -> str:
    return f"{value:.3g}"
