"""An analysis in words: the short form, the full summary and a paragraph for a paper."""

from __future__ import annotations

import math
from textwrap import TextWrapper
from typing import TYPE_CHECKING

import pandas as pd

from robustrank.notes import count, name_some

if TYPE_CHECKING:
    from robustrank.result import Analysis

#: Decimals of the columns of `Analysis.to_frame` when shown to people.
DECIMALS = {
    "mean": 4,
    "rank": 1,
    "borda_rank": 1,
    "mean_rank": 1,
    "best_rank": 1,
    "worst_rank": 1,
    "scheme_variance": 2,
    "composition_variance": 2,
    "consistency": 3,
}


#: Short headings for the terminal, explained by `LEGEND`.
HEADINGS = {
    "borda_rank": "borda",
    "mean_rank": "mean rank",
    "best_rank": "best",
    "worst_rank": "worst",
    "scheme_variance": "ST",
    "composition_variance": "SN",
}
LEGEND = (
    "rank: by mean score. borda: by Borda count. mean rank, best, worst: over all schemes and "
    "compositions. ST, SN: variance of the rank over schemes, over compositions. consistency: 1 "
    "for a model that every ranking puts first."
)
WIDTH = 100


def format_ess(score: float) -> str:
    """Round an Evidence Strength Score as its paper does: 0.825 is 0.83."""
    return f"{math.floor(round(score * 100, 9) + 0.5) / 100:.2f}"


def format_value(column: str, value: object) -> str:
    """Format one cell for reading: whole ranks without decimals, a dash where undefined."""
    if not isinstance(value, int | float):
        return str(value)
    if math.isnan(value):
        return "–"
    if column.endswith("rank") and column != "mean_rank" and float(value).is_integer():
        return f"{value:.0f}"
    return f"{value:.{DECIMALS.get(column, 4)}f}"


def format_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with every cell formatted for reading, the index as first column."""
    cells = {
        column: [format_value(str(column), value) for value in frame[column].tolist()]
        for column in frame.columns
    }
    names = [printable(str(name)) for name in frame.index]
    return pd.DataFrame({str(frame.index.name): names, **cells})


def printable(text: str) -> str:
    """Replace line breaks and control characters, which would break a table or drive a terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def _align(frame: pd.DataFrame) -> list[str]:
    cells = format_frame(frame)
    texts = [[HEADINGS.get(column, column), *cells[column]] for column in cells.columns]
    widths = [max(map(len, column)) for column in texts]
    lines = []
    for row in zip(*texts, strict=True):
        first, *rest = row
        padded = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *padded]).rstrip())
    return lines


def _wrap(line: str, indent: int) -> str:
    wrapper = TextWrapper(
        WIDTH,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,  # model names stay whole
    )
    return wrapper.fill(line)


def findings(analysis: Analysis) -> list[str]:
    """State what was found, one fact a line."""
    evidence, redundancy = analysis.evidence, analysis.redundancy
    m, n = analysis.matrix.shape
    lines = [
        f"{count(m, 'model')} × {count(n, 'dataset')}",
    ]
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
        shares = [
            f"{model} in {share:.0%}" if share >= 0.005 else f"{model} in under 1%"
            for model, share in winners.items()
        ]
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
    return lines


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


def short_summary(analysis: Analysis) -> str:
    """Return the findings and the first models: the repr."""
    first, *rest = findings(analysis)
    best = analysis.to_frame().index[:3]
    notes = f"; {count(len(analysis.notes), 'note')}" if analysis.notes else ""
    return "\n".join(
        [
            f"Analysis of {first}",
            *(f"  {line}" for line in rest),
            f"  Best mean  {', '.join(map(str, best))}{notes}",
        ]
    )


def full_summary(analysis: Analysis, top: int) -> str:
    """Return findings, clusters and the best models as text."""
    frame = analysis.to_frame()
    first, *rest = findings(analysis)
    shown = frame.head(top)
    heading = f"Best {len(shown)} of {count(len(frame), 'model')}, by mean score"
    blocks = [
        [first, *(_wrap(line, 11) for line in rest)],
        [_wrap(line, 3) for line in clusters(analysis)],
        [heading, *_align(shown)],
        [_wrap(LEGEND, 0)],
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
    clustering = (
        f"Datasets whose scores had a {settings['correlation'].capitalize()} correlation above "
        f"{settings['tau']:g} over models were linked; the connected components (single linkage) "
        f"gave {count(redundancy.q, 'cluster')} of {count(redundancy.n, 'dataset')}."
    )
    parts = [data, clustering]
    if len(redundancy.compositions) > 1:
        seed = settings["seed"]
        source = f"seed {seed}" if isinstance(seed, int) else "a given generator"
        parts.append(
            f"Besides all datasets, {count(redundancy.n_unique, 'distinct composition')} of one "
            f"dataset per cluster, drawn at random ({source}), were ranked."
        )
    kind = {
        "rank-weighted": f"the mean of max(0, {settings['top_k']} + 1 - rank) / "
        f"{settings['top_k']}",
        "membership": f"the share of rankings with a rank of at most {settings['top_k']}",
    }[settings["consistency"]]
    parts.append(
        f"Models were ranked by {count(len(settings['schemes']), 'scheme')} of multi-criteria "
        f"decision making ({', '.join(settings['schemes'])}; engine {settings['engine']}). "
        "Agreement is Kendall's W with correction for ties; sensitivity is the population variance "
        f"of a model's rank; consistency is {kind}. Evidence levels and the Evidence Strength "
        f"Score follow Gjorgjevikj et al. (2026): {analysis.evidence.level}, "
        f"{format_ess(analysis.evidence.score)}."
    )
    return " ".join(parts)
