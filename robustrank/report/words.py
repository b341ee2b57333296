"""Phrases that sentences about an analysis share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank._text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from robustrank.result import Analysis


def ranked_by(analysis: Analysis) -> str:
    """Name what ranks the models, in a sentence."""
    name: str = analysis.settings["aggregate"]
    return "mean score" if name == "mean" else name


def drawn_units(settings: Mapping[str, Any]) -> str:
    """Name what the resamples draw: ``"datasets"``, or clusters, or datasets within task types."""
    return {
        "datasets": "datasets",
        "balanced": "datasets within each task type",
        "clusters": "clusters of datasets",
    }[settings["resampling"]]


def consistency_meaning(settings: Mapping[str, Any]) -> str:
    """Say what the consistency of a model is."""
    top = f"the top {settings['top_k']}"
    return {
        "rank-weighted": f"1 for a model that every ranking puts first, 0 for one never in {top}",
        "membership": f"share of the rankings that put a model in {top}",
    }[settings["consistency"]]


def leaders(analysis: Analysis) -> list[str]:
    """Name the ranked models that share the first place, one as a rule."""
    bootstrap = analysis.bootstrap
    return [name for name in bootstrap.order if bootstrap.rank[name] == bootstrap.rank.min()]


def contenders(analysis: Analysis) -> list[str]:
    """Name the other models that a leader is not above with a probability beyond the threshold.

    They are not always those of its tier: a tier ends at the first model that its leader beats,
    though one further down may not be beaten.
    """
    bootstrap, first = analysis.bootstrap, leaders(analysis)
    chance = bootstrap.pairwise.loc[first, bootstrap.order[len(first) :]].min()
    return list(chance.index[~(chance > bootstrap.settings["tier_threshold"])])


def listing(names: Iterable[object], most: int = 3) -> str:
    """Name up to `most` in a sentence and count the rest: ``"A, B, C and 4 more"``."""
    shown = [printable(str(name)) for name in names]
    if len(shown) > most:
        shown = [*shown[:most], f"{len(shown) - most:,} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
