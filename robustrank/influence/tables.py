"""What the rankings without each group say: of the groups, the lead, models and neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from robustrank._numeric import TIE_DECIMALS
from robustrank.influence.distances import distances_from
from robustrank.influence.jackknife import jackknife_standard_errors
from robustrank.notes import name_some

if TYPE_CHECKING:
    from robustrank._numeric import FloatArray
    from robustrank.influence.rankings import Rankings

#: Between the names of tied leaders, and how many of them are named.
_TIED = " = "
_NAMED = 3


@dataclass(frozen=True, eq=False)
class Lead:
    """The lead of the first model over the second, with every dataset and without each group.

    Attributes
    ----------
    leaders : tuple of str
        Several where they tie.
    runner_up : str
    margin, standard_error : float
    margins : ndarray, shape (q,)
        Of the leader over the best of all others, without each group.
    shares : ndarray, shape (q,)
        Of the margin, by what each group contributes; NaN if that is not defined.
    """

    leaders: tuple[str, ...]
    runner_up: str
    margin: float
    standard_error: float
    margins: FloatArray
    shares: FloatArray


def lead_of(found: Rankings) -> Lead:
    """Describe the lead."""
    margin = round(float(found.aggregate[0] - found.aggregate[1]), TIE_DECIMALS)
    leader, others = found.without[0], found.without[1:]
    # A model without a value on what is left is no rival there.
    best = np.where(np.isnan(others), -np.inf, others).max(axis=0)
    margins = np.where(np.isinf(best), np.nan, leader - best).round(TIE_DECIMALS)
    shares = np.full(len(found.groups), np.nan)
    if found.contributions is not None and margin > 0.0:
        shares = (found.contributions[0] - found.contributions[1]) / margin
    error = jackknife_standard_errors((found.without[0] - found.without[1])[None])[0]
    return Lead(
        leaders=tuple(found.models[found.ranks == found.ranks.min()]),
        runner_up=str(found.models[1]),
        margin=margin,
        standard_error=round(float(error), TIE_DECIMALS),
        margins=margins,
        shares=shares,
    )


def group_table(found: Rankings, lead: Lead, top_k: int) -> pd.DataFrame:
    """Return one row per group, the most influential first, with the group's number as index."""
    changes = found.without_ranks - found.ranks[:, None]
    moves = np.abs(np.nan_to_num(changes))
    furthest, places = moves.argmax(axis=0), np.arange(len(found.groups))
    moved = moves.max(axis=0) > 0.0
    distance, tau = distances_from(found.ranks, found.without_ranks)
    defined = ~np.isnan(found.without).all(axis=0)
    first = found.without_ranks == np.where(defined, _least(found.without_ranks), np.nan)
    kept = first == (found.ranks == found.ranks.min())[:, None]
    in_top = (found.ranks <= top_k)[:, None]
    entering = (found.without_ranks <= top_k) & ~in_top
    leaving = ~(found.without_ranks <= top_k) & in_top & defined
    names = found.models.to_numpy(dtype=object)
    table = pd.DataFrame(
        {
            "n_datasets": found.sizes,
            "distance": distance,
            "tau": tau,
            "n_moved": np.where(defined, (moves > 0.0).sum(axis=0), np.nan),
            "largest_move": np.where(defined, changes[furthest, places], np.nan),
            "moves_most": np.where(moved, names[furthest], None),
            "leader": [_tied(names[column]) for column in first.T],
            "leader_changes": ~kept.all(axis=0) & defined,
            "margin": lead.margins,
            "margin_change": (lead.margins - lead.margin).round(TIE_DECIMALS),
            "margin_share": lead.shares,
            "top_entering": [_listed(names[column]) for column in entering.T],
            "top_leaving": [_listed(names[column]) for column in leaving.T],
        }
    )
    keys = np.lexsort((lead.margins, -distance.round(TIE_DECIMALS)))
    return table.iloc[keys]


def model_table(found: Rankings) -> pd.DataFrame:
    """Return one row per model, best first: its aggregate, and the ranks it takes."""
    all_ranks = np.column_stack([found.ranks, found.without_ranks])
    moves = (found.without_ranks != found.ranks[:, None]) & ~np.isnan(found.without_ranks)
    return pd.DataFrame(
        {
            "aggregate": found.aggregate,
            "jackknife_standard_error": jackknife_standard_errors(found.without),
            "rank": found.ranks,
            "rank_low": np.nanmin(all_ranks, axis=1),
            "rank_high": np.nanmax(all_ranks, axis=1),
            "n_moving": moves.sum(axis=1),
        },
        index=found.models,
    )


def neighbour_table(found: Rankings, top_k: int) -> pd.DataFrame:
    """Return one row per model of the top, with the next below it and what holds them apart."""
    count = min(top_k, len(found.models) - 1)
    upper, lower = slice(0, count), slice(1, count + 1)
    gaps = (found.aggregate[upper] - found.aggregate[lower]).round(TIE_DECIMALS)
    without = (found.without[upper] - found.without[lower]).round(TIE_DECIMALS)
    names = np.array(found.groups, dtype=object)
    rows = []
    for gap, own in zip(gaps, without, strict=True):
        order = np.argsort(own, kind="stable")  # NaN last
        least = own[order[0]]
        holding = order[own[order] <= 0.0] if gap > 0.0 else order[:0]
        rows.append(
            {
                "margin": gap,
                "n_holding": len(holding),
                "held_apart_by": _listed(names[holding]),
                "least_margin": least,
                "least_without": names[order[0]] if least < gap else None,
            }
        )
    table = pd.DataFrame(rows, index=pd.RangeIndex(1, count + 1, name="place"))
    table.insert(0, "model", found.models[upper].to_numpy())
    table.insert(1, "next_model", found.models[lower].to_numpy())
    return table


def _tied(names: np.ndarray) -> str | None:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return _TIED.join(names[:_NAMED]) + rest if len(names) else None


def _listed(names: np.ndarray) -> str | None:
    return name_some(names, 5) if len(names) else None


def _least(ranks: FloatArray) -> FloatArray:
    """Return the best rank of each column, infinite where there is none."""
    return np.asarray(np.where(np.isnan(ranks), np.inf, ranks).min(axis=0))
