"""An analysis in words: the short form, the full summary and a paragraph for a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustrank._text import wrap
from robustrank.notes import count
from robustrank.report.findings import clusters, findings, format_ess
from robustrank.report.tables import legend, ranking_lines
from robustrank.report.words import drawn_units, ranked_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.result import Analysis


def short_summary(analysis: Analysis) -> str:
    """Return who leads and the findings: the repr."""
    first, *rest = findings(analysis)
    notes = f"; {count(len(analysis.notes), 'note')}" if analysis.notes else ""
    lines = [f"Verdict    {analysis.verdict.headline}", *rest]
    return "\n".join([f"Analysis of {first}{notes}", *(f"  {line}" for line in lines)])


def full_summary(analysis: Analysis, top: int) -> str:
    """Return verdict, findings, clusters and the best models as text."""
    models = len(analysis.matrix.scores)
    first, *rest = findings(analysis)
    by = ranked_by(analysis)
    ranked = len(analysis.bootstrap.order)
    kind = "model" if ranked == models else "ranked model"
    heading = f"Best {min(top, models)} of {count(ranked, kind)}, by {by}"
    verdict = analysis.verdict
    blocks = [
        [wrap(str(verdict), 0), *(wrap(f"- {caveat}", 2) for caveat in verdict.caveats)],
        [first, *(wrap(line, 11) for line in rest)],
        [wrap(line, 3) for line in clusters(analysis)],
        [heading, *ranking_lines(analysis, top)],
        [wrap(legend(analysis), 0)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def methods_paragraph(analysis: Analysis) -> str:
    """Say what was done, from the settings."""
    settings, redundancy = analysis.settings, analysis.redundancy
    m, n = analysis.matrix.shape
    policies = {
        "drop-models": "models with missing scores were left out",
        "drop-datasets": "datasets with missing scores were left out",
        "error": "no score was missing",
        "keep": "missing scores were kept: correlations use the models that two datasets share, "
        "and schemes rank the models with complete scores",
    }
    data = (
        f"We analysed {count(m, 'model')} on {count(n, 'dataset')} with robustrank "
        f"{settings['versions']['robustrank']} ({policies[settings['missing']]})."
    )
    parts = [data, _clustering(analysis)]
    if len(redundancy.compositions) > 1:
        source = _source(settings)
        parts.append(
            f"Besides all datasets, {count(redundancy.n_unique, 'distinct composition')} of one "
            f"dataset per cluster, drawn at random ({source}), were ranked."
        )
    parts.append(
        f"{ranking_rule(settings)} Evidence levels and the Evidence Strength Score follow "
        f"Gjorgjevikj et al. (2026): {analysis.evidence.level}, "
        f"{format_ess(analysis.evidence.score)}."
    )
    return " ".join([*parts, *_resampling(analysis), *_response_theory(analysis)])


def _clustering(analysis: Analysis) -> str:
    redundancy = analysis.redundancy
    return (
        f"{clustering_rule(analysis.settings)} gave {count(redundancy.q, 'cluster')} of "
        f"{count(redundancy.n, 'dataset')}."
    )


def clustering_rule(settings: Mapping[str, Any]) -> str:
    """Say how datasets were clustered; a sentence that ends in its subject."""
    kind, tau = settings["correlation"].capitalize(), f"{settings['tau']:g}"
    if settings["linkage"] == "single":
        return (
            f"Datasets whose scores had a {kind} correlation above {tau} over models were linked; "
            "the connected components (single linkage)"
        )
    which = {"average": "mean", "complete": "weakest"}[settings["linkage"]]
    return (
        f"Clusters of datasets were merged, strongest first, while the {which} {kind} "
        "correlation of scores over models, between a member of one and a member of the other, "
        f"was above {tau}; this {settings['linkage']} linkage"
    )


def ranking_rule(settings: Mapping[str, Any]) -> str:
    """Say how models were ranked, and what agreement, sensitivity and consistency are."""
    kind = {
        "rank-weighted": f"the mean of max(0, {settings['top_k']} + 1 - rank) / "
        f"{settings['top_k']}",
        "membership": f"the share of rankings with a rank of at most {settings['top_k']}",
    }[settings["consistency"]]
    return (
        f"Models were ranked by {count(len(settings['schemes']), 'scheme')} of multi-criteria "
        f"decision making ({', '.join(settings['schemes'])}; engine {settings['engine']}). "
        "Agreement is Kendall's W with correction for ties; sensitivity is the population variance "
        f"of a model's rank; consistency is {kind}."
    )


def _source(settings: dict[str, Any]) -> str:
    seed = settings["seed"]
    return f"seed {seed}" if isinstance(seed, int) else "a given generator"


def _resampling(analysis: Analysis) -> list[str]:
    settings = analysis.settings
    noise = "" if settings["instances"] is None else ", and of instances within datasets,"
    return [
        (
            f"Uncertainty of {settings['aggregate']} and its ranks is from a paired bootstrap: "
            f"{count(settings['n_resamples'], 'resample')} of the {drawn_units(settings)}{noise} "
            f"({_source(settings)}) with {100 * settings['confidence_level']:g}% percentile "
            "intervals. A new tier begins at the first model that the leader of the current tier "
            f"beats in more than {100 * settings['tier_threshold']:g}% of the resamples."
        )
    ]


def _response_theory(analysis: Analysis) -> list[str]:
    if not analysis.irt.discrimination.notna().any():
        return []
    return [
        (
            "Abilities and discriminations are those of a two-parameter logistic model of the "
            "scores, fitted by penalised least squares, abilities standardised to mean 0 and "
            "standard deviation 1."
        )
    ]
