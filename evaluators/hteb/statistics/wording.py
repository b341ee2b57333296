"""Robustness in words: the summary, the repr and the paragraph on methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from robustrank._text import printable, wrap
from robustrank.evaluators.hteb.statistics import summary_tables as tables
from robustrank.evaluators.hteb.statistics.conclusions import caveats, conclusions
from robustrank.evaluators.hteb.statistics.concordance import N_PERMUTATIONS
from robustrank.evaluators.hteb.statistics.findings import findings
from robustrank.notes import count
from robustrank.presenting import level
from robustrank.report.words import listing

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.statistics.robustness import Robustness

#: What the paragraph on methods says of a selection that a note tells of.
_SELECTED: Final = {
    "zero-shot": "Only pairs of model and dataset that are marked as zero-shot were kept.",
    "dropped-models": "Models for which a score was missing were left out.",
    "dropped-datasets": "Datasets for which a score was missing were left out.",
    "missing-scores": "Where a score was missing, means are over the datasets that a model has.",
}


def short_summary(found: Robustness) -> str:
    """Return the size and the first conclusion: the repr."""
    notes = f"; {count(len(found.notes), 'note')}" if found.notes else ""
    return f"Robustness of {_size(found)}{notes}\n  {conclusions(found)[0]}"


def full_summary(found: Robustness, top: int) -> str:
    """Return conclusions, caveats, findings and two tables as text."""
    models = len(found.scores.models)
    blocks = [
        [
            wrap(printable(" ".join(conclusions(found))), 0),
            *(wrap(printable(f"- {caveat}"), 2) for caveat in caveats(found)),
        ],
        [_size(found), *(wrap(printable(line), 11) for line in findings(found))],
        [
            f"Best {min(top, models)} of {count(models, 'model')} by total, in points",
            tables.models(found, top),
        ],
        ["Transformations and axes, in points", tables.parts(found)],
        [wrap(tables.legend(found), 0)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def methods(found: Robustness) -> str:
    """Say what was done, from the settings and the notes."""
    settings = found.settings
    units = {
        "datasets": "the mean differences of datasets over models",
        "pairs": "the differences of pairs of model and dataset",
    }[settings["observations"]]
    axes = "; ".join(f"{axis}: {listing(names)}" for axis, names in settings["axes"].items())
    codes = {note.code for note in found.notes}
    selected = [sentence for code, sentence in _SELECTED.items() if code in codes]
    said = (
        f"We compared scores on original and transformed texts (HTEB, 2026) of {_size(found)} with "
        f"robustrank {settings['versions']['robustrank']}. {' '.join([*selected, ''])}Scores were "
        "averaged over runs, then over the transformations of an axis, then over axes "
        f"({axes}). Shifts are Hodges–Lehmann estimates over {units} with "
        f"{level(settings['confidence_level'])} intervals by inversion of Wilcoxon's signed-rank "
        "test, whose p-values were adjusted after Holm over transformations. Intervals of a "
        f"model's mean difference are Student's, over datasets. {settings['n_resamples']:,} "
        "resamples of the datasets gave the probability that an axis is the most disruptive. "
        "Rankings were compared per dataset by Kendall's τ-b, and between task-stratified random "
        f"halves of the datasets by Spearman's ρ ({settings['n_splits']:,} splits; seed "
        f"{settings['seed']}). Whether datasets agree on the order of models at all was tested by "
        f"{N_PERMUTATIONS:,} permutations of the models within datasets (Friedman's statistic), "
        "adjusted after Holm over axes."
    )
    if settings["families"] is None:
        return said
    names = listing(dict.fromkeys(row["family"] for row in settings["families"]))
    return (
        f"{said} What a doubling of the parameters changes is the slope of a least-squares line "
        f"over the models of a family ({names}) on each dataset, averaged over datasets with "
        "Student's interval."
    )


def _size(found: Robustness) -> str:
    scores = found.scores
    _, runs = scores.runs_per_cell
    return (
        f"{count(len(scores.models), 'model')} × {count(len(scores.datasets), 'dataset')} × "
        f"{count(len(scores.transformations), 'transformation')}, {count(runs, 'run')}"
    )
