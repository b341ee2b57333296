"""Results of item response theory in a few lines: their reprs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from robustrank.notes import count

if TYPE_CHECKING:
    import pandas as pd

    from robustrank.irt.instances import InstanceIRT
    from robustrank.irt.misfit import Misfit
    from robustrank.irt.screening import Screening
    from robustrank.irt.selection import Selection
    from robustrank.irt.task import TaskIRT
    from robustrank.notes import Note


def describe_tasks(fit: TaskIRT) -> str:
    """Name the ablest model and the ends of the datasets' discriminations."""
    ability, a = fit.ability.dropna(), fit.discrimination.dropna()
    if ability.empty:
        given = f"{count(len(fit.ability), 'model')} × {count(len(fit.discrimination), 'dataset')}"
        return f"TaskIRT of {given}: undefined{_noted(fit.notes)}"
    state = f"residual {fit.residual:.3f}" if fit.converged else "not converged"
    best, most, least = map(str, (ability.idxmax(), a.idxmax(), a.idxmin()))
    return (
        f"TaskIRT of {count(len(ability), 'model')} × {count(len(a), 'dataset')}: "
        f"{state}{_noted(fit.notes)}\n"
        f"  Ablest {best}: {ability[best]:.2f}{_interval(fit.ability_interval, best)}\n"
        f"  Most discriminating {most}: {a[most]:.2f}"
        f"{_interval(fit.discrimination_interval, most)}\n"
        f"  Least {least}: {a[least]:.2f}{_interval(fit.discrimination_interval, least)}"
    )


def describe_instances(fit: InstanceIRT) -> str:
    """Give the ranges of the parameters."""
    if fit.converged is None:
        state = f"engine {fit.engine}"
    else:
        ended = "converged" if fit.converged else "not converged"
        state = f"{ended} after {count(fit.n_iterations or 0, 'iteration')}"
    return (
        f"InstanceIRT of {count(len(fit.ability), 'model')} × "
        f"{count(len(fit.discrimination), 'item')}: {state}{_noted(fit.notes)}\n"
        f"  Abilities {_range(fit.ability)}, standard errors {_range(fit.ability_se)}\n"
        f"  Discriminations {_range(fit.discrimination)}, difficulties {_range(fit.difficulty)}"
    )


def describe_screening(screening: Screening) -> str:
    """Count the findings, and say whether they matter to the ranking."""
    flags = screening.table.drop(columns="reason").sum()
    found = [f"{name} {number}" for name, number in flags.items() if number]
    ranked = screening.ranking[["rank_before", "rank_after"]].notna().all(axis=1).sum()
    return (
        f"Screening of {count(len(screening.table), 'dataset')}: {len(screening.kept)} kept"
        f"{_noted(screening.notes)}\n"
        f"  Findings: {', '.join(found) or 'none'}\n"
        f"  Ranking of {count(int(ranked), 'model')} before and after: "
        f"Kendall's τ {_number(screening.tau, 4)}, Spearman's ρ {_number(screening.spearman, 4)}"
    )


def describe_selection(selection: Selection) -> str:
    """Give the agreement at the smallest and the largest number of items."""
    held_out = len(selection.held_out) > 0
    table = selection.held_out if held_out else selection.table
    sizes = dict.fromkeys((int(table.index.min()), int(table.index.max())))
    lines = [
        f"  {count(size, 'item')}: {_number(row['informative'])} for the most informative, "
        f"{_number(row['random'])} for random ones"
        for size, row in ((size, table[table.index == size].iloc[0]) for size in sizes)
    ]
    whose = "held-out models" if held_out else "the models that chose the items"
    head = (
        f"Selection by {selection.score}, on {whose}: τ with the ranking by all "
        f"{count(len(selection.fit.discrimination), 'item')}{_noted(selection.notes)}"
    )
    return "\n".join([head, *lines])


def describe_misfit(misfit: Misfit) -> str:
    """Say how many items are flagged, how many chance alone flags, and which is the worst."""
    head = (
        f"Misfit of {count(len(misfit.table), 'item')} against {misfit.against}: "
        f"{misfit.n_active:,} active, {misfit.n_flagged:,} flagged{_noted(misfit.notes)}"
    )
    if not misfit.n_active:
        return head
    item, worst = next(misfit.table.iterrows())
    return (
        f"{head}\n"
        f"  {misfit.share_flagged:.1%} of the active ones; chance alone flags "
        f"{misfit.expected_share:.1%}\n"
        f"  Most suspicious {item}: correlation {worst['correlation']:.2f}, "
        f"q = {worst['q_value']:.2g}"
    )


def _noted(notes: tuple[Note, ...]) -> str:
    return f"; {count(len(notes), 'note')}" if notes else ""


def _number(value: float, decimals: int = 3) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{decimals}f}"


def _range(values: pd.Series) -> str:
    return "undefined" if values.isna().all() else f"{values.min():.2f} to {values.max():.2f}"


def _interval(intervals: pd.DataFrame, name: str) -> str:
    ends = intervals.to_dict("index")[name]
    return "" if math.isnan(ends["low"]) else f" [{ends['low']:.2f}, {ends['high']:.2f}]"
