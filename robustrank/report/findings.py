"""The findings of an analysis, one fact a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from robustrank._text import percent
from robustrank.notes import count, name_some
from robustrank.report.words import drawn_units

if TYPE_CHECKING:
    from robustrank.result import Analysis


def format_ess(score: float) -> str:
    """Round an Evidence Strength Score as its paper does: 0.825 is 0.83."""
    return f"{math.floor(round(score * 100, 9) + 0.5) / 100:.2f}"


def findings(analysis: Analysis) -> list[str]:
    """State what was found, one fact a line."""
    evidence, redundancy = analysis.evidence, analysis.redundancy
    m, n = analysis.matrix.shape
    complete = int(analysis.matrix.scores.notna().all(axis=1).sum())
    rest = "" if complete == m else f", {complete:,} with every score"
    lines = [f"{count(m, 'model')} × {count(n, 'dataset')}{rest}"]
    lines.append(
        f"Evidence   {evidence.level}, ESS {format_ess(evidence.score)} ({evidence.category}): "
        f"{evidence.meaning}"
    )
    lines.append(
        f"Datasets   {count(redundancy.n, 'dataset')} in {count(redundancy.q, 'cluster')} "
        f"(correlation > {redundancy.tau:g}); effective number {redundancy.n_effective:.1f}"
    )
    w_schemes = analysis.agreement.w_schemes
    w_compositions = analysis.agreement.w_compositions
    lines.append(f"Schemes    Kendall's W over {_schemes(analysis)}: {_span(w_schemes)}")
    if len(redundancy.picks) > 1:
        lines.append(
            f"Swaps      Kendall's W over {count(redundancy.n_unique, 'dataset composition')}: "
            f"{_span(w_compositions)}"
        )
    else:
        lines.append("Swaps      one dataset composition: stability over swaps cannot be assessed")
    winners = analysis.winners
    if len(winners):
        shares = [f"{model} in {percent(share)}" for model, share in winners.items()]
        lines.append(
            f"First      of {count(analysis.n_rankings, 'ranking')}: {name_some(shares, 3)}"
        )
    ranks = analysis.rankings.ranks.dropna()
    if len(ranks):
        places = float((ranks.max(axis=1) - ranks.min(axis=1)).median())
        lines.append(
            f"Spread     over {count(ranks.shape[1], 'ranking')} (with all datasets), the rank of "
            f"the median model moves over {places:g} places"
        )
    lines += [*_resolution(analysis), *_separation(analysis)]
    return lines


def _resolution(analysis: Analysis) -> list[str]:
    """Say how many models the resamples tell apart, and how sure the first place is."""
    bootstrap, settings = analysis.bootstrap, analysis.settings
    order = bootstrap.order
    if not order or pd.isna(bootstrap.resolved):
        return ["Tiers      resampling the datasets cannot tell models apart here"]
    leader, units = order[0], drawn_units(settings)
    m = len(analysis.matrix.scores)
    models = "models" if len(order) == m else f"the {count(len(order), 'ranked model')}"
    lines = [
        (
            f"Tiers      {count(int(bootstrap.tiers.max()), 'tier')}; resampling {units} separates "
            f"{bootstrap.resolved:.1%} of pairs of {models} and {bootstrap.resolved_adjacent:.1%} "
            f"of neighbours (P > {settings['tier_threshold']:g})"
        )
    ]
    lines.append(
        f"Leader     {leader}: first in {percent(bootstrap.p_best[leader])} of "
        f"{count(settings['n_resamples'], 'resample')}, above {len(bootstrap.leads)} of "
        f"{count(len(order) - 1, 'other model')}"
    )
    return lines


def _separation(analysis: Analysis) -> list[str]:
    """Name the datasets that separate models most and least."""
    known = analysis.irt.discrimination.dropna().sort_values(ascending=False, kind="stable")
    if len(known) < 4:
        return []
    shown = [f"{name} ({value:.2f})" for name, value in known.items()]
    return [
        (
            f"Separate   models most: {', '.join(shown[:2])}; least: {', '.join(shown[-2:])} "
            "(discrimination)"
        )
    ]


def _schemes(analysis: Analysis) -> str:
    return count(analysis.rankings.ranks["all"].shape[1], "ranking scheme")


def _span(values: pd.Series) -> str:
    known = values.dropna()
    if known.empty:
        return "undefined"
    low, high = f"{known.min():.3f}", f"{known.max():.3f}"
    return low if low == high else f"{low} to {high}"


def clusters(analysis: Analysis) -> list[str]:
    """List the clusters that hold more than one dataset, largest first."""
    members = analysis.redundancy.clusters
    sizes = members[members > 0].value_counts()
    single = int((sizes == 1).sum())
    lines = [
        f"{number}: {name_some(members.index[members == number], 8)}"
        for number in sorted(sizes.index[sizes > 1])
    ]
    head = f"Clusters of datasets that repeat each other ({single} more stand alone)"
    return [head, *lines] if lines else ["No dataset repeats another."]
