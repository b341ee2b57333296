"""The verdict: who leads, how strong the evidence is, and what to be careful with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from robustrank._text import percent
from robustrank.notes import count
from robustrank.report.caveats import find_caveats
from robustrank.report.findings import format_ess
from robustrank.report.words import contenders, leaders, listing, ranked_by

if TYPE_CHECKING:
    from robustrank.result import Analysis


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person who chooses a model should take from an analysis.

    Attributes
    ----------
    headline : str
        One sentence: who leads, and the models that cannot be told apart from the leader: those
        that it is above with a probability of `tier_threshold` at most. The tier of the leader may
        hold fewer, as it ends at the first model that the leader beats. The probabilities allow
        neither for the number of models nor for choosing the leader by the same scores.
    evidence : str
        One sentence: how strong the evidence is, what it rests on, and what it separates.
    caveats : tuple of str
        Short sentences, the most serious first; empty if nothing is amiss.
    """

    headline: str
    evidence: str
    caveats: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.headline} {self.evidence}"


def verdict(analysis: Analysis) -> Verdict:
    """Return the verdict of an analysis."""
    return Verdict(_headline(analysis), _evidence(analysis), find_caveats(analysis))


def _headline(analysis: Analysis) -> str:
    bootstrap, by = analysis.bootstrap, ranked_by(analysis)
    order, first = bootstrap.order, leaders(analysis)
    ranked = _ranked(analysis)
    if not order:
        return "No model is ranked: none has a score on every dataset."
    if len(order) == 1:
        return f"{listing(order)} is the only model ranked: no other has a score on every dataset."
    if len(first) == len(order):
        return f"No model leads: all {count(len(order), ranked)} are tied by {by}."
    return f"{_lead(analysis, first)} by {by}, {_holds(analysis, first)}."


def _holds(analysis: Analysis, first: list[str]) -> str:
    """Say whom the leaders are ahead of, as the rest of a sentence."""
    bootstrap, settings, ranked = analysis.bootstrap, analysis.bootstrap.settings, _ranked(analysis)
    if pd.isna(bootstrap.resolved) or analysis.redundancy.n == 1:
        return "but nothing shows how far that would hold on other datasets"
    if _is_noted(analysis, "few-datasets"):
        kind = "cluster" if settings["resampling"] == "clusters" else "dataset"
        return f"but {count(settings['n_units'], kind)} are too few to tell models apart"
    others, tied = bootstrap.order[len(first) :], contenders(analysis)
    if not tied:
        each = f"each of the other {count(len(others), ranked)}"
        whom = listing(others) if len(others) == 1 else each
        return f"ahead of {whom} in over {100 * settings['tier_threshold']:g}% of resamples"
    if len(tied) == len(others) > 1:
        return f"but cannot be told apart from any of the other {count(len(others), ranked)}"
    return f"but cannot be told apart from {listing(tied)}"


def _lead(analysis: Analysis, first: list[str]) -> str:
    """Say who leads, and among how many if not all are ranked."""
    m, ranked = len(analysis.matrix.scores), len(analysis.bootstrap.order)
    among = "" if ranked == m else f"Among the {ranked:,} of {count(m, 'model')} that are ranked, "
    if len(first) == 1:
        return f"{among}{listing(first)} leads"
    same = len(analysis.matrix.scores.loc[first].drop_duplicates()) == 1
    if same and analysis.matrix.shape[1] > 1:
        return f"{among}{listing(first)}, with the same scores on every dataset, share first place"
    return f"{among}{listing(first)} share first place"


def _is_noted(analysis: Analysis, code: str) -> bool:
    return any(note.code == code for note in analysis.notes)


def _ranked(analysis: Analysis) -> str:
    """Say what the order holds: models, or the ranked ones of them."""
    complete = len(analysis.bootstrap.order) == len(analysis.matrix.scores)
    return "model" if complete else "ranked model"


def _evidence(analysis: Analysis) -> str:
    evidence, redundancy, bootstrap = analysis.evidence, analysis.redundancy, analysis.bootstrap
    score = format_ess(evidence.score)
    if evidence.level == "E0":
        return "There is no evidence: no dataset tells the models apart."
    if evidence.level == "E1":
        return (
            f"The evidence is a single dataset (ESS {score}), which cannot show whether the "
            "ranking is stable."
        )
    if len(bootstrap.order) < 2:
        return "Nothing is compared, so that there is no evidence for any order."
    if _is_noted(analysis, "few-models"):
        m = count(len(analysis.matrix.scores), "model")
        rests = (
            f"How strong the evidence is cannot be told: {m} are too few to say which of "
            f"{count(redundancy.n, 'dataset')} repeat each other"
        )
    else:
        rests = (
            f"The evidence is {evidence.category} (ESS {score}): {count(redundancy.n, 'dataset')} "
            f"in {count(redundancy.q, 'cluster')}"
        )
    if pd.isna(bootstrap.resolved) or _is_noted(analysis, "few-datasets"):
        return f"{rests}."
    drawn = "the clusters" if bootstrap.settings["resampling"] == "clusters" else "the datasets"
    if len(bootstrap.order) == 2:
        separates = "separates" if bootstrap.resolved else "does not separate"
        return f"{rests}; resampling {drawn} {separates} the two models."
    share = percent(bootstrap.resolved)
    return f"{rests}; resampling {drawn} separates {share} of all pairs of {_ranked(analysis)}s."
