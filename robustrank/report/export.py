"""An analysis for other programs and documents: JSON-safe values, Markdown, LaTeX, HTML."""

from __future__ import annotations

import html
import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from robustrank._json import json_safe
from robustrank.report.findings import clusters, findings
from robustrank.report.tables import format_frame

if TYPE_CHECKING:
    from collections.abc import Collection

    import pandas as pd

    from robustrank.agreement import Agreement
    from robustrank.irt import TaskIRT
    from robustrank.redundancy import Redundancy
    from robustrank.resampling import Bootstrap
    from robustrank.result import Analysis


def analysis_to_dict(analysis: Analysis) -> dict[str, Any]:
    """Return everything as dict, list, str, int, float, bool and None."""
    m, n = analysis.matrix.shape
    content = {
        "verdict": asdict(analysis.verdict),
        "n_models": m,
        "n_datasets": n,
        "evidence": {
            "level": analysis.evidence.level,
            "score": analysis.evidence.score,
            "category": analysis.evidence.category,
        },
        "redundancy": _redundancy(analysis.redundancy),
        "agreement": {"n_rankings": analysis.n_rankings, **_agreement(analysis.agreement)},
        "bootstrap": _bootstrap(analysis.bootstrap),
        "irt": _irt(analysis.irt),
        "models": analysis.to_frame().reset_index().to_dict("records"),
        "borda": analysis.borda.reset_index().to_dict("records"),
        "ranks": _nested(analysis.rankings.ranks),
        "weights": _nested(analysis.rankings.weights),
        "notes": [note.to_dict() for note in analysis.notes],
        "decision": None if analysis.decision is None else analysis.decision.to_dict(),
        "methods": analysis.methods,
        "settings": analysis.settings,
    }
    safe: dict[str, Any] = json_safe(content)
    return safe


def _redundancy(found: Redundancy) -> dict[str, Any]:
    return {
        "n": found.n,
        "q": found.q,
        "n_unique": found.n_unique,
        "n_effective": found.n_effective,
        "tau": found.tau,
        "linkage": found.linkage,
        "clusters": found.clusters.to_dict(),
        "compositions": {name: list(row.index[row]) for name, row in found.compositions.iterrows()},
        "merges": found.merges.to_dict("records"),
    }


def _agreement(found: Agreement) -> dict[str, Any]:
    return {
        "w_schemes": found.w_schemes.to_dict(),
        "w_compositions": found.w_compositions.to_dict(),
        "scheme_variance": found.scheme_variance.to_dict(),
        "composition_variance": found.composition_variance.to_dict(),
    }


def _bootstrap(found: Bootstrap) -> dict[str, Any]:
    return {
        **found.settings,
        "leader": next(iter(found.order), None),
        "leads": found.leads,
        "n_tiers": found.tiers.dropna().nunique(),
        "resolved": found.resolved,
        "resolved_adjacent": found.resolved_adjacent,
        "p_top": found.p_top.to_dict(),
        "standard_error": found.standard_error.to_dict(),
    }


def _irt(found: TaskIRT) -> dict[str, Any]:
    return {
        "datasets": found.table.reset_index().to_dict("records"),
        "ability_interval": found.ability_interval.to_dict("index"),
        "residual": found.residual,
        "converged": found.converged,
    }


def _nested(frame: pd.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    """Turn columns (a, b) into ``{a: {b: {row: value}}}``."""
    nested: dict[str, dict[str, dict[str, float]]] = {}
    for key in frame.columns:
        outer, inner = tuple(key)
        column = frame[key]
        nested.setdefault(outer, {})[inner] = dict(
            zip(map(str, column.index), column.tolist(), strict=True)
        )
    return nested


def frame_to_markdown(frame: pd.DataFrame) -> str:
    """Return a pipe table; numbers are right-aligned."""
    return pipe_table(format_frame(frame))


def pipe_table(cells: pd.DataFrame, left: Collection[str] = ()) -> str:
    """Return formatted cells as a pipe table; the first column and those of `left` hold text."""
    texts = {cells.columns[0], *left}
    rule = [":--" if name in texts else "--:" for name in cells.columns]
    escaped = [
        [re.sub(r"([\\|<])", r"\\\1", cell) for cell in row]
        for row in ([*cells.columns], *cells.to_numpy().tolist())
    ]
    rows = [escaped[0], rule, *escaped[1:]]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def frame_to_latex(frame: pd.DataFrame) -> str:
    """Return a tabular for use with the booktabs package."""
    return tabular(format_frame(frame).rename(columns=escape_latex).map(escape_latex))


def tabular(cells: pd.DataFrame, left: Collection[str] = (), breaks: Collection[int] = ()) -> str:
    """Return cells that are LaTeX already as a tabular; see `pipe_table` for `left`.

    `breaks` are the numbers of the rows that a rule goes before.
    """
    texts = {cells.columns[0], *left}
    layout = "".join("l" if name in texts else "r" for name in cells.columns)
    table = [list(map(str, cells.columns)), *cells.to_numpy().tolist()]
    head, *rows = (f"{' & '.join(row)} \\\\" for row in table)
    body = [f"\\midrule\n{row}" if place in breaks else row for place, row in enumerate(rows)]
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", head, r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def escape_latex(text: str) -> str:
    """Return text that LaTeX prints as it is."""
    return text.translate(_LATEX)


_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"–": "--"}
    # After the end of a row, LaTeX takes these as arguments of the row end.
    | {"[": "{[}", "*": "{*}"}
)


def analysis_to_html(analysis: Analysis, top: int = 10) -> str:
    """Return verdict, findings, the best models and the notes as a fragment for a notebook."""
    verdict = analysis.verdict
    items = "".join(f"<li>{html.escape(caveat)}</li>" for caveat in verdict.caveats)
    caveats = f"<ul>{items}</ul>" if items else ""
    said = (
        f"<p><strong>{html.escape(verdict.headline)}</strong> {html.escape(verdict.evidence)}</p>"
    )
    lines = "<br>".join(html.escape(line) for line in findings(analysis))
    table = format_frame(analysis.to_frame().head(top)).to_html(index=False, border=0, escape=True)
    repeats = "<br>".join(html.escape(line) for line in clusters(analysis))
    notes = "".join(f"<li>{html.escape(str(note))}</li>" for note in analysis.notes)
    return (
        f"<div>{said}{caveats}<p>{lines}</p>{table}<details><summary>Clusters</summary>{repeats}</details>"
        f"<details><summary>Notes ({len(analysis.notes)})</summary><ul>{notes}</ul></details></div>"
    )
