"""An analysis for other programs and documents: JSON-safe values, Markdown, LaTeX, HTML."""

from __future__ import annotations

import html
import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from robustrank.report.findings import clusters, findings
from robustrank.report.tables import format_frame

if TYPE_CHECKING:
    from collections.abc import Collection

    from robustrank.result import Analysis


def analysis_to_dict(analysis: Analysis) -> dict[str, Any]:
    """Return everything as dict, list, str, int, float, bool and None."""
    redundancy, rankings, agreement = analysis.redundancy, analysis.rankings, analysis.agreement
    m, n = analysis.matrix.shape
    compositions = {name: list(row.index[row]) for name, row in redundancy.compositions.iterrows()}
    content = {
        "n_models": m,
        "n_datasets": n,
        "evidence": {
            "level": analysis.evidence.level,
            "score": analysis.evidence.score,
            "category": analysis.evidence.category,
        },
        "redundancy": {
            "n": redundancy.n,
            "q": redundancy.q,
            "n_unique": redundancy.n_unique,
            "n_effective": redundancy.n_effective,
            "tau": redundancy.tau,
            "linkage": redundancy.linkage,
            "clusters": redundancy.clusters.to_dict(),
            "compositions": compositions,
            "merges": redundancy.merges.to_dict("records"),
        },
        "agreement": {
            "n_rankings": analysis.n_rankings,
            "w_schemes": agreement.w_schemes.to_dict(),
            "w_compositions": agreement.w_compositions.to_dict(),
            "scheme_variance": agreement.scheme_variance.to_dict(),
            "composition_variance": agreement.composition_variance.to_dict(),
        },
        "bootstrap": {
            **analysis.bootstrap.settings,
            "leader": next(iter(analysis.bootstrap.order), None),
            "leads": analysis.bootstrap.leads,
            "n_tiers": analysis.bootstrap.tiers.dropna().nunique(),
            "resolved": analysis.bootstrap.resolved,
            "resolved_adjacent": analysis.bootstrap.resolved_adjacent,
            "p_top": analysis.bootstrap.p_top.to_dict(),
            "standard_error": analysis.bootstrap.standard_error.to_dict(),
        },
        "irt": {
            "datasets": analysis.irt.table.reset_index().to_dict("records"),
            "ability_interval": analysis.irt.ability_interval.to_dict("index"),
            "residual": analysis.irt.residual,
            "converged": analysis.irt.converged,
        },
        "models": analysis.to_frame().reset_index().to_dict("records"),
        "borda": analysis.borda.reset_index().to_dict("records"),
        "ranks": _nested(rankings.ranks),
        "weights": _nested(rankings.weights),
        "notes": [note.to_dict() for note in analysis.notes],
        "methods": analysis.methods,
        "settings": analysis.settings,
    }
    safe: dict[str, Any] = json_safe(content)
    return safe


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


def json_safe(value: Any) -> Any:
    """Convert numpy scalars, and NaN to None, throughout a nested value."""
    if isinstance(value, dict):
        return {str(key): json_safe(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [json_safe(item) for item in value]
    if value is pd.NA:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


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


def tabular(cells: pd.DataFrame, left: Collection[str] = ()) -> str:
    """Return cells that are LaTeX already as a tabular; see `pipe_table` for `left`."""
    texts = {cells.columns[0], *left}
    layout = "".join("l" if name in texts else "r" for name in cells.columns)
    table = [list(map(str, cells.columns)), *cells.to_numpy().tolist()]
    head, *rows = (f"{' & '.join(row)} \\\\" for row in table)
    lines = [rf"\begin{{tabular}}{{{layout}}}", r"\toprule", head, r"\midrule", *rows]
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
    """Return findings, the best models and the notes as a fragment for a notebook."""
    lines = "<br>".join(html.escape(line) for line in findings(analysis))
    table = format_frame(analysis.to_frame().head(top)).to_html(index=False, border=0, escape=True)
    repeats = "<br>".join(html.escape(line) for line in clusters(analysis))
    notes = "".join(f"<li>{html.escape(str(note))}</li>" for note in analysis.notes)
    return (
        f"<div><p>{lines}</p>{table}<details><summary>Clusters</summary>{repeats}</details>"
        f"<details><summary>Notes ({len(analysis.notes)})</summary><ul>{notes}</ul></details></div>"
    )
