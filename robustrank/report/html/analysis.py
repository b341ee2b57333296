"""The page of an analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from robustrank._text import percent
from robustrank.mcdm import SCHEMES
from robustrank.notes import count
from robustrank.report.files import file_tables
from robustrank.report.findings import findings, format_ess
from robustrank.report.html.agreement import agreement_tables
from robustrank.report.html.answer_introduction import introduction
from robustrank.report.html.answers import answer_blocks
from robustrank.report.html.downloads import embed_tables
from robustrank.report.html.evidence import evidence_rows
from robustrank.report.html.leaderboard import leaderboard
from robustrank.report.html.page import Key, render
from robustrank.report.html.sections import cluster_rows, figure_sections, settings_rows
from robustrank.report.verdict import verdict

if TYPE_CHECKING:
    from robustrank.result import Analysis

TITLE = "How much of this leaderboard is real?"
#: Settings whose values are not those of the arguments.
_UNSAID = ("instances", "seed")


def analysis_page(analysis: Analysis, title: str | None = None) -> str:
    """Return the page of an analysis: one file that needs no other and no network.

    Parameters
    ----------
    analysis : Analysis
    title : str, optional
        The heading; a question by default.

    Returns
    -------
    str
        HTML. The same analysis gives the same page.
    """
    return render(
        "analysis",
        title=TITLE if title is None else title,
        subtitle=_subtitle(analysis),
        verdict=verdict(analysis),
        keys=_keys(analysis),
        board=leaderboard(analysis),
        facts=_facts(analysis),
        evidence=evidence_rows(analysis),
        agreement=agreement_tables(analysis),
        sections=figure_sections(analysis),
        answers=answer_blocks(analysis),
        about_answers=introduction(analysis),
        clusters=cluster_rows(analysis),
        notes=analysis.notes,
        settings=settings_rows(analysis.settings),
        methods=analysis.methods,
        downloads=embed_tables(file_tables(analysis)),
        call=_call(analysis.settings),
        version=analysis.settings["versions"]["robustrank"],
    )


def _call(settings: dict[str, Any]) -> str:
    """Return the call that makes an analysis with these settings again.

    What the settings only describe, as they cannot hold it, is a comment.
    """
    given = {k: v for k, v in settings.items() if k != "versions" and v is not None and v != {}}
    if given["schemes"] == list(SCHEMES):  # all of them, the default
        del given["schemes"]
    lines = [f"    {name}={value!r}," for name, value in given.items() if name not in _UNSAID]
    if "instances" in given:
        lines.append("    # instances=: give the scores per instance again.")
    if isinstance(given["seed"], int):
        lines.append(f"    seed={given['seed']!r},")
    else:
        lines.append("    # seed=: give the random generator again, in the state that it was in.")
    return "\n".join(["analysis = rr.analyze(", "    matrix,", *lines, ")"])


def _subtitle(analysis: Analysis) -> str:
    m, n = analysis.matrix.shape
    version = analysis.settings["versions"]["robustrank"]
    return f"{count(m, 'model')} on {count(n, 'dataset')}, analysed with robustrank {version}"


def _facts(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the findings as terms and what there is to say of each."""
    board, *lines = findings(analysis)
    facts = (line.partition(" ") for line in lines)
    return [("Board", board), *((term, text.lstrip()) for term, _, text in facts)]


def _keys(analysis: Analysis) -> list[Key]:
    redundancy, bootstrap = analysis.redundancy, analysis.bootstrap
    tiers = bootstrap.tiers.dropna().nunique()
    resolved = bootstrap.resolved
    m, ranked = len(analysis.matrix.scores), len(bootstrap.order)
    few_models = any(note.code == "few-models" for note in analysis.notes)
    category = "uncertain" if few_models else analysis.evidence.category
    models = (f"{m:,}", "models") if ranked == m else (f"{ranked:,} of {m:,}", "models ranked")
    return [
        Key(*models),
        Key(f"{analysis.matrix.shape[1]:,}", "datasets"),
        Key(f"{redundancy.q:,}", "clusters of datasets"),
        Key(f"{tiers:,}" if tiers else "–", "tiers"),
        Key("–" if pd.isna(resolved) else percent(resolved), "of pairs resolved"),
        Key(format_ess(analysis.evidence.score), f"ESS, {category}"),
    ]
