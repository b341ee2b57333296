"""What the Evidence Strength Score of an analysis is made of, as rows of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.evidence import LEVELS, evidence_parts
from robustrank.notes import count
from robustrank.report.findings import format_ess

if TYPE_CHECKING:
    from robustrank.result import Analysis


def evidence_rows(analysis: Analysis) -> list[tuple[str, str]]:
    """Return terms and what there is to say of each: level, score, its parts, what it rests on."""
    evidence, redundancy = analysis.evidence, analysis.redundancy
    n, q = redundancy.n, redundancy.q
    volume, variety, stability = evidence_parts(n, q)
    return [
        ("Level", f"{evidence.level}: {LEVELS[evidence.level]}"),
        ("Evidence Strength Score", f"{format_ess(evidence.score)} of 1: {evidence.category}"),
        ("Number of datasets", f"{volume:.3f} of 0.25: {count(n, 'dataset')}; all of it from 5 on"),
        ("Variety", f"{variety:.3f} of 0.25: {count(q, 'cluster')} among {count(n, 'dataset')}"),
        (
            "Stability that can be assessed",
            f"{stability:.3f} of 0.5: half of it over schemes, half over dataset compositions",
        ),
        (
            "Effective number of datasets",
            f"{redundancy.n_effective:.1f}: {n} if no two were correlated, 1 if all were alike",
        ),
    ]
