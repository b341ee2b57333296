"""What a later snapshot of the results changes in a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_tables import Row, models
from published import LANGUAGE_FIELDS, ROW_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    import robustrank as rr

MODELS = {
    "first": "leader",
    "robust": "robust_models",
    "most consistent": "most_consistent_model",
}
CHANGED = 5e-4  # scores that differ in the third decimal


def changed_row(key: tuple[str, str], old: rr.Study, new: rr.Study) -> Row:
    """Compare a cell of two snapshots, and say where a new first model comes from."""
    before, after = old.cells.loc[key], new.cells.loc[key]
    row = Row({"language": key[0]})
    row.cells["models"] = f"{before['n_models']} / {after['n_models']}"
    for name, column in ROW_FIELDS.items():
        row.pair(name, before[column], after[column])
    for name, column in MODELS.items():
        row.pair(name, *(", ".join(sorted(models(x[column]))) or None for x in (before, after)))
    if not row.same:
        first = [*models(before["leader"]), *models(after["leader"])]
        row.reasons += differences(*(bare(study.matrix(*key)) for study in (old, new)), first)
    return row


def bare(matrix: rr.ScoreMatrix) -> pd.DataFrame:
    """Return scores by model name alone: organisations rename themselves."""
    return matrix.scores.rename(index=lambda name: name.split("/")[-1])


def differences(old: pd.DataFrame, new: pd.DataFrame, first: list[str]) -> Iterator[str]:
    """Say which models are ranked on one side only, and whose scores are not the same."""
    first = list(dict.fromkeys(first))
    for when, scores in (("Dec 2025", old), ("Aug 2026", new)):
        if missing := [name for name in first if name not in scores.index]:
            yield f"{', '.join(missing)} not ranked in {when}"
    both = old.index.intersection(new.index)
    moved = (new.loc[both, old.columns] - old.loc[both]).abs() > CHANGED
    for name in both.intersection(first):
        for dataset in moved.columns[moved.loc[name]]:
            pair = f"{old.loc[name, dataset]:.3f} / {new.loc[name, dataset]:.3f}"
            yield f"{name} on {dataset} {pair}"
    came, went = len(new) - len(both), len(old) - len(both)
    yield f"models: {came} more, {went} fewer, {moved.any(axis=1).sum()} with other scores"


def on_top(study: rr.Study, language: str, places: int) -> pd.Series:
    """Return the highest numbers of task types on which a model is in the top 10, ties included."""
    counts = study.cross_task(language).mean(axis=1).rename(lambda name: name.split("/")[-1])
    return counts[counts >= counts.iloc[places - 1] - 1e-9]


def changed_agnostic(language: str, old: rr.Study, new: rr.Study) -> Row:
    """Compare the three models that lead over task types, as in *Robustness*, Figure 4."""
    row = Row({"language": language})
    tops = [on_top(study, language, 3) for study in (old, new)]
    row.pair("models", *(", ".join(sorted(top.index)) for top in tops))
    row.cells["CT"] = " / ".join(f"{top.min():.2f}–{top.max():.2f}" for top in tops)
    return row


def changed_language(language: str, old: rr.Study, new: rr.Study) -> Row:
    """Compare a language of two snapshots, as in *Slavic*, Table 11."""
    before, after = old.languages.loc[language], new.languages.loc[language]
    row = Row({"language": language})
    for name, column in LANGUAGE_FIELDS.items():
        row.pair(name, before[column], after[column])
    row.pair("model", *(", ".join(models(x["most_consistent_model"])) for x in (before, after)))
    return row
